#pragma once
// Comparisons of a batch's runs on collections over their series. Without LibTorch; any thread.

#include <filesystem>
#include <string>
#include <vector>

#include "evidence/batch_comparisons.h"
#include "evidence/series_comparison.h"

namespace casp::evidence {

struct BatchSeries {
    std::vector<SeriesRow> rows;
    std::vector<std::string> remarks;  ///< a sentence for each pair of values that is not compared

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
