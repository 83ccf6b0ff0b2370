#pragma once
// A run in a worker thread.

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "run/run.h"
#include "train/run_log.h"
#include "train/stop.h"

namespace casp::gui {

/// How a run ended.
struct RunEnd {
    store::ResultRow row;      ///< its state; for `failed` see message
    std::string message;       ///< why it failed
    bool device_lost = false;  ///< its device does not answer any more
};

/// A run, its stop control and its log.
struct RunJob {
    /// `wake` is called from the worker when something was recorded, or the run has ended, for the first time
    /// since `woken` was cleared.
    RunJob(run::RunRequest wanted, std::function<void()> wake);

    const run::RunRequest request;
    train::StopControl stop;
    std::shared_ptr<train::RunLog> log;
    std::atomic<bool> woken{false};
    std::atomic<bool> ended{false};  ///< `end` is written, and nothing follows
    RunEnd end;
    const std::function<void()> tell;
};

/// Runs the job on the calling thread, with lower priority than the window from then on: run::run, then
/// run.json if that did not write it, then the tables of the experiment. Always sets `ended` last. Never
/// throws.
void perform(RunJob& job);

}  // namespace casp::gui
