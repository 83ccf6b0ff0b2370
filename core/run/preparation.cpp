#include "run/preparation.h"

#include <algorithm>
#include <array>
#include <system_error>

#include <torch/torch.h>

#include "config/experiment.h"
#include "config/options.h"
#include "data/catalog.h"
#include "data/catalog_rules.h"
#include "data/packed_file.h"
#include "data/prepared.h"
#include "data/series_collection.h"
#include "inspect/embedding_snapshots.h"
#include "model/descriptor.h"
#include "model/gpt2_weights.h"
#include "run/folder_content.h"
#include "run/resume_checks.h"
#include "run/run.h"
#include "store/atomic_file.h"
#include "store/own_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/run_store.h"
#include "train/session.h"
#include "util/cuda_problem.h"
#include "util/device.h"
#include "util/digest.h"
#include "util/error.h"

namespace casp::run {

namespace {

/// Whether a finished run has files that should have been removed.
bool has_remains(const store::RunFolder& run) {
    if (inspect::EmbeddingSnapshots::any(run.path()) || store::has_generations(run)) return true;
    std::error_code none;
    std::filesystem::directory_iterator entries(run.last(), none);
    if (none) return false;
    bool empty = true;
    for (const std::filesystem::directory_iterator end; !none && entries != end; entries.increment(none)) {
        const auto name = entries->path().filename().string();
        if (name == "current" || (name.starts_with('.') && name.ends_with(".tmp"))) return true;
        empty = false;
    }
    return empty;
}

}  // namespace

store::ResultRow queued_row(const config::RunPlan& run) {
    store::ResultRow row;
    row.run = run.name;
    row.state = store::RunState::queued;
    row.data = data::data_name(run.config.data.path);
    model::describe_settings(run.config, row);
    store::set_swept(row, run.swept);
    return row;
}

store::LockRule lock_rule(const config::Config& config, bool makes_the_run) {
    const auto& name = config.run.lock;
    return {name == "flock"   ? store::LockKind::flock
            : name == "lease" ? store::LockKind::lease
                              : store::LockKind::automatic,
            static_cast<int>(config.run.lease_seconds), makes_the_run};
}

void mark_queued(const config::RunPlan& run) {
    if (folder_content(run.folder) != FolderContent::empty) return;
    const store::RunFolder folder(run.folder);
    const auto row = queued_row(run);
    if (const auto before = store::read_run_status(folder);
        before && before->position == run.position &&
        store::results_csv({before->row}) == store::results_csv({row}))
        return;
    folder.create();
    try {
        const store::RunLock lock(folder, lock_rule(run.config, false));
        // Another process may have been here in between.
        if (folder_content(run.folder) == FolderContent::empty)
            store::write_run_status(folder, {row, {}, {}, {}, run.position});
    } catch (const store::HeldError&) {
        // It is being started.
    }
}

void mark_failed(const config::RunPlan& run, const Phrase& message) noexcept {
    try {
        const store::RunFolder folder(run.folder);
        const auto status = store::read_run_status(folder);
        if (status && status->row.state != store::RunState::queued) return;
        // Without run.json the run may be finished: run.h5 shows its state.
        if (!status && std::filesystem::exists(folder.run_file())) return;
        folder.create();
        const store::RunLock lock(folder, lock_rule(run.config, false));
        auto row = queued_row(run);
        row.state = store::RunState::failed;
        store::write_run_status(folder, {row, message, {}, {}, run.position});
    } catch (const std::exception&) {
        // The disk may reject this, too; the original failure has been reported.
    }
}

store::ResultRow finished_row(const config::RunPlan& run) {
    const store::RunFolder folder(run.folder);
    if (auto status = store::read_run_status(folder)) return std::move(status->row);
    const auto record = store::read_run_file(folder.run_file());
    const auto& attributes = record.attributes;
    auto row = queued_row(run);
    if (const auto* known = data::find_by_digest(attributes.dataset_sha256)) row.data = known->name;
    if (attributes.dataset && !attributes.dataset->empty()) row.data = *attributes.dataset;
    store::set_record(row, record);
    store::write_run_status(folder, {row, {}, {}, attributes.created});
    return row;
}

void clear_up_finished(const std::filesystem::path& run, bool keep_last) noexcept {
    try {
        const store::RunFolder folder(run);
        if (!has_remains(folder) || store::RunLock::holder(folder)) return;
        const store::RunLock lock(folder);
        if (folder_content(run) != FolderContent::complete) return;
        inspect::EmbeddingSnapshots::remove(run);
        std::error_code none;
        const bool kept = std::filesystem::exists(folder.last_model(), none);
        store::remove_checkpoints(folder, keep_last || kept);
        std::filesystem::remove(folder.last(), none);  // fails if the folder is not empty
    } catch (const std::exception&) {
        // Another process was first, or the folder is not writable.
    }
}

std::vector<std::string> lost_files(const config::RunPlan& run) {
    const store::RunFolder folder(run.folder);
    std::vector<std::string> lost;
    if (!std::filesystem::exists(folder.best()))
        lost.push_back(
            std::filesystem::exists(folder.last_model())
                ? Phrase("%1 no longer exists: the run can not be evaluated on other data; forks start from "
                         "its last weights",
                         folder.best().string())
                : Phrase("%1 no longer exists: the run can be neither evaluated on other data nor forked",
                         folder.best().string()));
    if (!run.config.run.store_forecasts.empty() && !std::filesystem::exists(folder.arrays_file()))
        lost.push_back(Phrase("%1 no longer exists: the run's forecasts cannot be shown",
                              folder.arrays_file().string()));
    return lost;
}

namespace {

/// Attributes of run.h5; empty ones if it cannot be read.
store::RunAttributes stored_attributes(const std::filesystem::path& run) {
    try {
        return store::read_run_file(store::RunFolder(run).run_file()).attributes;
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        return {};
    }
}

/// Whether a difference of settings may change results: not of a setting that the model does not read.
bool matters(const config::Difference& difference, const config::Config& before, const config::Config& now) {
    const auto is_gpu = [](const std::string& device) { return device.starts_with("cuda"); };
    if (difference.key == "run.device" && is_gpu(before.run.device) && is_gpu(now.run.device)) return false;
    if (difference.key == "run.precision" &&
        model::product_precision(before) == model::product_precision(now))
        return false;
    const auto& option = *config::find_option(difference.key);
    return changes_results(difference.key) && (model::reads(before, option) || model::reads(now, option));
}

}  // namespace

std::optional<std::vector<std::string>> differing_settings(const std::filesystem::path& run,
                                                           const config::Config& config) {
    try {
        auto stored = store::read_settings(store::RunFolder(run));
        const auto attributes = data::needs_digest(stored) || data::needs_digest(config)
                                    ? stored_attributes(run)
                                    : store::RunAttributes();
        const auto name = attributes.dataset.value_or("");
        stored = data::with_catalog_rules(stored, attributes.dataset_sha256, name);
        const auto now = data::with_catalog_rules(config, attributes.dataset_sha256, name);
        std::vector<std::string> keys;
        for (const auto& difference : config::differences(stored, now))
            if (matters(difference, stored, now)) keys.push_back(difference.key);
        return keys;
    } catch (const Error&) {
        return {};
    }
}

bool same_settings(const std::filesystem::path& run, const config::Config& config) {
    const auto keys = differing_settings(run, config);
    return keys && keys->empty();
}

std::string difference_text(const config::Config& before, const config::Config& now, bool data_may_move,
                            std::string_view dataset_sha256) {
    const bool same_kind = (before.backbone.path == "untrained") == (now.backbone.path == "untrained");
    std::string text;
    const auto resolved_before = data::with_catalog_rules(before, dataset_sha256);
    const auto resolved_now = data::with_catalog_rules(now, dataset_sha256);
    for (const auto& d : config::differences(before, now)) {
        if (config::get(resolved_before, d.key) == config::get(resolved_now, d.key)) continue;
        if ((d.key == "data.path" && data_may_move) || (d.key == "backbone.path" && same_kind)) continue;
        if (d.key == "run.precision" && now.run.precision == "auto") continue;  // that of the run
        if (!matters(d, before, now)) continue;
        if (d.key == "python.sha256")
            text += Phrase("\n  %1, or a module beside it, has changed", now.python.file);
        text += Phrase("\n  %1 was %2, is now %3", d.key, d.a, d.b);
    }
    return text;
}

namespace {

/// Files of a queued run.
constexpr std::array<std::string_view, 5> waiting_files{"config.toml", "run.json", "marks.json", "log.txt",
                                                        ".lock"};

bool is_waiting_file(const std::string& name) {
    return name.ends_with(".tmp") ||
           std::find(waiting_files.begin(), waiting_files.end(), name) != waiting_files.end();
}

void check_no_strangers(const std::filesystem::path& folder) {
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
        const auto name = entry.path().filename().string();
        if (!is_waiting_file(name))
            throw input_error(folder.string(), Phrase("the folder contains other files (such as %1)", name),
                              "an empty or a new folder", "Choose another name for the run.");
    }
}

/// Whether there is a checkpoint or a history, which must never be removed with a queue entry.
bool holds_work(const store::RunFolder& folder) {
    std::error_code problem;
    return store::current_checkpoint(folder).has_value() ||
           std::filesystem::exists(folder.run_file(), problem);
}

/// Whether a run with other settings is queued there. One with the same settings may be from an earlier
/// session of this window.
bool waits_for_others(const config::RunPlan& run) {
    // A batch marks its runs before it writes their settings; such a run also counts as different.
    return store::read_run_status(store::RunFolder(run.folder)) && !same_settings(run.folder, run.config);
}

void check_content(const config::RunPlan& run, bool resume) {
    const auto where = run.folder.string();
    if (const auto holder = store::RunLock::holder(store::RunFolder(run.folder)))
        throw input_error(where, Phrase("this run is being written by %1", *holder), {},
                          "Wait until it ends, stop it, or choose another name.");
    switch (folder_content(run.folder)) {
        case FolderContent::complete:
            throw input_error(where, "the folder contains a finished run", {},
                              "Choose another name, or move that run to the wastebasket first.");
        case FolderContent::resumable:
        case FolderContent::started:
            if (!resume)
                throw input_error(where, "the folder contains an unfinished run", {},
                                  "Resume that run, or choose another name.");
            return;
        case FolderContent::empty:
            check_no_strangers(run.folder);
            if (!resume && waits_for_others(run))
                throw input_error(where, "the folder is queued by another window or batch", {},
                                  "Choose another name.");
    }
}

}  // namespace

