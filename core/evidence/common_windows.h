#pragma once
// Errors over the test windows that several runs have in common: imported forecasts may lack some. Without
// LibTorch; any thread.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "evidence/run_settings.h"
#include "util/phrase.h"

namespace casp::evidence {

/// What runs whose errors can be compared have in common: data, horizon and other settings that change the
/// task, as one text.
[[nodiscard]] std::string task_of_run(const SettledRun& run);

/// The stored test windows of a run, ascending by row.
struct TestWindows {
    std::vector<std::int64_t> row;  ///< [W] row in the file of the first target value
    std::vector<double> mse, mae;   ///< [W] mean over channels
};

/// Reads the errors in arrays.h5; `lookback`: of the run. Throws an input Error if there are none.
[[nodiscard]] TestWindows read_test_windows(const std::filesystem::path& run_folder, std::int64_t lookback);

/// Nothing if arrays.h5 has no readable test forecasts.
[[nodiscard]] std::optional<TestWindows> windows_if_stored(const std::filesystem::path& run_folder,
                                                           std::int64_t lookback);

/// Rows that both have, ascending.
[[nodiscard]] std::vector<std::int64_t> common_rows(const std::vector<std::int64_t>& a,
                                                    const std::vector<std::int64_t>& b);

struct MeanErrors {
    double mse = store::not_known, mae = store::not_known;
};

/// Means over the windows at `rows` (ascending), which the run must have; not known for none.
[[nodiscard]] MeanErrors errors_over(const TestWindows& windows, const std::vector<std::int64_t>& rows);

/// Sets test_mse and test_mae over some of the test windows. Every other error of the test split becomes
/// unknown: it is over all of them.
void set_test_errors(store::ResultRow& row, const MeanErrors& errors);

/// Among runs of one task, one of them imported: if they do not have the same test windows, or some have no
/// stored test forecasts, the test errors of all become those over the common windows (set_test_errors());
/// those of a run without stored test forecasts become unknown. Returns a sentence for each task that was
/// changed. Throws Cancelled.
std::vector<Phrase> use_common_windows(std::vector<SettledRun>& runs, const std::stop_token& stop = {});

}  // namespace casp::evidence
