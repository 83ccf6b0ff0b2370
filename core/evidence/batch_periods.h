#pragma once
// Tests of compared runs over the test windows of their series, from the errors in arrays.h5. Without
// LibTorch; any thread.

#include <filesystem>
#include <stop_token>
#include <vector>

#include "evidence/batch_comparisons.h"

namespace casp::evidence {

/// Sets Comparison::periods of all rows, which are those of compare_pairs() for these outcomes. Errors of a
/// window: mean over channels, then over the paired runs (seeds) of a side; windows: those that all of these
/// runs have, by their target rows. Only test_mse and test_mae have a test, and no collection of series.
/// "all" is pooled_periods(). Runs are in `folder`; Outcome::run may also be absolute. Throws Cancelled.
void add_period_tests(std::vector<Comparison>& rows, const std::vector<Outcome>& outcomes,
                      const std::filesystem::path& folder, const std::stop_token& stop = {});

/// The same for compare_rows(rows, contrast, …). While a run is queued or running, no file is read: the
/// tables of a batch are written after every run.
void add_period_tests(std::vector<Comparison>& comparisons, const std::vector<store::ResultRow>& rows,
                      const Contrast& contrast, const std::filesystem::path& folder,
                      const std::stop_token& stop = {});

}  // namespace casp::evidence
