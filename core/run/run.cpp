#include "run/run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <torch/torch.h>

#include "config/experiment.h"
#include "data/packed_file.h"
#include "inspect/embedding_snapshots.h"
#include "inspect/final_evaluation.h"
#include "inspect/probe.h"
#include "inspect/process_checks.h"
#include "model/descriptor.h"
#include "model/tensor_file.h"
#include "run/active_run.h"
#include "run/log_file.h"
#include "run/preparation.h"
#include "run/preview.h"
#include "run/run_files.h"
#include "store/run_control.h"
#include "train/checkpoint_model.h"
#include "train/session.h"
#include "train/trainer.h"
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

Phrase smaller_batch_advice(const ActiveRun& run) {
    // The estimate accepted this batch, so only a smaller one can fit.
    const auto tried = run.data.train ? std::min(run.config.train.batch_size, run.data.train->size())
                                      : run.config.train.batch_size;
    if (tried < 2) return "Even one window does not fit: choose a smaller backbone or pool.";
    return run.request.shared != nullptr
               ? Phrase(
                     "Set train.batch_size to %1 or less; about %2 MiB are needed per window and channel. Or "
                     "set run.together to fewer runs.",
                     tried / 2, (run.estimate.bytes_per_row >> 20) + 1)
               : Phrase("Set train.batch_size to %1 or less; about %2 MiB are needed per window and channel.",
                        tried / 2, (run.estimate.bytes_per_row >> 20) + 1);
}

/// Without correction.
double arithmetic_seconds(const ActiveRun& run, std::int64_t steps, std::int64_t evaluated_windows) {
    const auto rows = static_cast<double>(evaluated_windows * run.data.train->channels());
    return run.estimate.flop(static_cast<double>(steps), rows) /
           (static_cast<double>(run.processes()) *
            train::measured_training_rate(run.config, run.config.train.batch_size, run.device));
}

std::int64_t step_bytes(const ActiveRun& run) {
    return run.estimate.step_bytes(run.windows_here() *
                                   (run.data.prepared->single_channel ? 1 : run.data.train->channels()));
}

void announce(ActiveRun& run) {
    train::RunStarted s;
    s.folder = run.folder.path();
    s.data = data::name_in_tables(*run.data.prepared, run.config);
    s.backbone = run.record().attributes.backbone;
    s.device = run.record().attributes.device;
    s.hardware = run.record().attributes.hardware;
    s.parameters_total = run.record().attributes.parameters_total;
    s.parameters_trainable = run.record().attributes.parameters_trainable;
    s.train_windows = run.data.train->windows();
    s.val_windows = run.data.val->windows();
    s.test_windows = run.data.test->windows();
    s.collection = run.data.prepared->collection != nullptr;
    s.channels = run.data.train->channels();
    s.single_channel = run.data.prepared->single_channel;
    const bool trains = model::trains_in_steps(*run.model.model);
    s.steps_per_epoch =
        trains ? (run.data.train->size() + run.config.train.batch_size - 1) / run.config.train.batch_size : 0;
    s.first_step = run.state.step;
    s.parent_steps = run.state.parent_steps;
    s.epoch = run.state.epoch;
    s.last_step = train::last_step(run.config, run.state, s.steps_per_epoch);
    s.epochs = run.state.fork_epoch + (trains ? run.config.train.epochs : 1);
    s.precision = run.model.precision;
    s.estimated_bytes = step_bytes(run);
    s.estimated_epoch_seconds = arithmetic_seconds(run, s.steps_per_epoch, s.val_windows) *
                                correction_of(run.config, s.hardware).time;
    run.log.on_started(s);
}

/// For the estimates of later runs: of a whole run that had the process to itself.
void record_cost(const ActiveRun& run) {
    if (run.checkpoint || run.state.fork_step > 0 || run.request.shared != nullptr ||
        run.request.processes != nullptr)
        return;
    const auto& attributes = run.record().attributes;
    const auto evaluated =
        static_cast<std::int64_t>(run.record().epochs.epoch.size()) * run.data.val->windows() +
        run.data.test->windows();
    train::machine_record().add(
        comparable_runs(run.config, attributes.hardware),
        {arithmetic_seconds(run, run.state.step, evaluated), run.state.seconds,
         static_cast<double>(
             run.memory_before + step_bytes(run) +
             data_bytes(run.data.prepared->plan, run.data.train->channels(), !run.device.is_cpu())),
         static_cast<double>(run.state.peak_memory)});
}