std::optional<store::RunStatus> queue_in_folder(const config::RunPlan& run, bool resume) {
    check_content(run, resume);
    const store::RunFolder folder(run.folder);
    auto before = store::read_run_status(folder);
    if (before && before->row.state == store::RunState::queued) {
        // It was queued, perhaps to be resumed, when the window was closed; keep its progress.
        if (holds_work(folder))
            before->row.state = store::RunState::interrupted;
        else
            before.reset();
    }
    folder.create();
    // A resumed run keeps its settings until run::run has compared them.
    if (!before) store::write_file_atomically(folder.config(), config::to_toml(run.config));
    auto row = before ? before->row : queued_row(run);
    row.state = store::RunState::queued;
    store::write_run_status(folder, {row, {}, {}});
    return before;
}

void take_from_folder(const config::RunPlan& run, const std::optional<store::RunStatus>& before) noexcept {
    try {
        const store::RunFolder folder(run.folder);
        const auto now = store::read_run_status(folder);
        if (!now || now->row.state != store::RunState::queued || store::RunLock::holder(folder)) return;
        if (before) return store::write_run_status(folder, *before);
        if (holds_work(folder)) return;
        std::error_code problem;
        for (const auto name : waiting_files) std::filesystem::remove(folder.path() / name, problem);
        std::filesystem::remove(folder.path(), problem);                // only if it is empty
        std::filesystem::remove(folder.path().parent_path(), problem);  // likewise
    } catch (const std::exception&) {
        // The run stays in the list as queued; nothing is lost.
    }
}

