#pragma once
// Search for runs below a folder of any depth. Without LibTorch; any thread.

#include <filesystem>
#include <stop_token>
#include <vector>

#include "store/run_scan.h"

namespace casp::evidence {

/// Number of levels below a folder in which runs are searched: DIR/<run> is the first.
inline constexpr int levels_searched = 4;

/// Runs directly in an experiment's folder that have a run.json: those of its tables. Sorted by creation: the
/// time at which they were first queued, as they have recorded it, which is the order of the sweep (names
/// sort 10 before 2). Errors in a run's files are reported in ScannedRun::problem. Throws an input Error if
/// the folder cannot be read.
[[nodiscard]] std::vector<store::ScannedRun> runs_in(const std::filesystem::path& experiment);

/// Runs in and below the folder, sorted by creation: folders with a run.json or, if that is lost, a run.h5,
/// and the runs of batches beside a batch that its results.csv lists.
/// The folder may itself be a run. Hidden folders are ignored; a link may lead to a run or a batch. Errors in
/// a run's files are reported in ScannedRun::problem. Throws an input Error if the folder cannot be read, and
/// Cancelled.
[[nodiscard]] std::vector<store::ScannedRun> find_runs(const std::filesystem::path& folder,
                                                       const std::stop_token& stop = {});

/// Of find_runs(), those that are not in or below the folder: runs of batches beside a batch that share them.
[[nodiscard]] std::vector<std::filesystem::path> runs_beside(const std::filesystem::path& folder,
                                                             const std::stop_token& stop = {});

}  // namespace casp::evidence
