#pragma once
// Alignment of time-series and prompt embeddings: cosine map and mean cosines, as in the paper's appendix on
// alignment. Does not include LibTorch's headers; thread-safe; deterministic.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "store/run_record.h"
#include "util/progress.h"

namespace casp::analysis {

/// cos(series_i, prompt_j) for selected rows, and means over all rows.
struct CosineMap {
    std::vector<std::int64_t> row;  ///< [c] rows in the map, on both axes, ascending
    std::int64_t rows_total = 0;    ///< exceeds c if rows were left out
    std::vector<float> values;      ///< [c, c]; first index series, second prompt
    float lowest = 0, highest = 0;  ///< range of `values`

    // Over all rows, including those left out of the map; NaN if there are none.
    double diagonal_mean = store::not_known;      ///< of cos(series_i, prompt_i)
    double mean = store::not_known;               ///< over all pairs
    double off_diagonal_mean = store::not_known;  ///< over the pairs i ≠ j; NaN for one row
    std::vector<float> diagonal;                  ///< [rows_total] cos(series_i, prompt_i)
};

/// Computes the cosine map of `series` and `prompts`, both [rows, d]. The map has at most `most_rows` rows,
/// evenly spaced from the first to the last. Vectors are normalised by √max(Σv², 1e-12), as in the model, so
/// that a zero vector has cosine 0. Throws std::invalid_argument for inconsistent sizes, an input Error for
/// non-finite values, and Cancelled. Progress: "Cosine similarity" (rows read: all rows once, those of the
/// map twice), complete at the end.
[[nodiscard]] CosineMap cosine_map(std::span<const float> series, std::span<const float> prompts,
                                   std::int64_t dimension, std::int64_t most_rows = 1000,
                                   const std::stop_token& stop = {}, const ProgressFn& progress = {});

}  // namespace casp::analysis