void check_finished_run(const std::filesystem::path& folder, const config::Config& config,
                        const std::string& dataset_sha256) {
    const auto before = store::read_settings(store::RunFolder(folder));
    // A data set recognised by its place in the cache has a different split elsewhere.
    const bool split_by_place =
        config.data.split.rule == "auto" && data::find_by_digest(dataset_sha256) == nullptr &&
        (before.data.path.starts_with("catalog:") || config.data.path.starts_with("catalog:"));
    const bool data_may_move = !dataset_sha256.empty() && !split_by_place;
    const auto digest =
        dataset_sha256.empty()
            ? stored_attributes(folder).dataset_sha256
            : store::read_run_file(store::RunFolder(folder).run_file()).attributes.dataset_sha256;
    auto text = difference_text(before, config, data_may_move, digest);
    if (!dataset_sha256.empty() && digest != dataset_sha256) text += "\n  data.path had other values";
    if (!text.empty())
        throw input_error(folder.string(),
                          Phrase("the folder has a finished run with other settings:%1", text), {},
                          "Give the experiment another name, or another --out folder.");
}

void check_started_run(const std::filesystem::path& folder, const config::Config& config,
                       const std::string& dataset_sha256) {
    const store::RunFolder run(folder);
    /// Data of run.json and run.h5, as far as readable.
    const auto read_if_possible = [](const auto& read) -> std::optional<decltype(read())> {
        try {
            return read();
        } catch (const Error& problem) {
            if (problem.kind() != ErrorKind::input) throw;
            return std::nullopt;
        }
    };
    const auto began = read_if_possible([&] { return store::read_run_file(run.run_file()).attributes; });
    // A failure is recorded in both files. If only run.json has it, the run was rejected before its start;
    // "queued" there may be a resumed run.
    const auto status = store::read_run_status(run);
    const bool failed = began    ? began->state == store::RunState::failed
                        : status ? status->row.state == store::RunState::failed
                                 : false;
    if (failed) return;
    auto before = read_if_possible([&] { return store::read_settings(store::RunFolder(folder)); });
    if (!before && began)
        before = read_if_possible(
            [&] { return config::load_text(began->config, run.run_file().string(), {}).base; });
    const bool digest_known = began && !began->dataset_sha256.empty();
    auto text = before ? difference_text(*before, config, digest_known, began ? began->dataset_sha256 : "")
                       : std::string();
    if (digest_known && began->dataset_sha256 != dataset_sha256)
        text += Phrase("\n  the data file's content: SHA-256 was %1, is now %2", began->dataset_sha256,
                       dataset_sha256);
    if (!text.empty())
        throw input_error(folder.string(), Phrase("this run was started with other settings:%1", text), {},
                          "Resume it with the settings it was started with, or start a new run under another "
                          "name. It has no checkpoint yet, so little is lost by removing its folder.");
}

