#pragma once
// One run from configuration to result files: the core's main entry.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/config.h"
#include "run/folder_content.h"
#include "store/results.h"
#include "train/observer.h"
#include "train/stop.h"

namespace casp::run {

struct RunRequest {
    config::Config config;                                   ///< resolved and checked
    std::filesystem::path folder;                            ///< of this run; made if it is not there
    std::string name;                                        ///< the run's name in tables
    std::vector<std::pair<std::string, std::string>> swept;  ///< for tables
    bool resume = false;                 ///< continue from the folder's checkpoint where there is one
    std::function<void()> started = {};  ///< called once the run's files are there, before the first step
};

/// False for the few settings that may differ between a run and its continuation (run.checkpoint_seconds, …).
[[nodiscard]] bool changes_results(std::string_view key);

/// Trains, evaluates and writes everything of interface "What a batch leaves behind" into the folder.
///
/// A folder that holds a complete run is left alone and its row returned, if it is of these settings and data
/// (an input Error tells the differences). An unfinished run is continued with `resume` and refused without.
/// State of the returned row: finished, finished_early, cancelled or interrupted. Throws input Errors before
/// anything was started, run Errors afterwards (run.json then says "failed" and why; what was checkpointed is
/// intact). Thread: the caller's; plain C++, no global state but LibTorch's number of threads.
store::ResultRow run(const RunRequest& request, train::TrainObserver& observer, train::StopControl& stop);

}  // namespace casp::run
