#pragma once
// A single run, from configuration to result files: the main entry point of core.

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
    std::filesystem::path folder;                            ///< of this run; created if missing
    std::string name;                                        ///< name of the run in tables
    std::vector<std::pair<std::string, std::string>> swept;  ///< swept keys and values, for tables
    bool resume = false;                 ///< resume from the folder's checkpoint if there is one
    std::function<void()> started = {};  ///< called when the run's files exist, before the first step
};

/// Whether a setting affects results. False for those that may change on resume (run.checkpoint_seconds, …).
[[nodiscard]] bool changes_results(std::string_view key);

/// Trains, evaluates and writes all result files to the folder (docs/run-file.md).
///
/// A complete run with the same settings and data is not repeated; its row is returned (with other settings:
/// an input Error that lists the differences). An unfinished run is resumed with `resume`, otherwise an input
/// Error. State of the returned row: finished, finished_early, cancelled or interrupted. Throws input Errors
/// before anything is started, run Errors afterwards (run.json then has state "failed" and the reason;
/// checkpoints stay intact). Runs on the caller's thread; no global state except LibTorch's number of
/// threads.
store::ResultRow run(const RunRequest& request, train::TrainObserver& observer, train::StopControl& stop);

}  // namespace casp::run
