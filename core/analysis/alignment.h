#pragma once
// How far time-series and prompt embeddings point the same way: the cosine map of the paper's appendix on
// alignment. Headers free of LibTorch, whose matrix products compute; any thread; deterministic.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "store/run_record.h"
#include "util/progress.h"

namespace casp::analysis {

/// cos(series_i, prompt_j) of some rows, and means over all of them.
struct CosineMap {
    std::vector<std::int64_t> row;  ///< [c] rows shown, along both axes, ascending
    std::int64_t rows_total = 0;    ///< more than c where some were left out
    std::vector<float> values;      ///< [c, c] series down, prompts across
    float lowest = 0, highest = 0;  ///< of values

    // Exact over all rows, whether shown or not; NaN where there are none.
    double diagonal_mean = store::not_known;      ///< of cos(series_i, prompt_i)
    double mean = store::not_known;               ///< over all pairs
    double off_diagonal_mean = store::not_known;  ///< over the pairs i ≠ j; NaN for one row
    std::vector<float> diagonal;                  ///< [rows_total] cos(series_i, prompt_i)
};

/// `series` and `prompts` [rows, d]. At most `most_rows` rows are shown, evenly spaced from the first to the
/// last. Vectors are divided by √max(Σv², 1e-12), as anchors and queries are: a zero vector has cosine 0 with
/// all. Throws std::invalid_argument where lengths do not fit, an input Error for values that are not finite,
/// Cancelled. Progress: "Cosine similarity" (rows read: all of them, then those shown once more), complete at
/// the end.
[[nodiscard]] CosineMap cosine_map(std::span<const float> series, std::span<const float> prompts,
                                   std::int64_t dimension, std::int64_t most_rows = 1000,
                                   const std::stop_token& stop = {}, const ProgressFn& progress = {});

}  // namespace casp::analysis
