#include "run/run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <tuple>

#include <torch/torch.h>

#include "config/experiment.h"
#include "data/packed_file.h"
#include "inspect/embedding_snapshots.h"
#include "inspect/final_evaluation.h"
#include "inspect/probe.h"
#include "model/descriptor.h"
#include "model/tensor_file.h"
#include "run/active_run.h"
#include "run/preparation.h"
#include "store/data_section.h"
#include "store/run_control.h"
#include "store/run_file.h"
#include "train/session.h"
#include "util/device.h"
#include "util/error.h"
#include "util/out_of_memory.h"
#include "util/units.h"

namespace casp::run {

namespace {

// Requests of other processes to a running run.

/// Passes requests in the run's control.json (store/run_control.h) to its StopControl, within half a second,
/// from construction to destruction; removes the file at both. The caller holds the run's lock.
class ControlWatch {
public:
    ControlWatch(std::filesystem::path run_folder, train::StopControl& stop);
    ~ControlWatch();

private:
    void watch(const std::stop_token& ended);

    const std::filesystem::path folder_;
    train::StopControl& stop_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  ///< the last member: it uses the others
};

ControlWatch::ControlWatch(std::filesystem::path run_folder, train::StopControl& stop)
    : folder_(std::move(run_folder)), stop_(stop) {
    store::remove_control(folder_);  // meant for an earlier process
    thread_ = std::jthread([this](const std::stop_token& ended) { watch(ended); });
}

ControlWatch::~ControlWatch() {
    thread_.request_stop();
    thread_.join();
    store::remove_control(folder_);
}

void ControlWatch::watch(const std::stop_token& ended) {
    constexpr std::chrono::milliseconds interval{500};
    store::RunControl known;
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, ended, interval, [&] { return ended.stop_requested(); })) {
        const auto now = store::read_control(folder_);
        if (now == known) continue;
        // Only a change counts: the window that trains the run may have paused it, too.
        if (now.pause != known.pause) stop_.pause(now.pause);
        if (now.finish_early) stop_.ask(train::StopRequest::finish_early);
        if (now.cancel) stop_.ask(train::StopRequest::cancel);
        known = now;
    }
    // The next run of a batch is not paused.
    if (known.pause) stop_.pause(false);
}

constexpr double first_record_seconds = 1, record_interval_seconds = 30;

}  // namespace

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
            return finished_row(request_);
        }
        log_.open(folder_.log());
        const ControlWatch control(folder_.path(), stop_);
        start();
        train_and_evaluate();
    } catch (const std::exception& problem) {
        if (const auto words = out_of_memory_message(problem); !words.empty()) {
            note_failure("out of memory: " + words);
            throw OutOfMemory("train.batch_size", words, smaller_batch_advice());
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
            return finished_row(request);
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
