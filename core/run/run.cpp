#include "run/run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <tuple>

#include <torch/torch.h>

#include "config/experiment.h"
#include "data/packed_file.h"
#include "inspect/embedding_snapshots.h"
#include "inspect/final_evaluation.h"
#include "inspect/probe.h"
#include "model/descriptor.h"
#include "model/tensor_file.h"
#include "run/control_watch.h"
#include "run/fork.h"
#include "run/former_history.h"
#include "run/preparation.h"
#include "run/resume_checks.h"
#include "run/run_log.h"
#include "store/atomic_file.h"
#include "store/data_section.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/wastebasket.h"
#include "train/device_queue.h"
#include "train/session.h"
#include "train/trainer.h"
#include "util/device.h"
#include "util/error.h"
#include "util/out_of_memory.h"
#include "util/units.h"

namespace casp::run {

namespace {

using Clock = std::chrono::steady_clock;
constexpr double first_record_seconds = 1, record_interval_seconds = 30;

/// Advice for a parent folder that does not exist.
std::string moved_run_advice(const std::filesystem::path& run) {
    if (store::find_in_wastebasket(run))
        return "It is in the wastebasket: restore it there, or choose another run.";
    return "It may have been moved, renamed or removed: choose the run again.";
}

/// A run in progress: owns all components and writes all files.
class ActiveRun {
public:
    ActiveRun(const RunRequest& request, train::TrainObserver& observer, train::StopControl& stop)
        : request_(request),
          config_(request.config),
          folder_(request.folder),
          log_(observer),
          observer_(log_),
          stop_(stop) {}

    store::ResultRow go();
    /// In a process that is not the first one.
    void follow(train::ProcessGroup& group);

private:
    bool take_folder();
    void settle_precision();
    [[nodiscard]] std::optional<std::filesystem::path> find_checkpoint();
    void open();
    void open_data();
    void use_gpu_with_room(std::int64_t bytes);
    void check_same_files() const;
    void start();
    void start_from_beginning();
    void train_and_evaluate();
    void continue_from_checkpoint(const std::filesystem::path& generation);
    void fork_from(const std::filesystem::path& parent);
    void check_same_model(const store::RunFolder& from, const std::string& parent_config) const;
    void fork_from_checkpoint(const store::RunFolder& from, const std::filesystem::path& generation);
    void fork_from_weights(const store::RunFolder& from, const ForkPlace& place,
                           std::optional<store::RunRecord> history);
    void take_history(store::RunRecord former, std::int64_t step, std::int64_t epoch, std::int64_t snapshot);
    [[nodiscard]] bool other_batches(const train::StoredCheckpoint& stored) const;
    [[nodiscard]] std::string smaller_batch_advice() const;
    void announce();
    [[nodiscard]] std::int64_t processes() const { return group_ != nullptr ? group_->size() : 1; }
    /// Windows of a batch that this process computes, at most.
    [[nodiscard]] std::int64_t windows_here() const {
        return (std::min(config_.train.batch_size, data_.train->size()) + processes() - 1) / processes();
    }
    void write_status(store::RunState state, const std::string& message = {});
    void note_failure(const std::string& message);
    void check_ours() const;
    void write_record();
    void write_record_if_due();
    void write_checkpoint_now();
    [[nodiscard]] std::string last_good_checkpoint() const;
    void save_best(const train::Evaluation& validation);
    void finish(train::TrainingEnd end);
    [[nodiscard]] store::ResultRow row(store::RunState state) const;

    const RunRequest& request_;
    config::Config config_;  ///< of the request, run.precision settled
    store::RunFolder folder_;
    RunLog log_;
    train::TrainObserver& observer_;
    train::StopControl& stop_;

