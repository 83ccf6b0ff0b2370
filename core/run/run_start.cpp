// A run is continued, forked or begun.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "config/experiment.h"
#include "inspect/checkpoint_channels.h"
#include "inspect/embedding_snapshots.h"
#include "model/descriptor.h"
#include "model/tensor_file.h"
#include "run/active_run.h"
#include "run/fork.h"
#include "run/preparation.h"
#include "run/resume_checks.h"
#include "run/run_files.h"
#include "store/atomic_file.h"
#include "store/own_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/run_record.h"
#include "store/wastebasket.h"
#include "train/observer.h"
#include "util/error.h"

namespace casp::run {

namespace {

// Loading of earlier training curves (run.h5) for a resumed run or a fork. They may be lost or damaged while
// the checkpoint is intact.

/// History for resuming a run. If it cannot be read, throws an input Error that suggests a fork from the
/// intact checkpoint of step `checkpoint_step`.
store::RunRecord history_of_run(const store::RunFolder& run, std::int64_t checkpoint_step) {
    try {
        return store::read_run_file(run.run_file());
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        auto parts = problem.parts();
        // Files of a newer version, or without read permission, are not lost: their advice is kept.
        if (parts.advice != store::damaged_own_file && parts.advice != store::lost_own_file) throw;
        parts.advice = Phrase(
            "The run's checkpoint of step %1 is intact: continue from it with a fork, which lacks the curves "
            "up to that step (train.continue_from = \"%2\", under another name or in another --out folder).",
            checkpoint_step, run.path().string());
        throw Error(problem.kind(), std::move(parts));
    }
}

/// History of a fork's parent; nothing, with a warning, if it cannot be read.
std::optional<store::RunRecord> history_of_parent(const store::RunFolder& parent,
                                                  train::TrainObserver& observer) {
    try {
        return store::read_run_file(parent.run_file());
    } catch (const Error& problem) {
        if (problem.kind() != ErrorKind::input) throw;
        observer.on_message(train::MessageLevel::warning,
                            Phrase("the curves up to the fork are lost: %1: %2", problem.parts().where,
                                   problem.parts().found));
        return std::nullopt;
    }
}

/// Advice for a parent folder that does not exist.
Phrase moved_run_advice(const std::filesystem::path& run) {
    if (store::find_in_wastebasket(run))
        return "It is in the wastebasket: restore it there, or choose another run.";
    return "It may have been moved, renamed or removed: choose the run again.";
}

void continue_from_checkpoint(ActiveRun& run, const std::filesystem::path& generation) {
    const auto stored = train::read_checkpoint(generation);
    auto differences =
        difference_text(config::load_text(stored.identity.config, "the checkpoint's configuration", {}).base,
                        run.config, true, stored.identity.dataset_sha256);
    if (stored.identity.dataset_sha256 != run.identity.dataset_sha256)
        differences += Phrase("\n  the data file's content: SHA-256 was %1, is now %2",
                              stored.identity.dataset_sha256, run.identity.dataset_sha256);
    if (stored.identity.backbone_digest != run.identity.backbone_digest)
        differences += run.model.model->own_process() != nullptr
                           ? Phrase("\n  Python files beside the model's")
                           : Phrase("\n  the backbone's weights");
    auto former = differences.empty() ? history_of_run(run.folder, stored.state.step) : store::RunRecord();
    if (differences.empty()) check_history_fits(run.folder, former, stored);
    if (differences.empty() && !train::same_split(former, run.data))
        differences =
            "\n  the training rows: data.split = \"auto\" gives other rows for this file. Set data.split to "
            "the three numbers of rows, or the rule, the run was started with";
    if (!differences.empty())
        throw input_error(
            run.folder.path().string(), Phrase("this run was started with other settings:%1", differences),
            {}, "Resume it with the settings it was started with, or start a new run under another name.");
    train::restore_checkpoint(stored, *run.model.model, *run.optimizer, run.state);
    // A cancel revoked the request to finish early; the rest of the interrupted epoch stays skipped.
    if (former.attributes.state == store::RunState::cancelled && std::exchange(run.state.ended_early, false))
        run.log.on_message(train::MessageLevel::info,
                           "the run was cancelled while finishing early: training continues");
    former.steps.cut_after(run.state.step);
    former.gradients.cut_after(run.state.step);
    former.epochs.cut_after(run.state.epoch - 1);
    former.anchors.cut_after(run.state.snapshot_step);
    std::string moved;
    run.log.change([&](store::RunRecord& record) {
        record.steps = std::move(former.steps);
        record.gradients = std::move(former.gradients);
        record.epochs = std::move(former.epochs);
        record.anchors = std::move(former.anchors);
        record.anchors.pool_size = model::pool_size(*run.model.model);
        record.anchors.usage_test.clear();
        record.attributes.created = former.attributes.created;
        record.attributes.parent = former.attributes.parent;
        record.attributes.checkpointed = true;
        record.attributes.best_step = run.state.stopping.best_step;
        moved = note_former_device(former.attributes, run.state.step, record.attributes);
    });
    if (!moved.empty()) run.log.on_message(train::MessageLevel::warning, moved);
    if (stored.has_best) train::link_weights(generation / "best.safetensors", run.folder.best());
    run.log.on_message(train::MessageLevel::info, Phrase("continuing after step %1", run.state.step));
}

bool other_batches(const ActiveRun& run, const train::StoredCheckpoint& stored) {
    const auto parent = config::load_text(stored.identity.config, "the parent's configuration", {}).base;
    return stored.identity.dataset_sha256 != run.identity.dataset_sha256 ||
           parent.data.split != run.config.data.split || parent.data.percent != run.config.data.percent ||
           parent.data_csv != run.config.data_csv || parent.data.lookback != run.config.data.lookback ||
           parent.data.batching != run.config.data.batching ||
           parent.train.batch_size != run.config.train.batch_size ||
           parent.train.seed != run.config.train.seed || parent.train.shuffle != run.config.train.shuffle;
}

/// Weights and curves of another model are no start for this one.
void check_same_model(const ActiveRun& run, const store::RunFolder& from, const std::string& parent_config) {
    const auto parent = config::load_text(parent_config, from.run_file().string(), {}).base;
    if (parent.model.name != run.config.model.name)
        throw input_error(
            "train.continue_from",
            Phrase("the run in %1 is of the model \"%2\"", from.path().string(), parent.model.name),
            Phrase("a run of the model \"%1\"", run.config.model.name), "Choose another run.");
    const auto& own = run.config;
    const bool random = own.backbone.kind == "random" || parent.backbone.kind == "random";
    if (random && model::capabilities(own).backbone &&
        (parent.train.seed != own.train.seed || parent.backbone.kind != own.backbone.kind))
        throw input_error(
            "train.continue_from",
            Phrase("the run in %1 has other random weights in its backbone", from.path().string()), {},
            "They follow from train.seed: fork with the parent's seed and backbone.kind.");
}

/// Copies the parent's curves up to the fork, so that both runs overlay.
void take_history(ActiveRun& run, store::RunRecord former, std::int64_t step, std::int64_t epoch,
                  std::int64_t snapshot) {
    former.steps.cut_after(step);
    former.gradients.cut_after(step);
    former.epochs.cut_after(epoch);
    former.anchors.cut_after(snapshot);
    run.log.change([&](store::RunRecord& record) {
        record.steps = std::move(former.steps);
        record.gradients = std::move(former.gradients);
        record.epochs = std::move(former.epochs);
        if (former.anchors.pool_size != record.anchors.pool_size) return;
        former.anchors.usage_test.clear();
        record.anchors = std::move(former.anchors);
        // Some snapshots without counts would not form a table.
        auto& statistic = record.anchors.coverage_statistic;
        if (!model::capabilities(run.config).coverage)
            statistic.clear();
        else  // parent without coverage: unknown
            statistic.resize(record.anchors.usage_train.size(), std::numeric_limits<float>::quiet_NaN());
    });
}

/// Loads weights, moments, c̃ and position of a checkpoint, and the curves up to it.
void fork_from_checkpoint(ActiveRun& run, const store::RunFolder& from,
                          const std::filesystem::path& generation) {
    const auto stored = train::read_checkpoint(generation);
    check_same_model(run, from, stored.identity.config);
    if (stored.identity.backbone_digest != run.identity.backbone_digest)
        throw input_error(
            "train.continue_from",
            run.model.model->own_process() != nullptr
                ? Phrase("the run in %1 was trained by other Python files", from.path().string())
                : Phrase("the run in %1 was trained on other frozen backbone weights", from.path().string()),
            {},
            run.model.model->own_process() != nullptr
                ? Phrase("Fork with the parent's files.")
                : Phrase("Fork with the parent's [backbone] settings."));
    train::restore_checkpoint(stored, *run.model.model, *run.optimizer, run.state);
    run.state.parent_steps = run.state.step;
    run.state.stopping = {};
    run.state.ended_early = false;
    run.state.best_sha256.clear();
    auto history = history_of_parent(from, run.log);
    if (history && !reaches(*history, stored.state)) {
        run.log.on_message(
            train::MessageLevel::warning,
            Phrase("the curves up to the fork are lost: %1 is older than the checkpoint beside it",
                   from.run_file().string()));
        history.reset();
    }
    if (history)
        take_history(run, std::move(*history), run.state.step, run.state.epoch - 1, run.state.snapshot_step);
    const auto* const process = run.model.model->own_process();
    const bool fits_once = process != nullptr && process->training() == model::OwnProcess::Training::one_fit;
    if (fits_once || other_batches(run, stored)) {
        // The parent's position within its epoch is meaningless for another order or batch size, and its fit
        // for other settings.
        run.state.position = run.state.epoch_items = 0;
        run.state.epoch_loss = run.state.epoch_seconds = 0;
    }
    run.log.on_message(train::MessageLevel::info,
                       Phrase("forked from %1 after step %2", from.path().string(), run.state.step));
}

/// Loads the weights of a run without checkpoint and the curves up to them, and continues its numbering of
/// steps and epochs.
void fork_from_weights(ActiveRun& run, const store::RunFolder& from, const ForkPlace& place,
                       std::optional<store::RunRecord> history) {
    if (history) check_same_model(run, from, history->attributes.config);
    train::restore_weights(place.source, *run.model.model);
    std::string after;
    const bool finished = !history || store::is_complete(history->attributes.state);
    if (place.step > 0 && history) {
        run.state.step = run.state.fork_step = run.state.parent_steps = run.state.snapshot_step = place.step;
        run.state.fork_epoch = place.epoch;
        run.state.epoch = place.epoch + 1;
        take_history(run, std::move(*history), place.step, place.epoch, place.step);
        after = Phrase(" after step %1", place.step);
    }
    const auto why = !place.damage.empty()          ? Phrase("its checkpoint is damaged (%1)", place.damage)
                     : store::RunLock::holder(from) ? Phrase("the run has no checkpoint yet")
                     : finished                     ? Phrase("a finished run has no optimiser state")
                                                    : Phrase("the run no longer has a checkpoint");
    run.log.on_message(train::MessageLevel::warning,
                       Phrase("forked from the weights in %1; %2, so the optimiser is reset",
                              place.source.string() + after, why));
}

std::optional<std::filesystem::path> find_checkpoint(ActiveRun& run) {
    if (auto current = store::current_checkpoint(run.folder)) return current;
    if (!run.request.resume) return std::nullopt;
    auto found = store::find_generations(run.folder).complete;
    if (found)
        run.log.on_message(train::MessageLevel::warning,
                           Phrase("last/current is lost: %1 is the newest complete checkpoint and is used",
                                  found->filename().string()));
    return found;
}

/// Starts a new run, or one interrupted before its first checkpoint.
void start_from_beginning(ActiveRun& run) {
    if (run.request.resume) check_started_run(run.folder.path(), run.config, run.identity.dataset_sha256);
    if (run.request.resume && std::filesystem::exists(run.folder.run_file()))
        run.log.on_message(train::MessageLevel::info,
                           "this run has no checkpoint yet; it starts from the beginning");
    // Files of an earlier attempt belong to other weights.
    std::error_code ignored;
    for (const auto& former : {run.folder.arrays_file(), run.folder.best(), run.folder.initial()})
        std::filesystem::remove(former, ignored);
    inspect::EmbeddingSnapshots::remove(run.folder.path());
}

}  // namespace

void fork(ActiveRun& run) {
    const std::filesystem::path parent = run.config.train.continue_from;
    const store::RunFolder from(parent);
    run.log.change([&](store::RunRecord& record) {
        record.attributes.parent = std::filesystem::absolute(parent).lexically_normal().string();
    });
    if (std::filesystem::is_regular_file(parent)) throw weights_are_no_run(parent);
    if (!std::filesystem::is_directory(parent))
        throw input_error("train.continue_from", Phrase("folder not found: %1", parent.string()),
                          "the folder of a trained run", moved_run_advice(parent));
    inspect::check_channels(parent, run.config, run.data, run.log);
    std::optional<store::RunRecord> history;
    const ForkHistory read_history = [&]() -> const store::RunRecord* {
        history = history_of_parent(from, run.log);
        return history ? &*history : nullptr;
    };
    // A running parent replaces its checkpoint now and then, perhaps during this read.
    constexpr int attempts = 6;
    for (int attempt = 1;; ++attempt) {
        const auto place = fork_place(from, read_history);
        if (place.from != ForkFrom::checkpoint)
            return fork_from_weights(run, from, place, std::move(history));
        const auto is_same = [&] {
            try {
                return store::current_checkpoint(from) == place.source;
            } catch (const store::DamagedCheckpoint&) {
                return false;  // just replaced: try again
            }
        };
        try {
            return fork_from_checkpoint(run, from, place.source);
        } catch (const store::DamagedCheckpoint& damage) {
            if (is_same()) {
                const auto left =
                    fork_place_without_checkpoint(from, read_history, damage);  // sets `history`
                return fork_from_weights(run, from, left, std::move(history));
            }
            if (attempt == attempts) throw checkpoint_does_not_stay(from);
        } catch (const Error&) {
            if (attempt == attempts || is_same()) throw;
        }
    }
}

bool take_folder(ActiveRun& run) {
    run.folder.create();
    run.lock.emplace(run.folder, lock_rule(run.config));
    if (folder_content(run.folder.path()) == FolderContent::complete) return false;
    run.checkpoint = find_checkpoint(run);
    if (!run.checkpoint) check_no_checkpoint_lost(run.folder);
    return true;
}

void start(ActiveRun& run, RunFiles& files, bool forked) {
    if (run.checkpoint) {
        continue_from_checkpoint(run, *run.checkpoint);
        store::adopt_generation(run.folder, *run.checkpoint);
    } else {
        start_from_beginning(run);
    }
    store::clean_checkpoints(run.folder);
    files.begin();
    store::write_file_atomically(run.folder.config(), run.record().attributes.config);
    files.write_record();
    files.write_status(store::RunState::running);
    if (run.request.started) run.request.started();
    if (run.config.run.save_initial && !run.checkpoint)
        train::write_weights(run.folder.initial(), *run.model.model,
                             train::checkpoint_tensors(run.config, run.model),
                             train::checkpoint_metadata(run.record().attributes));
    if (auto* const process = run.model.model->own_process()) process->describe_in(run.folder.path());
    // Written at once: the parent may continue, and an interrupted fork must start from the same point again.
    if (forked && !run.checkpoint) files.write_checkpoint();
}

}  // namespace casp::run