Phrase why_not_resumable(const std::filesystem::path& folder) {
    const store::RunFolder run(folder);
    try {
        if (folder_content(folder) == FolderContent::started && !store::has_generations(run))
            check_no_checkpoint_lost(run);
    } catch (const std::exception& problem) {
        return phrase_of(problem);
    }
    return {};
}

Phrase missing_backbone(const config::Config& config) {
    if (!model::reads_backbone_file(config)) return {};
    try {
        static_cast<void>(model::find_backbone_file(config.backbone.path));
    } catch (const Error& problem) {
        // Of a file in another format also how to convert it.
        const auto& parts = problem.parts();
        return parts.where == "backbone.path" ? parts.found : parts.found + ". " + parts.advice;
    } catch (const std::exception& problem) {  // the folder is not readable
        return phrase_of(problem);
    }
    return {};
}

std::string digest_of_data(const config::Config& config) {
    try {
        return data::dataset_digest(data::resolve_data_path(config.data.path), config.data.frequency);
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        return {};
    }
}

std::string device_key(const std::string& setting) {
    if (setting == "auto") return nvidia_driver_present() ? "cuda:0" : "cpu";
    return setting == "cuda" ? "cuda:0" : setting;
}

Phrase silent_device(const std::string& name) {
    try {
        const auto device = resolve_device(name);
        if (device.is_cpu()) return {};
        const auto ones = at::ones({64}, at::TensorOptions(device));
        return ones.sum().item<double>() == 64 ? "" : "a sum of 64 ones is not 64";
    } catch (const c10::Error& problem) {
        return problem.what_without_backtrace();
    } catch (const std::exception& problem) {
        return phrase_of(problem);
    }
}

}  // namespace casp::run
