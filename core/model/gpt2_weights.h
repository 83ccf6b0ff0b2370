#pragma once
// Pretrained weights of the backbone: finding, reading, recognising.

#include <filesystem>
#include <string>

#include "config/config.h"
#include "model/parameters.h"
#include "store/known_weights.h"
#include "util/phrase.h"
#include "util/progress.h"

namespace casp::model {

/// Origin of the backbone; shown in every line that reports a result. `none`: the model has no backbone.
enum class BackboneKind { openai_gpt2_small, unknown_checkpoint, untrained, none };

/// "openai-gpt2-small", "unknown-checkpoint", "untrained", "none".
[[nodiscard]] std::string to_string(BackboneKind kind);

/// The column `backbone`: to_string(), with "-words" where only the token table is of the file
/// (backbone.kind = "random").
[[nodiscard]] std::string backbone_origin(const config::Config& config, BackboneKind kind);

/// `backbone.path` (not "untrained") to the file: "catalog:gpt2" in the user's cache, a .safetensors file or
/// the index of one in several files, or a folder with model.safetensors or its index. An input Error names
/// the three ways out where there is none, and the conversion of weights in another format.
[[nodiscard]] std::filesystem::path find_backbone_file(const std::string& setting);

/// The name in a GPT-2 checkpoint ("h.0.ln_1.weight") of one of a model's tensors: without the prefix of its
/// branch and without peft's "base_layer."; "" for tensors that such a checkpoint does not have.
[[nodiscard]] std::string gpt2_name(const std::string& name);

struct LoadedBackbone {
    BackboneKind kind = BackboneKind::unknown_checkpoint;
    Phrase conversions;  ///< SafetensorsFile::conversions()
};

/// Fills the backbone's tensors ("gpt2.…", all of them; of several branches, too) from a Hugging Face
/// model.safetensors: fp32, fp16, bf16 or fp64, names with or without "transformer." (or our own "gpt2.") and
/// the prefixes of SafetensorsFile::unwrap(). Tensors of further blocks and of other heads are ignored. Every
/// shape is checked; an input Error names file, tensor, found and expected. OpenAI's GPT-2 small is
/// recognised by the SHA-256 of each tensor that was taken (`openai`; another table in tests).
LoadedBackbone load_backbone(const std::filesystem::path& file, const NamedTensors& tensors,
                             const ProgressFn& progress = {},
                             const store::WeightDigests& openai = store::WeightDigests::openai_gpt2_small());

}  // namespace casp::model
