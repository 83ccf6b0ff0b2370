#include "inspect/checkpoint_evaluation.h"

#include <algorithm>
#include <chrono>

#include <torch/torch.h>

#include "config/experiment.h"
#include "config/presets.h"
#include "config/text_utils.h"
#include "data/catalog.h"
#include "data/file_bytes.h"
#include "inspect/checkpoint_channels.h"
#include "inspect/final_evaluation.h"
#include "model/descriptor.h"
#include "store/atomic_file.h"
#include "store/data_section.h"
#include "store/own_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/safetensors.h"
#include "store/staged_files.h"
#include "train/checkpoint_model.h"
#include "train/estimate.h"
#include "train/evaluation.h"
#include "train/session.h"
#include "util/device.h"
#include "util/error.h"
#include "util/out_of_memory.h"
#include "util/whole_path.h"

namespace casp::inspect {

namespace {

/// Whether the settings describe model and windows of a file without settings. Data set and computing options
/// do not count.
bool describe_the_model(const std::vector<std::string>& sets) {
    return std::any_of(sets.begin(), sets.end(), [](const std::string& set) {
        const auto key = set.substr(0, set.find('='));
        return key == "preset" || key.starts_with("model.") || key.starts_with("backbone.") ||
               (key.starts_with("data.") && key != "data.path" && !key.starts_with("data.csv."));
    });
}

/// The settings stored in a .safetensors file; "" if it has none and `sets` replace them.
std::string settings_in(const std::filesystem::path& path, const std::vector<std::string>& sets) {
    const store::SafetensorsFile file(path);
    if (const auto found = file.metadata().find("config"); found != file.metadata().end())
        return found->second;
    if (!describe_the_model(sets))
        throw input_error(path.string(), "it carries no settings: its metadata have no \"config\"",
                          "a checkpoint that CASP Studio wrote",
                          "For other checkpoints, pass the training settings: --set data.lookback=…, --set "
                          "data.horizon=… and whatever else is not the default (--list-options, "
                          "--list-presets).");
    return {};
}

struct Checkpoint {
    std::filesystem::path file;
    std::string name;  ///< for folders and tables
    config::Config config;
};

/// SHA-256 of a data file; "" if it cannot be read, which is reported when it is opened.
std::string digest_of_file_at(const std::string& data) {
    try {
        return data.empty() ? std::string() : data::content_digest(data::resolve_data_path(data));
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        return {};
    }
}

/// SHA-256 of the data of a run folder; "" if it has no readable run.h5.
std::string digest_of_run(const std::filesystem::path& checkpoint) {
    const auto record = std::filesystem::is_directory(checkpoint) ? record_of(checkpoint) : std::nullopt;
    return record ? record->attributes.dataset_sha256 : std::string();
}

/// Whether the file to evaluate on is the data set of the checkpoint's settings, perhaps under another name.
bool is_own_data(const EvaluationRequest& request, const std::string& own) {
    if (request.data == own) return true;
    const auto digest = digest_of_file_at(request.data);
    if (digest.empty()) return false;
    const auto of_run = digest_of_run(request.checkpoint);
    return digest == (of_run.empty() ? digest_of_file_at(own) : of_run);
}

/// Split and batching back to "auto" where they are the preset's: those are of the preset's data set only.
std::vector<std::string> sets_for_other_data(const config::Config& config) {
    if (config.preset.empty()) return {};
    const auto preset = config::load_text(config::preset_text(config.preset), config.preset, {}).base;
    std::vector<std::string> sets;
    if (config.data.split == preset.data.split) sets.emplace_back("data.split=auto");
    if (config.data.batching == preset.data.batching) sets.emplace_back("data.batching=auto");
    return sets;
}

Checkpoint find_checkpoint(const EvaluationRequest& request) {
    const auto [file, name, text, where] = read_checkpoint_settings(request.checkpoint, request.sets);
    Checkpoint c{file, name, {}};
    c.config = config::load_text(text, where, {}, request.sets).base;
    if (!request.data.empty()) {
        auto sets = sets_for_other_data(c.config);
        if (!sets.empty() && is_own_data(request, c.config.data.path)) sets.clear();
        sets.insert(sets.end(), request.sets.begin(), request.sets.end());  // later ones win
        sets.push_back("data.path=" + config::in_quotes(request.data));
        c.config = config::load_text(text, where, {}, sets).base;
    }
    if (c.config.data.path.empty())
        throw input_error("data.path", "no data set was given", "a data set to evaluate on",
                          "Add --data FILE.csv.");
    return c;
}

/// Whether the folder is unused, or has an earlier or interrupted result of the same evaluation.
bool may_hold(const store::RunFolder& folder, const store::RunAttributes& wanted) {
    // Complete a partly replaced result first: acquiring the lock does.
    if (store::is_replacing(folder)) {
        const store::RunLock finished(folder);
    }
    if (!store::read_run_status(folder) && !std::filesystem::exists(folder.run_file())) return true;
    try {
        const auto there = store::read_run_file(folder.run_file()).attributes;
        if (there.parent != wanted.parent || there.dataset_sha256 != wanted.dataset_sha256) return false;
        if (there.config == wanted.config) return true;
        // An older version wrote fewer keys: those that are missing are defaults.
        const auto read = [&](const std::string& text) {
            return config::load_text(text, folder.run_file().string(), {}).base;
        };
        return read(there.config) == read(wanted.config);
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        return false;  // an unrelated folder is never replaced
    }
}

/// evaluations/<checkpoint>_<data>, with -2, -3 ... if that is the evaluation of another checkpoint, file or
/// split: file names repeat, and results must not be lost.
store::RunFolder evaluation_folder(const std::filesystem::path& out, const std::string& name,
                                   const store::RunAttributes& wanted) {
    for (int number = 1;; ++number) {
        store::RunFolder folder(out / "evaluations" /
                                (number == 1 ? name : name + "-" + std::to_string(number)));
        if (may_hold(folder, wanted)) return folder;
    }
}

/// Progress of an evaluation, for advice if memory runs out.
struct Reached {
    std::string device = "cpu";
    std::int64_t windows_at_once = 0;  ///< windows computed at once; 0: none computed yet
};

std::int64_t windows_at_once(const config::Config& config, const train::SessionData& data) {
    const auto channels = data.test->channels();
    const auto most = std::max(data.val->windows(), data.test->windows());
    return std::min(most, std::max<std::int64_t>(1, train::evaluation_rows(config, channels) / channels));
}

/// `fitting`: number of windows per batch that may fit; negative: not even the model.
Phrase advice_on_batches(const Reached& reached, std::int64_t fitting) {
    if (fitting > 0)
        return Phrase(
            "Set train.batch_size to %1 or less (--set train.batch_size=%2), the number of windows computed "
            "at once; it was %3. Results differ at most by rounding.",
            fitting, fitting, reached.windows_at_once);
    const Phrase elsewhere = reached.device == "cpu"
                                 ? Phrase("Close other programs, raise the memory limit of this one")
                                 : Phrase("Free memory on %1, add --set run.device=cpu", reached.device);
    return reached.windows_at_once > 0 && fitting == 0
               ? Phrase("Even one window does not fit. %1, or use a machine with more memory.", elsewhere)
               : Phrase("Data and model alone do not fit. %1, or use a machine with more memory.", elsewhere);
}

/// Checked before the weights are read.
void check_memory(const config::Config& config, const train::SessionData& data, const c10::Device& device) {
    const Reached wanted{device.str(), windows_at_once(config, data)};
    const auto channels = data.test->channels();
    train::check_evaluation_memory(model::estimate(config, {.rows = channels, .channels = channels}),
                                   wanted.windows_at_once, channels, device_memory(device).available,
                                   [&](std::int64_t fitting) { return advice_on_batches(wanted, fitting); });
}

store::ResultRow evaluate_as_far_as(Reached& reached, const EvaluationRequest& request,
                                    train::TrainObserver& observer, train::StopControl& stop) {
    const auto begin = std::chrono::steady_clock::now();
    const auto checkpoint = find_checkpoint(request);
    const auto& config = checkpoint.config;
    train::use_threads(config);
    const auto device = train::device_of(config);
    reached.device = device.str();
    const auto data = train::open_data(config, device, observer, stop);
    check_channels(request.checkpoint, config, data, observer);
    check_memory(config, data, device);
    auto model = train::open_weights(checkpoint.file, config, train::shape_of(data), device, observer, stop);

    train::RunLog log(observer);
    const auto& record = log.record();
    log.change([&](store::RunRecord& made) {
        made.attributes = train::describe_run(config, data, model, device);
        made.attributes.parent = whole_path(request.checkpoint).string();
        made.attributes.state = store::RunState::finished;
        made.anchors.pool_size = model::pool_size(*model.model);
        made.data = store::data_section(*data.prepared);
    });

    const auto folder =
        evaluation_folder(request.out, checkpoint.name + "_" + data.prepared->name, record.attributes);
    const store::LockedFolder lock(folder);
    // Results of an earlier evaluation are kept if this one fails or is stopped.
    store::StagedFiles staged(folder);
    const store::RunFolder fresh(staged.folder());
    reached.windows_at_once = windows_at_once(config, data);
    evaluate_and_store(config, data, *model.model, fresh.path(), log, stop);
    store::write_file_atomically(fresh.config(), record.attributes.config);
    store::write_run_file(fresh.path(), record);

    store::ResultRow row;
    row.run = folder.path().filename().string();
    row.state = store::RunState::finished;
    row.data = data::name_in_tables(*data.prepared, config);
    model::describe_settings(config, row);
    store::set_values(row, record);
    row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    store::write_run_status(fresh, {row, {}, {}});
    staged.commit();
    return row;
}

}  // namespace

CheckpointSettings read_checkpoint_settings(const std::filesystem::path& checkpoint,
                                            const std::vector<std::string>& sets) {
    CheckpointSettings c;
    if (std::filesystem::is_directory(checkpoint)) {
        const store::RunFolder folder(checkpoint);
        c.file = folder.best();
        if (!std::filesystem::exists(c.file))
            throw input_error(checkpoint.string(), "best.safetensors is missing",
                              "the folder of a run that was trained",
                              "Give the folder of another run, or a .safetensors file.");
        const auto run = whole_path(checkpoint);
        c.name = run.parent_path().filename().string() + "-" + run.filename().string();
        c.where = folder.config().string();
        try {
            c.text = store::read_small_file(folder.config());
        } catch (const Error& problem) {
            throw store::about_own_file(
                problem, folder.config(),
                "Give the run's best.safetensors instead of its folder: it contains the "
                "settings.");
        }
    } else {
        c.file = checkpoint;
        c.name = c.file.stem().string();
        c.where = Phrase("%1 (its configuration)", c.file.string());
        c.text = settings_in(c.file, sets);
    }
    return c;
}

store::ResultRow evaluate_checkpoint(const EvaluationRequest& request, train::TrainObserver& observer,
                                     train::StopControl& stop) {
    Reached reached;
    return explaining_memory(
        "the evaluation", [&] { return evaluate_as_far_as(reached, request, observer, stop); },
        // The attempted batch is too large, so advise less.
        [&] { return advice_on_batches(reached, reached.windows_at_once / 2); });
}

}  // namespace casp::inspect
