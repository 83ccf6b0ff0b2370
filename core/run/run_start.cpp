#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "config/experiment.h"
#include "inspect/embedding_snapshots.h"
#include "model/tensor_file.h"
#include "run/active_run.h"
#include "run/preparation.h"
#include "run/resume_checks.h"
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
        parts.advice = "The run's checkpoint of step " + std::to_string(checkpoint_step) +
                       " is intact: continue from it with a fork, which lacks the curves up to that step "
                       "(train.continue_from = \"" +
                       run.path().string() + "\", under another name or in another --out folder).";
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
        observer.on_message(
            train::MessageLevel::warning,
            "the curves up to the fork are lost: " + problem.parts().where + ": " + problem.parts().found);
        return std::nullopt;
    }
}

/// Advice for a parent folder that does not exist.
std::string moved_run_advice(const std::filesystem::path& run) {
    if (store::find_in_wastebasket(run))
        return "It is in the wastebasket: restore it there, or choose another run.";
    return "It may have been moved, renamed or removed: choose the run again.";
}

}  // namespace

void ActiveRun::continue_from_checkpoint(const std::filesystem::path& generation) {
    const auto stored = train::read_checkpoint(generation);
    auto differences =
        difference_text(config::load_text(stored.identity.config, "the checkpoint's configuration", {}).base,
                        config_, true, stored.identity.dataset_sha256);
    if (stored.identity.dataset_sha256 != identity_.dataset_sha256)
        differences += "\n  the data file's content: SHA-256 was " + stored.identity.dataset_sha256 +
                       ", is now " + identity_.dataset_sha256;
    if (stored.identity.backbone_digest != identity_.backbone_digest)
        differences += "\n  the backbone's weights";
    auto former = differences.empty() ? history_of_run(folder_, stored.state.step) : store::RunRecord();
    if (differences.empty()) check_history_fits(folder_, former, stored);
    if (differences.empty() && !train::same_split(former, data_))
        differences =
            "\n  the training rows: data.split = \"auto\" gives other rows for this file. Set data.split to "
            "the three numbers of rows, or the rule, the run was started with";
    if (!differences.empty())
        throw input_error(
            folder_.path().string(), "this run was started with other settings:" + differences, {},
            "Resume it with the settings it was started with, or start a new run under another name.");
    train::restore_checkpoint(stored, *model_.model, *optimizer_, state_);
    // A cancel revoked the request to finish early; the rest of the interrupted epoch stays skipped.
    if (former.attributes.state == store::RunState::cancelled && std::exchange(state_.ended_early, false))
        log_.on_message(train::MessageLevel::info,
                        "the run was cancelled while finishing early: training continues");
    former.steps.cut_after(state_.step);
    former.epochs.cut_after(state_.epoch - 1);
    former.anchors.cut_after(state_.snapshot_step);
    std::string moved;
    log_.change([&](store::RunRecord& record) {
        record.steps = std::move(former.steps);
        record.epochs = std::move(former.epochs);
        record.anchors = std::move(former.anchors);
        record.anchors.pool_size = model::pool_size(*model_.model);
        record.anchors.usage_test.clear();
        record.attributes.created = former.attributes.created;
        record.attributes.parent = former.attributes.parent;
        record.attributes.checkpointed = true;
        record.attributes.best_step = state_.stopping.best_step;
        moved = note_former_device(former.attributes, state_.step, record.attributes);
    });
    if (!moved.empty()) log_.on_message(train::MessageLevel::warning, moved);
    if (stored.has_best) store::hard_link_or_copy(generation / "best.safetensors", folder_.best());
    log_.on_message(train::MessageLevel::info, "continuing after step " + std::to_string(state_.step));
}

bool ActiveRun::other_batches(const train::StoredCheckpoint& stored) const {
    const auto parent = config::load_text(stored.identity.config, "the parent's configuration", {}).base;
    return stored.identity.dataset_sha256 != identity_.dataset_sha256 ||
           parent.data.split != config_.data.split || parent.data.percent != config_.data.percent ||
           parent.data_csv != config_.data_csv || parent.data.lookback != config_.data.lookback ||
           parent.data.batching != config_.data.batching ||
           parent.train.batch_size != config_.train.batch_size || parent.train.seed != config_.train.seed ||
           parent.train.shuffle != config_.train.shuffle;
}

