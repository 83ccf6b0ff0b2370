#pragma once
// Nearest neighbours of all points by Euclidean distance, exact: 100,000 points of 768 values take a minute
// on two cores. Does not include LibTorch's headers.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "util/progress.h"

namespace casp::analysis {

/// The k nearest other points of each point, nearest first.
struct Neighbours {
    std::int64_t rows = 0, count = 0;  ///< n, k
    std::vector<std::int32_t> index;   ///< [n, k]
    std::vector<float> square;         ///< [n, k] squared distances, computed from differences
    /// Rows that were compared with every point by differences, since rounding of products was too coarse.
    std::int64_t repeated = 0;
};

/// The k nearest neighbours of each row of `values` [n, d], 0 ≤ k < n.
///
/// Candidates come from blocked fp32 products of the centred rows; their distances are then recomputed from
/// differences. A row is compared with all others by differences if rounding of the products could have
/// hidden a nearer point, as among nearly equal points (a statistical bound: √d ulp of the squared norms).
/// Ties are resolved arbitrarily, but deterministically.
///
/// Thread-safe. Progress in points. Throws Cancelled within about 0.1 s of a stop request, and an input Error
/// for non-finite values. Beyond 1e±15 the squares may overflow or vanish.
[[nodiscard]] Neighbours exact_neighbours(std::span<const float> values, std::int64_t rows,
                                          std::int64_t dimension, std::int64_t k,
                                          const ProgressFn& progress = {}, const std::stop_token& stop = {});

}  // namespace casp::analysis
