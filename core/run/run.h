#pragma once
// A single run, from configuration to result files: the main entry point of core.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "config/experiment.h"
#include "run/folder_content.h"
#include "store/results.h"
#include "train/process_group.h"
#include "train/run_log.h"
#include "train/shared_parts.h"
#include "train/stop.h"

namespace casp::run {

/// A planned run, its folder (created if missing), and how it is to be made.
struct RunRequest : config::RunPlan {
    bool resume = false;                 ///< resume from the folder's checkpoint if there is one
    std::function<void()> started = {};  ///< called when the run's files exist, before the first step
    train::Processes* processes =
        nullptr;  ///< that train the run together, this one the first; null: this one
    train::SharedParts* shared = nullptr;  ///< with other runs of this process; null: nothing is shared
    /// Called on the run's thread with the memory that a step will take on which device ("cuda:0"), before it
    /// is checked whether that is free: may wait, or throw Cancelled.
    std::function<void(std::int64_t bytes, const std::string& device)> room = {};
};

/// Whether a setting affects results. False for those that may change on resume (run.checkpoint_seconds, …).
[[nodiscard]] bool changes_results(std::string_view key);

/// Trains, evaluates and writes all files of a run to its folder (docs/run-file.md). Returns its row of
/// results.csv, with the state finished, finished_early, cancelled or interrupted.
///
/// A complete run is not repeated: its stored row is returned, or an input Error lists settings and data that
/// differ. An unfinished run is resumed with `resume`; without it, it is an input Error.
///
/// Throws input Errors before anything is started, and run Errors afterwards: run.json then has the state
/// "failed" and the reason, and checkpoints stay intact. Runs on the caller's thread; the only global state
/// is LibTorch's number of threads, and data sets that are open (data/prepared.h), which only saves time.
store::ResultRow run(const RunRequest& request, train::RunLog& log, train::StopControl& stop);
/// The same for one listener.
store::ResultRow run(const RunRequest& request, train::TrainObserver& observer, train::StopControl& stop);

/// Takes part in the runs that the first process begins, until it ends them: computes, and writes nothing.
/// Returns the exit status that the first process gave, or 130 where a process was lost in a run or this one
/// failed, after which the program must end. Throws train::ProcessLost where the first process has ended.
int follow(train::Processes& processes, train::StopControl& stop);

}  // namespace casp::run