void ActiveRun::fork_from(const std::filesystem::path& parent) {
    const store::RunFolder from(parent);
    log_.change([&](store::RunRecord& record) {
        record.attributes.parent = std::filesystem::absolute(parent).lexically_normal().string();
    });
    if (std::filesystem::is_regular_file(parent)) throw weights_are_no_run(parent);
    if (!std::filesystem::is_directory(parent))
        throw input_error("train.continue_from", "folder not found: " + parent.string(),
                          "the folder of a trained run", moved_run_advice(parent));
    std::optional<store::RunRecord> history;
    const ForkHistory read_history = [&]() -> const store::RunRecord* {
        history = history_of_parent(from, log_);
        return history ? &*history : nullptr;
    };
    // A running parent replaces its checkpoint now and then, perhaps during this read.
    constexpr int attempts = 6;
    for (int attempt = 1;; ++attempt) {
        const auto place = fork_place(from, read_history);
        if (place.from != ForkFrom::checkpoint) return fork_from_weights(from, place, std::move(history));
        const auto is_same = [&] {
            try {
                return store::current_checkpoint(from) == place.source;
            } catch (const store::DamagedCheckpoint&) {
                return false;  // just replaced: try again
            }
        };
        try {
            return fork_from_checkpoint(from, place.source);
        } catch (const store::DamagedCheckpoint& damage) {
            if (is_same()) {
                const auto left =
                    fork_place_without_checkpoint(from, read_history, damage);  // sets `history`
                return fork_from_weights(from, left, std::move(history));
            }
            if (attempt == attempts) throw checkpoint_does_not_stay(from);
        } catch (const Error&) {
            if (attempt == attempts || is_same()) throw;
        }
    }
}

/// Weights and curves of another model are no start for this one.
void ActiveRun::check_same_model(const store::RunFolder& from, const std::string& parent_config) const {
    const auto parent = config::load_text(parent_config, from.run_file().string(), {}).base;
    if (parent.model.name != config_.model.name)
        throw input_error(
            "train.continue_from",
            "the run in " + from.path().string() + " is of the model \"" + parent.model.name + "\"",
            "a run of the model \"" + config_.model.name + "\"", "Choose another run.");
}

/// Loads weights, moments, c̃ and position of a checkpoint, and the curves up to it.
void ActiveRun::fork_from_checkpoint(const store::RunFolder& from, const std::filesystem::path& generation) {
    const auto stored = train::read_checkpoint(generation);
    check_same_model(from, stored.identity.config);
    if (stored.identity.backbone_digest != identity_.backbone_digest)
        throw input_error(
            "train.continue_from",
            "the run in " + from.path().string() + " was trained on other frozen backbone weights", {},
            "Fork with the parent's [backbone] settings.");
    train::restore_checkpoint(stored, *model_.model, *optimizer_, state_);
    state_.parent_steps = state_.step;
    state_.stopping = {};
    state_.ended_early = false;
    state_.best_sha256.clear();
    auto history = history_of_parent(from, log_);
    if (history && !reaches(*history, stored.state)) {
        log_.on_message(train::MessageLevel::warning,
                        "the curves up to the fork are lost: " + from.run_file().string() +
                            " is older than the checkpoint beside it");
        history.reset();
    }
    if (history) take_history(std::move(*history), state_.step, state_.epoch - 1, state_.snapshot_step);
    if (other_batches(stored)) {
        // The parent's position within its epoch is meaningless for another order or batch size.
        state_.position = state_.epoch_items = 0;
        state_.epoch_loss = state_.epoch_seconds = 0;
    }
    log_.on_message(train::MessageLevel::info,
                    "forked from " + from.path().string() + " after step " + std::to_string(state_.step));
}

