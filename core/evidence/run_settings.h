#pragma once
// Runs of any batches with their resolved settings, made comparable as one sweep. Without LibTorch; any
// thread.

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "config/config.h"
#include "store/results.h"
#include "store/run_scan.h"

namespace casp::evidence {

/// A run and what it was configured with.
struct SettledRun {
    store::ResultRow row;
    config::Config config;  ///< of its config.toml
    std::filesystem::path folder = {};
};

/// Result of finished_runs().
struct FinishedRuns {
    std::vector<SettledRun> runs;
    std::vector<std::string> skipped;  ///< finished runs with an unreadable config.toml: "FOLDER: reason"
};

/// Sorts runs by the time at which they were first queued, as they have recorded it: the order of the sweep
/// (names sort 10 before 2).
void sort_by_creation(std::vector<store::ScannedRun>& runs);

/// Finished runs of the given run folders, batch folders, or folders of batches, each once. Split and
/// batching "auto" of data sets of the catalogue are replaced by its rules (data/catalog_rules.h). Throws an
/// input Error if a folder cannot be read, and Cancelled.
[[nodiscard]] FinishedRuns finished_runs(const std::vector<std::filesystem::path>& folders,
                                         const std::stop_token& stop = {});

/// Rows whose `swept` holds the same keys in every row, as one sweep over all runs would have them: the swept
/// keys of every run, `key`, and all other settings in which runs differ that are alike in those. A setting
/// that follows from swept ones (a case's, a preset's) does not count, unless it changes the task; nor do
/// name and place of a run, its device, and where its files are.
[[nodiscard]] std::vector<store::ResultRow> as_one_sweep(const std::vector<SettledRun>& runs,
                                                         const std::string& key = {});

}  // namespace casp::evidence