/// The run's errors are known: what cannot be checked is a warning.
void check_process(ActiveRun& run) {
    try {
        train::TrainObserver silent;  // what the file prints when it is loaded is in the log
        const auto fresh = train::open_weights(run.folder.best(), run.config, train::shape_of(run.data),
                                               run.device, silent, run.stop);
        inspect::check_process(run.config, *run.model.model, *fresh.model, run.data, run.folder.path(),
                               run.log);
    } catch (const Cancelled&) {
        // The run is finished nevertheless.
    } catch (const std::exception& problem) {
        run.log.on_message(train::MessageLevel::warning,
                           Phrase("the model could not be checked: %1", phrase_of(problem)));
    }
}

void finish(ActiveRun& run, RunFiles& files, train::TrainingEnd end,
            const std::optional<train::Evaluation>& best) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const double held_before = run.stop.held_seconds();
    // best.safetensors, which contains all tensors, rather than the last weights.
    train::restore_weights(run.folder.best(), *run.model.model);
    explaining_memory(
        "the evaluation",
        [&] {
            inspect::evaluate_and_store(run.config, run.data, *run.model.model, run.folder.path(), run.log,
                                        run.stop, best ? &*best : nullptr);
        },
        [&] {
            return files.last_good_checkpoint() + " " +
                   train::evaluation_memory_advice(run.config, run.data.test->channels());
        });
    if (run.model.model->own_process() != nullptr) check_process(run);
    run.state.seconds +=
        std::chrono::duration<double>(Clock::now() - begin).count() - (run.stop.held_seconds() - held_before);
    const auto state = end == train::TrainingEnd::finished_early ? store::RunState::finished_early
                                                                 : store::RunState::finished;
    run.log.change([&](store::RunRecord& record) {
        record.attributes.state = state;
        record.attributes.best_sha256 = run.state.best_sha256;
    });
    files.write_record();
    files.write_status(state);
    record_cost(run);
    inspect::EmbeddingSnapshots::remove(run.folder.path());
    store::remove_checkpoints(run.folder, run.config.run.keep_last);
}

/// `leave`: after the last step, before the evaluation.
void train_and_evaluate(ActiveRun& run, RunFiles& files, const std::function<void()>& leave) {
    std::optional<train::Evaluation> best;  // if the best epoch is in this process
    train::TrainerHooks hooks{[&](const train::Evaluation& validation) {
                                  best = validation;
                                  run.state.best_sha256 = files.write_best();
                              },
                              [&] { files.write_checkpoint(); }, [&] { files.write_record_if_due(); },
                              [&] { return files.last_good_checkpoint(); }};
    const auto rows = train::evaluation_rows(run.config, run.data.val->channels());
    std::optional<inspect::EmbeddingSnapshots> embeddings;
    if (run.config.run.store_embeddings) {
        embeddings.emplace(run.folder.path(), *run.model.model, *run.data.val, rows);
        hooks.snapshot = [&] {
            explaining_memory(
                "the embeddings of a snapshot", [&] { embeddings->take(run.state.step); },
                [] { return std::string("Set run.store_embeddings to false."); });
        };
    }
    inspect::LiveProbes probes(*run.model.model, *run.data.val, rows, run.log);
    hooks.probe_due = [&](train::ProbeTime time) { return probes.is_due(time); };
    hooks.probe = [&](std::shared_ptr<const train::AnchorSnapshot> anchors) {
        probes.take(run.state.step, std::move(anchors));
    };
    train::Trainer trainer(run.config, *run.model.model, *run.optimizer, *run.data.train, *run.data.val,
                           run.state, run.log, run.stop, std::move(hooks), run.group);
    const auto end = trainer.run();
    leave();
    auto stopped = [&](train::TrainingEnd why) {
        const auto state =
            why == train::TrainingEnd::cancelled ? store::RunState::cancelled : store::RunState::interrupted;
        run.log.change([&](store::RunRecord& record) { record.attributes.state = state; });
        files.write_record();
        files.write_status(state);
    };
    if (end == train::TrainingEnd::cancelled || end == train::TrainingEnd::interrupted) {
        stopped(end);
    } else {
        try {
            // After a kill during the evaluation, the trained state must exist.
            files.write_checkpoint();
            finish(run, files, end, best);
        } catch (const Cancelled&) {
            stopped(run.stop.request() == train::StopRequest::cancel ? train::TrainingEnd::cancelled
                                                                     : train::TrainingEnd::interrupted);
        }
    }
}