/// Loads the weights of a run without checkpoint and the curves up to them, and continues its numbering of
/// steps and epochs.
void ActiveRun::fork_from_weights(const store::RunFolder& from, const ForkPlace& place,
                                  std::optional<store::RunRecord> history) {
    if (history) check_same_model(from, history->attributes.config);
    train::restore_weights(place.source, *model_.model);
    std::string after;
    const bool finished = !history || store::is_complete(history->attributes.state);
    if (place.step > 0 && history) {
        state_.step = state_.fork_step = state_.parent_steps = state_.snapshot_step = place.step;
        state_.fork_epoch = place.epoch;
        state_.epoch = place.epoch + 1;
        take_history(std::move(*history), place.step, place.epoch, place.step);
        after = " after step " + std::to_string(place.step);
    }
    const auto why = !place.damage.empty()          ? "its checkpoint is damaged (" + place.damage + ")"
                     : store::RunLock::holder(from) ? std::string("the run has no checkpoint yet")
                     : finished                     ? std::string("a finished run has no optimiser state")
                                                    : std::string("the run no longer has a checkpoint");
    log_.on_message(train::MessageLevel::warning, "forked from the weights in " + place.source.string() +
                                                      after + "; " + why + ", so the optimiser is reset");
}

/// Copies the parent's curves up to the fork, so that both runs overlay.
void ActiveRun::take_history(store::RunRecord former, std::int64_t step, std::int64_t epoch,
                             std::int64_t snapshot) {
    former.steps.cut_after(step);
    former.epochs.cut_after(epoch);
    former.anchors.cut_after(snapshot);
    log_.change([&](store::RunRecord& record) {
        record.steps = std::move(former.steps);
        record.epochs = std::move(former.epochs);
        if (former.anchors.pool_size != record.anchors.pool_size) return;
        former.anchors.usage_test.clear();
        record.anchors = std::move(former.anchors);
        // Some snapshots without counts would not form a table.
        auto& statistic = record.anchors.coverage_statistic;
        if (!model::capabilities(config_).coverage)
            statistic.clear();
        else  // parent without coverage: unknown
            statistic.resize(record.anchors.usage_train.size(), std::numeric_limits<float>::quiet_NaN());
    });
}

/// Locks the folder and finds the checkpoint to resume from. Returns false if another process has finished
/// the run.
bool ActiveRun::take_folder() {
    folder_.create();
    lock_.emplace(folder_, lock_rule(config_));
    if (folder_content(folder_.path()) == FolderContent::complete) return false;
    checkpoint_ = find_checkpoint();
    if (!checkpoint_) check_no_checkpoint_lost(folder_);
    return true;
}

std::optional<std::filesystem::path> ActiveRun::find_checkpoint() {
    if (auto current = store::current_checkpoint(folder_)) return current;
    if (!request_.resume) return std::nullopt;
    auto found = store::find_generations(folder_).complete;
    if (found)
        log_.on_message(train::MessageLevel::warning, "last/current is lost: " + found->filename().string() +
                                                          " is the newest complete checkpoint and is used");
    return found;
}

/// Starts a new run, or one interrupted before its first checkpoint.
void ActiveRun::start_from_beginning() {
    if (request_.resume) check_started_run(folder_.path(), config_, identity_.dataset_sha256);
    if (request_.resume && std::filesystem::exists(folder_.run_file()))
        log_.on_message(train::MessageLevel::info,
                        "this run has no checkpoint yet; it starts from the beginning");
    // Files of an earlier attempt belong to other weights.
    std::error_code ignored;
    for (const auto& former : {folder_.arrays_file(), folder_.best(), folder_.initial()})
        std::filesystem::remove(former, ignored);
    inspect::EmbeddingSnapshots::remove(folder_.path());
}

void ActiveRun::start() {
    if (checkpoint_) {
        continue_from_checkpoint(*checkpoint_);
        store::adopt_generation(folder_, *checkpoint_);
    } else {
        start_from_beginning();
    }
    store::clean_checkpoints(folder_);
    touched_ = true;
    store::write_file_atomically(folder_.config(), record().attributes.config);
    write_record();
    write_status(store::RunState::running);
    if (request_.started) request_.started();
    if (config_.run.save_initial && !checkpoint_)
        model::write_tensors(folder_.initial(), train::checkpoint_tensors(config_, model_),
                             train::checkpoint_metadata(record().attributes));
    // Written at once: the parent may continue, and an interrupted fork must start from the same point again.
    if (forked_ && !checkpoint_) write_checkpoint_now();
    announce();
}

}  // namespace casp::run
