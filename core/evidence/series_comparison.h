#pragma once
// Paired comparison of two runs on one collection over its series. Without LibTorch; any thread.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "evidence/batch_comparisons.h"
#include "evidence/comparisons.h"
#include "store/run_record.h"
#include "util/phrase.h"

namespace casp::evidence {

/// Scores of a run, with what identifies its series.
struct SeriesRun {
    std::string dataset_sha256;
    std::vector<std::string> ids;  ///< in the order of the scores
    store::SeriesScores scores;
};

/// A score of a collection and its member in SeriesScores.
struct SeriesScore {
    const char* metric;  ///< as in results.csv: "test_smape"
    const char* title;   ///< "sMAPE"
    std::vector<double> store::SeriesScores::*values;
};
/// sMAPE and MASE.
[[nodiscard]] std::span<const SeriesScore> series_scores();

/// Resamples of the bootstrap: 10,000; 1,000 for more than 10,000 series, which take half a second for
/// 100,000. The ends of the interval then vary by about 0.1 of the mean's standard error.
[[nodiscard]] std::int64_t resamples_over(std::int64_t series);

/// Why two runs cannot be compared series by series; empty: they can.
[[nodiscard]] Phrase series_mismatch(const SeriesRun& base, const SeriesRun& other);

/// `other` against `base`, value by value; pairs with a value that is not finite are left out (series without
/// MASE). Interval as in bootstrap_interval() with resamples_over(). Leaves `differences`, task,
/// base and other empty. Throws std::invalid_argument if the lengths differ.
[[nodiscard]] Comparison compare_series(std::span<const double> base, std::span<const double> other,
                                        const std::string& metric);

/// Mean of each series over runs, NaN where a run has none. All have the same length.
[[nodiscard]] std::vector<double> mean_scores(const std::vector<std::vector<double>>& runs);

/// A comparison of two values of a setting over the series of one task.
struct SeriesRow {
    Comparison result;
    std::vector<std::int64_t> seeds;  ///< over which the scores of each series are averaged
};
/// A section of comparisons.md; empty without rows and remarks.
[[nodiscard]] std::string series_markdown(const std::vector<SeriesRow>& rows,
                                          const std::vector<Phrase>& remarks);

// Comparisons of a batch's runs on collections over their series. Without LibTorch; any thread.

struct BatchSeries {
    std::vector<SeriesRow> rows;
    std::vector<Phrase> remarks;  ///< a sentence for each pair of values that is not compared

    BatchSeries& operator+=(BatchSeries other);
};

/// Each value of the contrast against the base, task by task, in sMAPE and MASE: each series' mean over the
/// seeds that both have. Reads run.h5 and arrays.h5 of the paired runs; empty without runs on collections,
/// and only a remark while a run is queued or running. Runs are in the batch's folder; a row's `run` may also
/// be an absolute path.
[[nodiscard]] BatchSeries compare_batch_series(const std::filesystem::path& batch_folder,
                                               const std::vector<store::ResultRow>& rows,
                                               const Contrast& contrast);

}  // namespace casp::evidence