    std::optional<store::RunLock> lock_;
    std::optional<std::filesystem::path> checkpoint_;  ///< to resume from
    bool forked_ = false;
    std::unique_ptr<train::ProcessGroup> own_group_;  ///< of the first process
    train::ProcessGroup* group_ = nullptr;            ///< processes that train together; null: one
    at::Device device_{at::kCPU};
    train::SessionData data_;
    train::SessionModel model_;
    std::optional<train::AdamW> optimizer_;
    train::TrainState state_;
    store::RunRecord record_;
    train::CheckpointIdentity identity_;
    model::Estimate estimate_;
    std::optional<train::Evaluation> best_validation_;  ///< if the best epoch was in this process
    std::tuple<std::int64_t, std::int64_t, std::int64_t, bool> last_checkpoint_{-1, 0, 0, false};
    Clock::time_point begun_ = Clock::now(), last_record_{};
    bool touched_ = false;  ///< files of this start exist: failures are recorded in run.json
    std::optional<train::DeviceQueue> queue_;  ///< the last member: destroyed before the tensors
};

store::ResultRow ActiveRun::row(store::RunState state) const {
    store::ResultRow r;
    r.run = request_.name;
    r.state = state;
    r.data = data_.prepared->name.empty() ? data::data_name(config_.data.path)
                                          : data::name_in_tables(*data_.prepared, config_);
    model::describe_settings(config_, r);
    r.epochs = static_cast<std::int64_t>(record_.epochs.epoch.size());
    store::set_metrics(r, record_);
    if (state_.stopping.best_step >= 0) {
        r.best_epoch = state_.stopping.best_epoch;
        const auto& epochs = record_.epochs.epoch;
        const auto best = std::find(epochs.begin(), epochs.end(), r.best_epoch);
        if (best != epochs.end()) {
            const auto i = static_cast<std::size_t>(best - epochs.begin());
            r.val_mse = record_.epochs.val_mse[i];
            if (i < record_.epochs.val_smape.size()) r.val_smape = record_.epochs.val_smape[i];
        }
    }
    r.steps = state_.step;
    r.seconds = state_.seconds;
    if (state_.peak_memory > 0) r.peak_memory = state_.peak_memory;
    r.backbone = record_.attributes.backbone;
    r.precision = record_.attributes.precision;
    store::set_swept(r, request_.swept);
    return r;
}

void ActiveRun::write_status(store::RunState state, const std::string& message) {
    record_.attributes.state = state;
    check_ours();
    store::write_run_status(folder_, {row(state), message, {}, {}, request_.position});
}

void ActiveRun::note_failure(const std::string& message) {
    if (!touched_) return;
    try {
        write_status(store::RunState::failed, message);
        write_record();
    } catch (const std::exception&) {
        // The disk may reject this, too; report the original failure.
    }
}

/// Before every write: a machine that was suspended may have lost its lease.
void ActiveRun::check_ours() const {
    if (lock_) lock_->check_ours();
}

void ActiveRun::write_record() {
    check_ours();
    store::write_run_file(folder_.path(), record_);
    last_record_ = Clock::now();
}

void ActiveRun::write_record_if_due() {
    // Early curves are short and quickly written: a kill in the first minute must not take them.
    const auto now = Clock::now();
    const double age = std::chrono::duration<double>(now - begun_).count();
    const double interval = std::clamp(age / 2, first_record_seconds, record_interval_seconds);
    if (std::chrono::duration<double>(now - last_record_).count() < interval) return;
    write_record();
    write_status(store::RunState::running);
}

void ActiveRun::write_checkpoint_now() {
    // History first: a resume cuts it back to the checkpoint, so it must reach at least that far.
    write_record();
    const auto place = std::make_tuple(state_.step, state_.epoch, state_.position, state_.ended_early);
    if (place == last_checkpoint_) return;  // a stop directly after a checkpoint
    train::write_checkpoint(folder_, state_, *model_.model, *optimizer_, identity_,
                            train::checkpoint_metadata(record_.attributes));
    last_checkpoint_ = place;
    if (record_.attributes.checkpointed.value_or(false)) return;
    // Recorded afterwards: a kill in between leaves a checkpoint without the record, never the reverse.
    record_.attributes.checkpointed = true;
    write_record();
}

std::string ActiveRun::last_good_checkpoint() const {
    const auto generation = store::current_checkpoint(folder_);
    if (!generation) return "No checkpoint was written yet.";
    return "The last good checkpoint is " + generation->string() + "; it is intact.";
}

void ActiveRun::save_best(const train::Evaluation& validation) {
    check_ours();
    best_validation_ = validation;
    state_.best_sha256 = model::write_tensors(folder_.best(), train::checkpoint_tensors(config_, model_),
                                              train::checkpoint_metadata(record_.attributes));
    // run.h5 records the step of these weights; forks and views rely on it.
    last_record_ = {};
}

std::string ActiveRun::smaller_batch_advice() const {
    // The estimate accepted this batch, so only a smaller one can fit.
    const auto tried =
        data_.train ? std::min(config_.train.batch_size, data_.train->size()) : config_.train.batch_size;
    if (tried < 2) return "Even one window does not fit: choose a smaller backbone or pool.";
    return "Set train.batch_size to " + std::to_string(tried / 2) + " or less; about " +
           std::to_string((estimate_.bytes_per_row >> 20) + 1) + " MiB are needed per window and channel." +
           (request_.shared != nullptr ? " Or set run.together to fewer runs." : "");
}

/// The precision of a run never changes: "auto" is what the run has so far, or what this device computes
/// fastest.
void ActiveRun::settle_precision() {
    if (config_.run.precision == "auto" && checkpoint_ && std::filesystem::exists(folder_.run_file()))
        config_.run.precision = store::read_run_file(folder_.run_file()).attributes.precision;
    const auto device = resolve_device(config_.run.device);
    if (checkpoint_ && train::lacks_precision(config_, device))
        throw input_error(
            folder_.path().string(),
            "the run was trained in " + config_.run.precision + ", which " + device.str() +
                " does not support",
            {},
            "Resume it on a device that does, or continue from it in another precision with a fork "
            "(train.continue_from).");
    config_ = train::with_precision(std::move(config_), device);
}

void ActiveRun::open() {
    train::use_threads(config_, group_ != nullptr ? group_->sharing_processors() : 1);
    device_ = resolve_device(config_.run.device);
    if (group_ != nullptr && device_.is_cuda() && !config_.run.device.starts_with("cuda:"))
        device_ = resolve_device("cuda:" +
                                 std::to_string(group_->place_on_machine() % torch::cuda::device_count()));
    if (const auto& wanted = request_.config.run.precision;
        wanted != "auto" && wanted != config_.run.precision)
        observer_.on_message(train::MessageLevel::info, std::string(model::descriptor(config_).title) +
                                                            " has no products in " + wanted +
                                                            ": it computes in " + config_.run.precision);
    if (group_ == nullptr && config_.run.processes > 1 && model::capabilities(config_).trains)
        observer_.on_message(train::MessageLevel::warning,
                             "run.processes is for --batch: this run trains in one process");
    queue_.emplace(device_);
    // peak_memory shall not include what an earlier run has left; together there is only the process's.
    if (request_.shared == nullptr) release_reserved_memory(device_);
    if (config_.run.device == "auto" && device_.is_cpu())
        if (const auto problem = cuda_problem(); !problem.empty())
            observer_.on_message(
                train::MessageLevel::warning,
                "this machine has an NVIDIA GPU, but the run uses the processor: " + problem);
    open_data();
    const auto shape = train::shape_of(data_);
    const auto channels = shape.channels;
    const auto windows = windows_here();
    estimate_ = model::estimate(
        config_, {.rows = windows * channels, .channels = shape.channels, .on_gpu = !device_.is_cpu()});
    use_gpu_with_room(estimate_.step_bytes(windows * channels));
    if (request_.room) request_.room(estimate_.step_bytes(windows * channels), device_.str());
    const auto others = train::check_memory(estimate_, windows, channels, device_);
    // Processes of one run may share a GPU.
    if (!others.empty() && group_ == nullptr) observer_.on_message(train::MessageLevel::info, others);
    explaining_memory(
        "putting the model on " + device_.str(),
        [&] {
            model_ = train::open_model(config_, shape, device_, observer_, stop_, request_.shared);
            optimizer_ = train::make_optimizer(config_, model_.model->trainable());
        },
        [] { return std::string("Choose a smaller backbone or pool, or close other programs."); });
    optimizer_->use_constant_rates(*model_.model);
    if (const auto pool = model::pool_size(*model_.model); pool > 0)
        state_.usage = at::zeros({pool}, at::TensorOptions(at::kLong).device(device_));

    record_.attributes = train::describe_run(config_, data_, model_, device_);
    record_.anchors.pool_size = model::pool_size(*model_.model);
    record_.data = store::data_section(*data_.prepared);
    identity_ = {data_.prepared->table.sha256, model_.frozen_digest, record_.attributes.config};
    if (group_ == nullptr) return;
    check_same_files();
    if (const auto slower = group_->use_device(device_); !slower.empty())
        observer_.on_message(train::MessageLevel::warning, slower);
}

void ActiveRun::open_data() {
    data_ = explaining_memory(
        "putting the data on " + device_.str(),
        [&] { return train::open_data(config_, device_, observer_, stop_, request_.shared); },
        [] { return std::string("Use fewer channels (data.columns), or close other programs."); });
}

/// "auto" is the first GPU, which others may use while another one is free.
void ActiveRun::use_gpu_with_room(std::int64_t bytes) {
    const auto free = device_memory(device_).available;
    if (config_.run.device != "auto" || group_ != nullptr || free == 0 || free >= bytes) return;
    const auto other = gpu_with_room(device_, bytes);
    if (!other) return;
    observer_.on_message(train::MessageLevel::info, "a step needs about " + bytes_text(bytes) + ", and " +
                                                        bytes_text(free) + " are free on " + device_.str() +
                                                        ": the run uses " + other->str());
    device_ = *other;
    queue_.emplace(device_);
    open_data();
}

/// Processes on several machines may read different files of the same name.
void ActiveRun::check_same_files() const {
    const auto key = static_cast<std::int64_t>(
        std::hash<std::string>{}(identity_.dataset_sha256 + identity_.backbone_digest) >> 1);
    if (group_->largest(key) == -group_->largest(-key)) return;
    throw run_error("run.processes", "the data file or the backbone is not the same for all processes", {},
                    "Put them in a folder that all machines share, or copy them again.");
}

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
        observer_.on_message(train::MessageLevel::info,
                             "the run was cancelled while finishing early: training continues");
    former.steps.cut_after(state_.step);
    former.epochs.cut_after(state_.epoch - 1);
    former.anchors.cut_after(state_.snapshot_step);
    record_.steps = std::move(former.steps);
    record_.epochs = std::move(former.epochs);
    record_.anchors = std::move(former.anchors);
    record_.anchors.pool_size = model::pool_size(*model_.model);
    record_.anchors.usage_test.clear();
    record_.attributes.created = former.attributes.created;
    record_.attributes.parent = former.attributes.parent;
    record_.attributes.checkpointed = true;
    if (const auto moved = note_former_device(former.attributes, state_.step, record_.attributes);
        !moved.empty())
        observer_.on_message(train::MessageLevel::warning, moved);
    record_.attributes.best_step = state_.stopping.best_step;
    if (stored.has_best) store::hard_link_or_copy(generation / "best.safetensors", folder_.best());
    observer_.on_message(train::MessageLevel::info, "continuing after step " + std::to_string(state_.step));
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
    record_.attributes.parent = std::filesystem::absolute(parent).lexically_normal().string();
    if (std::filesystem::is_regular_file(parent)) throw weights_are_no_run(parent);
    if (!std::filesystem::is_directory(parent))
        throw input_error("train.continue_from", "folder not found: " + parent.string(),
                          "the folder of a trained run", moved_run_advice(parent));
    std::optional<store::RunRecord> history;
    const ForkHistory read_history = [&]() -> const store::RunRecord* {
        history = history_of_parent(from, observer_);
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
    auto history = history_of_parent(from, observer_);
    if (history && !reaches(*history, stored.state)) {
        observer_.on_message(train::MessageLevel::warning,
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
    observer_.on_message(train::MessageLevel::info, "forked from " + from.path().string() + " after step " +
                                                        std::to_string(state_.step));
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
    observer_.on_message(train::MessageLevel::warning, "forked from the weights in " + place.source.string() +
                                                           after + "; " + why +
                                                           ", so the optimiser is reset");
}

/// Copies the parent's curves up to the fork, so that both runs overlay.
void ActiveRun::take_history(store::RunRecord former, std::int64_t step, std::int64_t epoch,
                             std::int64_t snapshot) {
    former.steps.cut_after(step);
    former.epochs.cut_after(epoch);
    former.anchors.cut_after(snapshot);
    record_.steps = std::move(former.steps);
    record_.epochs = std::move(former.epochs);
    if (former.anchors.pool_size != record_.anchors.pool_size) return;
    former.anchors.usage_test.clear();
    record_.anchors = std::move(former.anchors);
    // Some snapshots without counts would not form a table.
    auto& statistic = record_.anchors.coverage_statistic;
    if (!model::capabilities(config_).coverage)
        statistic.clear();
    else  // parent without coverage: unknown
        statistic.resize(record_.anchors.usage_train.size(), std::numeric_limits<float>::quiet_NaN());
}

void ActiveRun::announce() {
    train::RunStarted s;
    s.folder = folder_.path();
    s.data = data::name_in_tables(*data_.prepared, config_);
    s.backbone = record_.attributes.backbone;
    s.device = record_.attributes.device;
    s.hardware = record_.attributes.hardware;
    s.parameters_total = record_.attributes.parameters_total;
    s.parameters_trainable = record_.attributes.parameters_trainable;
    s.train_windows = data_.train->windows();
    s.val_windows = data_.val->windows();
    s.test_windows = data_.test->windows();
    s.collection = data_.prepared->collection != nullptr;
    s.channels = data_.train->channels();
    s.single_channel = data_.prepared->single_channel;
    const bool trains = model::capabilities(config_).trains;
    s.steps_per_epoch =
        trains ? (data_.train->size() + config_.train.batch_size - 1) / config_.train.batch_size : 0;
    s.first_step = state_.step;
    s.parent_steps = state_.parent_steps;
    s.epoch = state_.epoch;
    s.last_step = train::last_step(config_, state_, s.steps_per_epoch);
    s.epochs = state_.fork_epoch + (trains ? config_.train.epochs : 1);
    s.precision = model_.precision;
    const auto rows = windows_here() * (s.single_channel ? 1 : s.channels);
    s.estimated_bytes = estimate_.step_bytes(rows);
    const double flop = estimate_.step_flop * static_cast<double>(s.steps_per_epoch) +
                        estimate_.evaluation_flop_per_row * static_cast<double>(s.val_windows * s.channels);
    s.estimated_epoch_seconds =
        flop / (static_cast<double>(processes()) *
                train::measured_training_rate(config_, config_.train.batch_size, device_));
    observer_.on_started(s);
}

void ActiveRun::finish(train::TrainingEnd end) {
    const auto begin = Clock::now();
    const double held_before = stop_.held_seconds();
    // best.safetensors, which contains all tensors, rather than the last weights.
    model::read_tensors(folder_.best(), model::stored_tensors(*model_.model));
    model_.model->weights_replaced();
    explaining_memory(
        "the evaluation",
        [&] {
            inspect::evaluate_and_store(config_, data_, *model_.model, folder_.path(), record_, observer_,
                                        stop_, best_validation_ ? &*best_validation_ : nullptr);
        },
        [&] {
            return last_good_checkpoint() + " " +
                   train::evaluation_memory_advice(config_, data_.test->channels());
        });
    state_.seconds +=
        std::chrono::duration<double>(Clock::now() - begin).count() - (stop_.held_seconds() - held_before);
    const auto state = end == train::TrainingEnd::finished_early ? store::RunState::finished_early
                                                                 : store::RunState::finished;
    record_.attributes.state = state;
    record_.attributes.best_sha256 = state_.best_sha256;
    write_record();
    write_status(state);
    inspect::EmbeddingSnapshots::remove(folder_.path());
    store::remove_checkpoints(folder_, config_.run.keep_last);
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
        observer_.on_message(train::MessageLevel::warning,
                             "last/current is lost: " + found->filename().string() +
                                 " is the newest complete checkpoint and is used");
    return found;
}

/// Starts a new run, or one interrupted before its first checkpoint.
void ActiveRun::start_from_beginning() {
    if (request_.resume) check_started_run(folder_.path(), config_, identity_.dataset_sha256);
    if (request_.resume && std::filesystem::exists(folder_.run_file()))
        observer_.on_message(train::MessageLevel::info,
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
    store::write_file_atomically(folder_.config(), record_.attributes.config);
    write_record();
    write_status(store::RunState::running);
    if (request_.started) request_.started();
    if (config_.run.save_initial && !checkpoint_)
        model::write_tensors(folder_.initial(), train::checkpoint_tensors(config_, model_),
                             train::checkpoint_metadata(record_.attributes));
    // Written at once: the parent may continue, and an interrupted fork must start from the same point again.
    if (forked_ && !checkpoint_) write_checkpoint_now();
    announce();
}

void ActiveRun::train_and_evaluate() {
    train::TrainerHooks hooks{[&](const train::Evaluation& validation) { save_best(validation); },
                              [&] { write_checkpoint_now(); }, [&] { write_record_if_due(); },
                              [&] { return last_good_checkpoint(); }};
    const auto rows = train::evaluation_rows(config_, data_.val->channels());
    std::optional<inspect::EmbeddingSnapshots> embeddings;
    if (config_.run.store_embeddings) {
        embeddings.emplace(folder_.path(), *model_.model, *data_.val, rows);
        hooks.snapshot = [&] {
            explaining_memory(
                "the embeddings of a snapshot", [&] { embeddings->take(state_.step); },
                [] { return std::string("Set run.store_embeddings to false."); });
        };
    }
    inspect::LiveProbes probes(*model_.model, *data_.val, rows, observer_);
    hooks.probe_due = [&](train::ProbeTime time) { return probes.is_due(time); };
    hooks.probe = [&](std::shared_ptr<const train::AnchorSnapshot> anchors) {
        probes.take(state_.step, std::move(anchors));
    };
    train::Trainer trainer(config_, *model_.model, *optimizer_, *data_.train, *data_.val, state_, record_,
                           observer_, stop_, std::move(hooks), group_);
    const auto end = trainer.run();
    group_ = nullptr;
    own_group_.reset();  // the others wait for the next run meanwhile
    auto stopped = [&](train::TrainingEnd why) {
        const auto state =
            why == train::TrainingEnd::cancelled ? store::RunState::cancelled : store::RunState::interrupted;
        record_.attributes.state = state;
        write_record();
        write_status(state);
    };
    if (end == train::TrainingEnd::cancelled || end == train::TrainingEnd::interrupted) {
        stopped(end);
    } else {
        try {
            // After a kill during the evaluation, the trained state must exist.
            write_checkpoint_now();
            finish(end);
        } catch (const Cancelled&) {
            stopped(stop_.request() == train::StopRequest::cancel ? train::TrainingEnd::cancelled
                                                                  : train::TrainingEnd::interrupted);
        }
    }
}

void ActiveRun::follow(train::ProcessGroup& group) {
    group_ = &group;
    settle_precision();
    open();
    const auto nothing = [] {};
    train::TrainerHooks hooks{[](const train::Evaluation&) {}, nothing, nothing};
    train::Trainer(config_, *model_.model, *optimizer_, *data_.train, *data_.val, state_, record_, observer_,
                   stop_, std::move(hooks), group_)
        .run();
}

store::ResultRow ActiveRun::go() {
    try {
        // An existing folder is locked first, so that a second process does not load data and model. A new
        // folder is created only after all input was checked.
        bool mine = !std::filesystem::exists(folder_.path()) || take_folder();
        if (mine) settle_precision();
        if (mine && request_.processes != nullptr) {
            own_group_ = request_.processes->begin(config::to_toml(config_), stop_);
            group_ = own_group_.get();
        }
        if (mine) open();
        if (mine && !checkpoint_ && !config_.train.continue_from.empty()) {
            fork_from(config_.train.continue_from);
            forked_ = true;
        }
        // Another process may have finished this run while the data was read.
        if (mine && !lock_) mine = take_folder();
        if (!mine) {
            check_finished_run(folder_.path(), config_, digest_of_data(config_));
            return finished_row({config_, folder_.path(), request_.name, request_.swept});
        }
        log_.open(folder_.log());
        const ControlWatch control(folder_.path(), stop_);
        start();
        train_and_evaluate();
    } catch (const std::exception& problem) {
        if (const auto words = out_of_memory_message(problem); !words.empty()) {
            note_failure("out of memory: " + words);
            throw run_error("train.batch_size", "out of memory: " + words, {}, smaller_batch_advice());
        }
        if (const auto* error = dynamic_cast<const std::filesystem::filesystem_error*>(&problem)) {
            const auto failure = [&] {
                return run_error(error->path1().string(), error->code().message(), {},
                                 "Check the free space, the folder and your permissions there.");
            };
            note_failure(failure().what());
            throw failure();
        }
        if (dynamic_cast<const c10::Error*>(&problem) != nullptr) {
            const auto words = plain_message(problem);
            note_failure(words);
            throw run_error(request_.name, words);
        }
        note_failure(problem.what());
        throw;
    }
    auto result = row(record_.attributes.state);
    observer_.on_finished(result);
    return result;
}

}  // namespace

bool changes_results(std::string_view key) {
    constexpr std::array<std::string_view, 7> of_this_machine{
        "run.checkpoint_seconds", "run.keep_last", "run.lock", "run.lease_seconds", "run.devices",
        "run.processes",          "run.together"};
    return std::find(of_this_machine.begin(), of_this_machine.end(), key) == of_this_machine.end();
}

int follow(train::Processes& processes, train::StopControl& stop) {
    constexpr int interrupted_status = 130;
    train::TrainObserver silent;
    while (const auto text = processes.next()) {
        stop.forget_finish_early();
        const auto group = processes.join();
        try {
            RunRequest request;
            request.config = config::load_text(*text, "the first process's configuration", {}).base;
            ActiveRun(request, silent, stop).follow(*group);
        } catch (const train::ProcessLost&) {
            // As below: the first process reports it.
        } catch (const std::exception& problem) {
            if (!group->fail(plain_message(problem))) return interrupted_status;
        }
        if (group->lost()) return interrupted_status;
    }
    return processes.status();
}

store::ResultRow run(const RunRequest& request, train::TrainObserver& observer, train::StopControl& stop) {
    switch (folder_content(request.folder)) {
        case FolderContent::complete: {
            check_finished_run(request.folder, request.config, digest_of_data(request.config));
            clear_up_finished(request.folder, request.config.run.keep_last);
            return finished_row({request.config, request.folder, request.name, request.swept});
        }
        case FolderContent::resumable:
        case FolderContent::started:
            store::RunLock::check_free(
                store::RunFolder(request.folder));  // otherwise the message would be "unfinished"
            if (!request.resume)
                throw input_error(request.folder.string(), "an unfinished run is there",
                                  "a finished one, or none",
                                  "Continue it with --resume, or choose another name or --out folder.");
            break;
        case FolderContent::empty:
            break;
    }
    return ActiveRun(request, observer, stop).go();
}

}  // namespace casp::run