/// In a process that is not the first one.
void train_along(ActiveRun& run, train::ProcessGroup& group) {
    run.group = &group;
    settle_precision(run);
    open(run);
    const auto nothing = [] {};
    train::TrainerHooks hooks{[](const train::Evaluation&) {}, nothing, nothing};
    train::Trainer(run.config, *run.model.model, *run.optimizer, *run.data.train, *run.data.val, run.state,
                   run.log, run.stop, std::move(hooks), run.group)
        .run();
}

store::ResultRow make(ActiveRun& run) {
    std::unique_ptr<train::ProcessGroup> group;  // of the first process
    std::optional<LogFile> log_file;
    RunFiles files(run);
    bool forked = false;
    try {
        // An existing folder is locked first, so that a second process does not load data and model. A new
        // folder is created only after all input was checked.
        bool mine = !std::filesystem::exists(run.folder.path()) || take_folder(run);
        if (mine) settle_precision(run);
        if (mine && run.request.processes != nullptr) {
            group = run.request.processes->begin(config::to_toml(run.config), run.stop);
            run.group = group.get();
        }
        if (mine) open(run);
        if (mine && !run.checkpoint && !run.config.train.continue_from.empty()) {
            fork(run);
            forked = true;
        }
        // Another process may have finished this run while the data was read.
        if (mine && !run.lock) mine = take_folder(run);
        if (!mine) {
            check_finished_run(run.folder.path(), run.config, digest_of_data(run.config));
            return finished_row(run.request);
        }
        log_file.emplace(run.folder.log(), run.log);
        const ControlWatch control(run.folder.path(), run.stop);
        start(run, files, forked);
        announce(run);
        train_and_evaluate(run, files, [&] {
            run.group = nullptr;
            group.reset();  // the others wait for the next run meanwhile
        });
    } catch (const std::exception& problem) {
        const auto note_failure = [&](const Phrase& why) {
            if (log_file && files.has_begun()) log_file->write_failure(why);
            files.note_failure(why);
        };
        if (const auto words = out_of_memory_message(problem); !words.empty()) {
            note_failure(Phrase("out of memory: %1", words));
            throw OutOfMemory("train.batch_size", words, smaller_batch_advice(run));
        }
        if (const auto* error = dynamic_cast<const std::filesystem::filesystem_error*>(&problem)) {
            const auto failure = [&] {
                return run_error(error->path1().string(), error->code().message(), {},
                                 "Check the free space, the folder and your permissions there.");
            };
            note_failure(failure().phrase());
            throw failure();
        }
        if (dynamic_cast<const c10::Error*>(&problem) != nullptr) {
            const auto words = plain_message(problem);
            note_failure(words);
            throw run_error(run.request.name, words);
        }
        note_failure(phrase_of(problem));
        throw;
    }
    auto result = files.row(run.record().attributes.state);
    run.log.on_finished(result);
    return result;
}

}  // namespace

bool changes_results(std::string_view key) {
    constexpr std::array<std::string_view, 12> of_this_machine{
        "run.checkpoint_seconds", "run.keep_last", "run.lock",    "run.lease_seconds",  "run.devices",
        "run.processes",          "run.together",  "python.file", "python.interpreter", "python.label",
        "python.answer_seconds",  "python.embeds"};
    return std::find(of_this_machine.begin(), of_this_machine.end(), key) == of_this_machine.end();
}

int follow(train::Processes& processes, train::StopControl& stop) {
    constexpr int interrupted_status = 130;
    while (const auto text = processes.next()) {
        stop.forget_finish_early();
        const auto group = processes.join();
        try {
            RunRequest request;
            request.config = config::load_text(*text, "the first process's configuration", {}).base;
            train::RunLog unread;
            ActiveRun run{request, unread, stop};
            train_along(run, *group);
        } catch (const train::ProcessLost&) {
            // As below: the first process reports it.
        } catch (const std::exception& problem) {
            if (!group->fail(plain_message(problem))) return interrupted_status;
        }
        if (group->lost()) return interrupted_status;
    }
    return processes.status();
}

store::ResultRow run(const RunRequest& request, train::RunLog& log, train::StopControl& stop) {
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
    ActiveRun made{request, log, stop};
    return make(made);
}

store::ResultRow run(const RunRequest& request, train::TrainObserver& observer, train::StopControl& stop) {
    train::RunLog log(observer);
    return run(request, log, stop);
}

}  // namespace casp::run
