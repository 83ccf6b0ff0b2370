#pragma once
// Verification of finished runs and their tables: every number is recomputed from stored forecasts. Without
// LibTorch; any thread. Reads only.

#include <cstdint>
#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "util/phrase.h"
#include "util/progress.h"

namespace casp::evidence {

/// A number that does not follow from the files it is computed from, or a file that cannot be read.
struct Finding {
    std::filesystem::path file;  ///< that holds it
    std::string cell;  ///< "row a_seed-1, column test_mse", "/forecast/test/mse[3, 0]"; empty: the file
    Phrase found;
    Phrase expected;  ///< may be empty
};

/// What was compared, and with which result.
struct Verification {
    std::vector<Finding> findings;
    std::int64_t numbers = 0;                    ///< numbers that were compared
    std::int64_t runs = 0;                       ///< runs, in any state
    std::vector<std::filesystem::path> batches;  ///< folders whose tables were compared
    /// What was not checked and why, with the run or batch folders.
    std::map<std::string, std::vector<std::filesystem::path>> unchecked;
    std::vector<Phrase> notes;  ///< what else was done, a sentence each
};

/// Verifies the runs in and below `folder` (store/run_store.h) and the tables of batches among them:
///
/// - arrays.h5: errors of windows follow from predictions and truth; the truth from the data file, if it is
///   found and has the run's digest
/// - run.h5: its digest; metrics and usage follow from arrays.h5
/// - run.json follows from run.h5; best.safetensors has the digest that run.h5 records
/// - results.*, summary.*, comparisons.* and ranks.* follow from the rows of the runs; submission.csv from
///   arrays.h5
///
/// Numbers of texts must be equal digit by digit. Metrics may differ from recomputed ones by the rounding of
/// their sums (a relative (windows + H·M + 8)·2⁻⁵³, 1.1e-11 for 100,000 windows), errors of windows by that
/// of their mean before it is rounded to float32. Damaged files are findings.
///
/// Tables of the paper: verify_paper.h. Forecasts repeated with the weights: inspect/repeated_forecasts.h.
/// Progress in runs. Throws an input Error if the folder cannot be read or has no run, and Cancelled.
[[nodiscard]] Verification verify(const std::filesystem::path& folder, const ProgressFn& progress = {},
                                  const std::stop_token& stop = {});

}  // namespace casp::evidence
