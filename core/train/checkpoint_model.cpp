#include "train/checkpoint_model.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <torch/torch.h>

#include "config/python_source.h"
#include "config/text_utils.h"
#include "model/descriptor.h"
#include "model/factory.h"
#include "model/tensor_file.h"
#include "store/atomic_file.h"
#include "store/known_weights.h"
#include "store/safetensors.h"
#include "util/json_text.h"
#include "util/phrase.h"

namespace casp::train {

namespace {

/// What files of the same model carry beside its weights: the token table once more, masks of attention
/// (older versions of Transformers), constants and unused layers of public models, and our own c̃ where it is
/// switched off.
bool is_usual(std::string_view name) {
    for (const std::string_view unused :
         {"mul_season.", "map_resid.", "rev_in_season.", "rev_in_noise.", "prompt_layer_",  // TEMPO's
          "ln.", "predict_linear.", "enc_embedding.temporal_embedding."})                   // OFA's, for M4
        if (name.starts_with(unused)) return true;
    return name == "prompt_pool.wte" || name == "word_embeddings" || name == "coverage_statistic" ||
           name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias") ||
           name.ends_with(".position_embedding.pe") || name.ends_with(".num_batches_tracked");
}

std::set<std::string> names_of(const model::Forecaster& model) {
    std::set<std::string> names;
    for (const auto& tensors : {model.frozen(), model::stored_tensors(model)})
        for (const auto& tensor : tensors) names.insert(tensor.name);
    return names;
}

void unwrap_names(store::SafetensorsFile& file, const model::Forecaster& model) {
    const auto wanted = names_of(model);
    file.unwrap([&](const store::SafetensorsFile& names) {
        return static_cast<std::size_t>(std::count_if(
            wanted.begin(), wanted.end(), [&](const auto& name) { return names.find(name) != nullptr; }));
    });
}

/// Tensors that no part of the model takes may mean that the settings are not those of the file.
void report_unused_tensors(const store::SafetensorsFile& file, const std::filesystem::path& path,
                           const model::Forecaster& model, TrainObserver& observer) {
    const auto known = names_of(model);
    std::vector<std::string> unused;
    for (const auto& view : file.tensors())
        if (known.count(view.name) == 0 && !is_usual(view.name)) unused.push_back(view.name);
    if (unused.empty()) return;
    observer.on_message(MessageLevel::warning,
                        unused.size() == 1
                            ? Phrase("%1 holds %2 tensor that this model does not have; not used: %3",
                                     path.string(), unused.size(), config::listed(unused, 3))
                            : Phrase("%1 holds %2 tensors that this model does not have; not used: %3",
                                     path.string(), unused.size(), config::listed(unused, 3)));
}

/// Tensors such as FEDformer's frequencies that public checkpoints do not contain: the forecasts of such a
/// file depend on the seed here.
void report_missing_state(const store::SafetensorsFile& file, const std::filesystem::path& path,
                          const model::Forecaster& model, TrainObserver& observer) {
    std::set<const void*> found;
    for (const auto& tensor : model.state())
        if (file.find(tensor.name) != nullptr) found.insert(tensor.value.data_ptr());
    std::string missing;
    for (const auto& tensor : model.state())
        if (!is_usual(tensor.name) && found.insert(tensor.value.data_ptr()).second)
            missing += (missing.empty() ? "" : ", ") + tensor.name;
    if (!missing.empty())
        observer.on_message(MessageLevel::warning,
                            Phrase("%1 does not hold %2; those of train.seed are used, so its forecasts may "
                                   "differ from those of the program that wrote it",
                                   path.string(), missing));
}

}  // namespace

namespace {

/// Where the weights of a run are: in its folder or in last/.
std::filesystem::path folder_of_run(const std::filesystem::path& weights) {
    const auto folder = weights.parent_path();
    return std::filesystem::exists(folder / "python.json") ? folder : folder.parent_path();
}

/// Modules beside the user's file may have changed since the run.
void warn_of_other_files(const std::filesystem::path& description, const model::OwnProcess& process,
                         TrainObserver& observer) {
    try {
        const auto files_in = [](const std::string& text) { return parse_json(text).at("files"); };
        const auto now = files_in(process.info().description);
        const auto before = files_in(store::read_small_file(description));
        for (const auto& [name, digest] : before.items())
            if (!now.contains(name))
                observer.on_message(
                    MessageLevel::warning,
                    Phrase("%1, which the run imported, is not imported now: its forecasts may differ",
                           name));
            else if (now.at(name) != digest)
                observer.on_message(MessageLevel::warning,
                                    Phrase("%1 has changed since the run: its forecasts may differ", name));
    } catch (const std::exception&) {
        // A file of weights alone has no description.
    }
}

}  // namespace

SessionModel open_weights(const std::filesystem::path& path, const config::Config& wanted,
                          const model::DataShape& data, const at::Device& device, TrainObserver& observer,
                          const StopControl& stop) {
    // A run in bf16 or TF32 can be used on any machine.
    auto config = wanted;
    if (lacks_precision(config, device)) {
        observer.on_message(MessageLevel::warning,
                            Phrase("the run was trained in %1, which %2 does not support: its forecasts are "
                                   "computed in fp32 and differ slightly",
                                   config.run.precision, device.str()));
        config.run.precision = "fp32";
    }
    config = with_precision(std::move(config), device);
    const auto run = folder_of_run(path);
    if (model::capabilities(config).own_process)
        if (const auto kept = config::kept_python_source(run)) config::remember(*kept);
    store::SafetensorsFile file(path);
    SessionModel session;
    const auto holds_table = [&] {
        return std::any_of(file.tensors().begin(), file.tensors().end(),
                           [](const auto& view) { return view.name.ends_with("wte.weight"); });
    };
    if (model::capabilities(config).backbone && holds_table()) {
        session.model = model::make_model(config, data);
        session.backbone = model::load_backbone(path, session.model->frozen()).kind;
        // Frozen weights of an untrained backbone look like any unknown checkpoint; only the file itself
        // identifies them.
        const auto said = file.metadata().find("backbone");
        if (said != file.metadata().end() && said->second == to_string(model::BackboneKind::untrained))
            session.backbone = model::BackboneKind::untrained;
    } else {
        session = open_model(config, data, at::kCPU, observer, stop);
    }
    if (session.model->own_process() != nullptr) {
        warn_of_other_files(run / "python.json", *session.model->own_process(), observer);
        restore_weights(path, *session.model);
        session.precision = config.run.precision;
        return session;
    }
    unwrap_names(file, *session.model);
    if (const auto said = file.conversions(); !said.empty()) observer.on_message(MessageLevel::info, said);
    auto tensors = session.model->trainable();
    for (auto& tensor : session.model->aliases()) tensors.push_back(tensor);
    for (auto& tensor : session.model->state())
        if (file.find(tensor.name) != nullptr) tensors.push_back(tensor);
    model::read_tensors(file, tensors);
    report_missing_state(file, path, *session.model, observer);
    report_unused_tensors(file, path, *session.model, observer);
    session.model->to(device);
    session.model->weights_replaced();
    session.precision = config.run.precision;
    return session;
}

}  // namespace casp::train
