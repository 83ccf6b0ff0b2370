#pragma once
// Recognition of published GPT-2 weights by tensor digests.

#include <map>
#include <string>
#include <string_view>

#include "store/safetensors.h"

namespace casp::store {

/// End of the column `backbone` where the weights are random and only the token table is of a file.
inline constexpr std::string_view words_only = "-words";

/// The column `backbone` without that end: the origin of the token table.
[[nodiscard]] std::string origin_of_words(std::string_view backbone);

/// The tensor `plain` ("h.0.attn.c_attn.weight") of a Hugging Face GPT-2 file, whose names may have the
/// prefix "transformer." or that of a model of ours ("gpt2.", "llm_model."); nullptr if there is none.
[[nodiscard]] const TensorView* find_gpt2_tensor(const SafetensorsFile& file, std::string_view plain);

/// SHA-256 digests of float32 tensors, by plain name. Immutable; thread-safe.
class WeightDigests {
public:
    /// `json`: {"name": {"sha256_fp32_le": "…"}, …}. Throws nlohmann::json::exception for any other
    /// structure.
    explicit WeightDigests(std::string_view json);

    /// Digests of resources/openai_gpt2_small_sha256.json.
    static const WeightDigests& openai_gpt2_small();

    /// Whether `view` equals the listed tensor `plain` bit for bit, as float32. Reads the tensor.
    [[nodiscard]] bool matches(std::string_view plain, const TensorView& view) const;
    /// Whether `file` contains all listed tensors, each equal bit for bit.
    [[nodiscard]] bool match_all(const SafetensorsFile& file) const;

private:
    std::map<std::string, std::string, std::less<>> sha256_;
};

}  // namespace casp::store
