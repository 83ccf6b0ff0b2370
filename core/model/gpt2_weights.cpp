#include "model/gpt2_weights.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <torch/torch.h>

#include "data/catalog.h"
#include "store/safetensors.h"
#include "util/error.h"
#include "util/regular_file.h"

namespace casp::model {

std::string to_string(BackboneKind kind) {
    constexpr std::array names{"openai-gpt2-small", "unknown-checkpoint", "untrained", "none"};
    return names.at(static_cast<std::size_t>(kind));
}

std::string backbone_origin(const config::Config& config, BackboneKind kind) {
    const bool of_file = kind == BackboneKind::openai_gpt2_small || kind == BackboneKind::unknown_checkpoint;
    const bool random = config.backbone.kind == "random" && of_file;
    return random ? to_string(kind) + std::string(store::words_only) : to_string(kind);
}

std::filesystem::path find_backbone_file(const std::string& setting) {
    namespace fs = std::filesystem;
    const std::string ways =
        "Get GPT-2 with caspstudio --fetch gpt2, or set backbone.path to a model.safetensors (or its "
        "folder), or set "
        "backbone.path = \"untrained\" to train on a backbone without knowledge.";
    fs::path path = setting;
    if (setting.rfind("catalog:", 0) == 0) {
        const auto& entry = data::catalog_entry(setting.substr(8));
        if (entry.kind != "backbone")
            throw input_error("backbone.path",
                              data::is_data_set(entry)
                                  ? Phrase("\"%1\" is a data set, not a backbone", setting)
                                  : Phrase("\"%1\" is a %2, not a backbone", setting, entry.kind),
                              "catalog:gpt2");
        path = data::catalog_path(entry.name);
        if (!fs::exists(path))
            throw input_error(
                "backbone.path",
                Phrase("%1 is not on this machine yet (it would be %2)", setting, path.string()), {}, ways);
    }
    std::error_code problem;
    if (fs::is_directory(path, problem)) {
        // Those behind the first two are named with their conversion when they are opened.
        constexpr std::array names{"model.safetensors", "model.safetensors.index.json", "pytorch_model.bin",
                                   "tf_model.h5"};
        const auto name = std::find_if(names.begin(), names.end(),
                                       [&](const char* file) { return fs::exists(path / file, problem); });
        if (name == names.end())
            throw input_error("backbone.path",
                              Phrase("the folder %1 has no model.safetensors", path.string()), {}, ways);
        path /= *name;
    }
    if (!fs::exists(path, problem))
        throw input_error("backbone.path", Phrase("there is no file %1", path.string()), {}, ways);
    store::reject_other_formats(RegularFile(path, "a .safetensors file"));
    return path;
}

std::string gpt2_name(const std::string& name) {
    std::string plain = name;
    constexpr std::string_view adapted = "base_layer.";
    if (const auto place = plain.find(adapted); place != std::string::npos)
        plain.erase(place, adapted.size());
    for (const std::string first : {"wte.weight", "wpe.weight", "h.", "ln_f."}) {
        const auto start = plain.starts_with(first) ? 0 : plain.find("." + first);
        if (start == std::string::npos) continue;
        const auto found = plain.substr(plain.starts_with(first) ? 0 : start + 1);
        return found.find(".lora_") == std::string::npos ? found : std::string();
    }
    return {};
}

namespace {

/// The tensor of a checkpoint for one of a model's; null: there is none.
const store::TensorView* backbone_tensor(const store::SafetensorsFile& file, const std::string& name) {
    const auto* view = store::find_gpt2_tensor(file, gpt2_name(name));
    return view != nullptr ? view : file.find(name);  // a checkpoint of this model
}

/// "model-00001-of-00002.safetensors".
bool is_shard(const std::filesystem::path& path) {
    return path.filename().string().find("-of-") != std::string::npos;
}

}  // namespace

LoadedBackbone load_backbone(const std::filesystem::path& path, const NamedTensors& tensors,
                             const ProgressFn& progress, const store::WeightDigests& openai) {
    const torch::NoGradGuard no_gradient;
    store::SafetensorsFile file(path);
    file.unwrap([&](const store::SafetensorsFile& names) {
        return static_cast<std::size_t>(std::count_if(
            tensors.begin(), tensors.end(),
            [&](const auto& tensor) { return backbone_tensor(names, tensor.name) != nullptr; }));
    });
    bool is_openai = true;
    std::int64_t done = 0;
    for (const auto& [name, tensor] : tensors) {
        const auto plain = gpt2_name(name);
        const auto* view = backbone_tensor(file, name);
        if (view == nullptr)
            throw input_error(
                path.string(), Phrase("there is no tensor %1 (nor transformer.%2)", plain, plain),
                "the weights of a GPT-2 with at least as many blocks as backbone.layers",
                is_shard(path) ? "This is one of several files: set backbone.path to their folder."
                               : "Set backbone.path to such a file, or lower backbone.layers.");
        if (tensor.sizes() != at::IntArrayRef(view->shape))
            throw input_error(
                path.string(), Phrase("tensor %1 has shape %2", view->name, store::shape_text(view->shape)),
                store::shape_text(std::span(tensor.sizes().data(), tensor.sizes().size())),
                "Set backbone.width, heads, vocabulary and positions to the checkpoint's sizes.");
        auto target = at::empty(tensor.sizes(), at::kFloat);
        store::to_floats(*view,
                         std::span(target.data_ptr<float>(), static_cast<std::size_t>(target.numel())));
        tensor.copy_(target);
        is_openai = is_openai && openai.matches(plain, *view);
        if (progress)
            progress({Stage::reading_backbone, ++done, static_cast<std::int64_t>(tensors.size()), "tensors"});
    }
    return {is_openai ? BackboneKind::openai_gpt2_small : BackboneKind::unknown_checkpoint,
            file.conversions()};
}

}  // namespace casp::model
