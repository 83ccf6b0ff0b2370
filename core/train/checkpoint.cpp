#include "train/checkpoint.h"

#include <utility>

#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "model/tensor_file.h"
#include "store/atomic_file.h"
#include "store/safetensors.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/json_text.h"

namespace casp::train {

namespace {

constexpr std::int64_t checkpoint_version = 1;

}  // namespace

std::vector<TrainState::Number> TrainState::numbers() {
    return {{"step", &step},
            {"epoch", &epoch, 1},
            {"position", &position},
            {"epoch_items", &epoch_items},
            {"peak_memory", &peak_memory, 0, true},
            {"snapshot_step", &snapshot_step},
            {"fork_step", &fork_step, 0, true},
            {"fork_epoch", &fork_epoch, 0, true},
            {"parent_steps", &parent_steps, 0, true},
            {"best_epoch", &stopping.best_epoch},
            {"best_step", &stopping.best_step, -1},
            {"waited", &stopping.waited}};
}

std::string write_weights(const std::filesystem::path& file, const model::Forecaster& model,
                          const model::NamedTensors& tensors,
                          const std::map<std::string, std::string>& metadata) {
    if (auto* const process = const_cast<model::Forecaster&>(model).own_process())
        return process->write_weights(file, metadata);
    return model::write_tensors(file, tensors, metadata);
}

void link_weights(const std::filesystem::path& from, const std::filesystem::path& to) {
    store::hard_link_or_copy(from, to);
    auto state = from, linked = to;
    std::error_code unknown;
    if (std::filesystem::exists(state.replace_extension(".state"), unknown))
        store::hard_link_or_copy(state, linked.replace_extension(".state"));
}

void write_checkpoint(const store::RunFolder& folder, const TrainState& state, const model::Forecaster& model,
                      const AdamW& optimizer, const CheckpointIdentity& identity,
                      const std::map<std::string, std::string>& metadata) {
    for (const auto& [name, tensor] : model.trainable())
        if (!tensor.detach().isfinite().all().item<bool>())
            throw run_error(
                Phrase("step %1", state.step), Phrase("%1 has values that are not finite", name), {},
                "The last checkpoint was taken before and is intact. Try a smaller train.learning_rate.");
    store::CheckpointWriter writer(folder, state.step);
    nlohmann::json files;
    files["model.safetensors"] =
        write_weights(writer.folder() / "model.safetensors", model, model::stored_tensors(model), metadata);
    auto moments = optimizer.moments();
    if (state.usage.defined()) moments.insert(moments.begin(), {"usage_since_snapshot", state.usage});
    const auto moments_file = writer.folder() / "optimizer.safetensors";
    auto* const process = const_cast<model::Forecaster&>(model).own_process();
    files["optimizer.safetensors"] = process != nullptr ? process->write_optimizer(moments_file)
                                                        : model::write_tensors(moments_file, moments);
    const auto note_state = [&](const char* name) {  // bytes of a model in Python
        const auto file = writer.folder() / name;
        if (std::filesystem::exists(file)) files[name] = sha256_of_file(file);
    };
    note_state("model.state");
    if (state.stopping.best_step >= 0) {
        files["best.safetensors"] = state.best_sha256;
        link_weights(folder.best(), writer.folder() / "best.safetensors");
        note_state("best.state");
    }

    // Doubles are written in the shortest form that reads back to the same bits.
    nlohmann::json json{
        {"format_version", checkpoint_version},
        {"files", files},
        {"epoch_loss", state.epoch_loss},
        {"epoch_seconds", state.epoch_seconds},
        {"seconds", state.seconds},
        {"ended_early", state.ended_early},
        {"best_sha256", state.best_sha256},
        {"optimizer_steps", optimizer.steps()},
        {"dataset_sha256", identity.dataset_sha256},
        {"backbone_digest", identity.backbone_digest},
        {"config", identity.config},
    };
    auto written = state;
    for (const auto& number : written.numbers()) json[number.name] = *number.value;
    if (state.stopping.best_step >= 0) json["best"] = state.stopping.best;
    store::write_file_atomically(writer.folder() / "state.json", json.dump(2) + "\n");
    writer.commit();
}

StoredCheckpoint read_checkpoint(const std::filesystem::path& generation) {
    const auto file = generation / "state.json";
    StoredCheckpoint stored;
    stored.folder = generation;
    stored.has_best = std::filesystem::exists(generation / "best.safetensors");
    try {
        const auto json = parse_json(store::read_checkpoint_state(generation));
        const auto version = json_integer(json.at("format_version"));
        if (version > checkpoint_version)
            throw input_error(file.string(), Phrase("checkpoint format %1", version),
                              Phrase("format %1 or older", checkpoint_version),
                              "It was written by a newer CASP Studio; continue the run with that version.");
        store::verify_generation(generation);
        auto& s = stored.state;
        auto numbers = s.numbers();
        numbers.push_back({"optimizer_steps", &stored.optimizer_steps});
        for (const auto& [name, value, lowest, may_be_missing] : numbers) {
            if (may_be_missing && !json.contains(name)) continue;
            *value = json_integer(json.at(name));
            if (*value < lowest)
                throw store::DamagedCheckpoint(file, std::string(name) + " is " + std::to_string(*value),
                                               "a count");
        }
        if (!json.contains("parent_steps")) s.parent_steps = s.fork_step;
        json.at("epoch_loss").get_to(s.epoch_loss);
        json.at("epoch_seconds").get_to(s.epoch_seconds);
        json.at("seconds").get_to(s.seconds);
        json.at("ended_early").get_to(s.ended_early);
        json.at("best_sha256").get_to(s.best_sha256);
        if (json.contains("best")) json.at("best").get_to(s.stopping.best);
        json.at("dataset_sha256").get_to(stored.identity.dataset_sha256);
        json.at("backbone_digest").get_to(stored.identity.backbone_digest);
        json.at("config").get_to(stored.identity.config);
    } catch (const nlohmann::json::exception& problem) {
        throw store::DamagedCheckpoint(file,
                                       Phrase("not a checkpoint's state: %1", beginning_of(problem.what())),
                                       "the state that CASP Studio wrote");
    }
    if (stored.state.stopping.best_step >= 0 && !stored.has_best)
        throw store::DamagedCheckpoint(generation, "best.safetensors is missing",
                                       "the weights of the best epoch beside the others");
    return stored;
}

void restore_weights(const std::filesystem::path& path, model::Forecaster& model) {
    if (auto* const process = model.own_process()) return process->read_weights(path);
    auto tensors = model::stored_tensors(model);
    const store::SafetensorsFile file(path);
    std::erase_if(tensors, [&](const model::NamedTensor& tensor) {
        return tensor.name == "coverage_statistic" && file.find(tensor.name) == nullptr;
    });
    model::read_tensors(path, tensors);
    model.weights_replaced();
}

void restore_checkpoint(const StoredCheckpoint& checkpoint, model::Forecaster& model, AdamW& optimizer,
                        TrainState& state) {
    restore_weights(checkpoint.folder / "model.safetensors", model);
    auto usage = state.usage;
    auto moments = optimizer.moments();
    if (usage.defined()) moments.push_back({"usage_since_snapshot", usage});
    const auto moments_file = checkpoint.folder / "optimizer.safetensors";
    if (auto* const process = model.own_process())
        process->read_optimizer(moments_file);
    else
        model::read_tensors(moments_file, moments);
    optimizer.set_steps(checkpoint.optimizer_steps);
    state = checkpoint.state;
    state.usage = usage;
}

}  // namespace casp::train
