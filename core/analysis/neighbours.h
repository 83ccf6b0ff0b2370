#pragma once
// Nearest neighbours of all points by Euclidean distance. All products of 100,000 points of 768 values take a
// minute on two cores; most are left out where lower bounds exclude the pair (projected_neighbours.h). Does
// not include LibTorch's headers.

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "util/progress.h"

namespace casp::analysis {

/// The k nearest other points of each point, nearest first.
struct Neighbours {
    std::int64_t rows = 0, count = 0;  ///< n, k
    std::vector<std::int32_t> index;   ///< [n, k]
    std::vector<float> square;         ///< [n, k] squared distances, computed from differences
    std::int64_t repeated =
        0;  ///< number of rows recomputed in float64 because float32 rounding was too coarse
};

/// The k nearest neighbours of each row of `values` [n, d], 0 ≤ k < n.
///
/// Where a sample shows that lower bounds exclude most pairs, only the other distances are computed, from
/// differences (projected_neighbours.h). Otherwise, candidates come from blocked fp32 products of the centred
/// rows; their distances are then recomputed from differences. A row is repeated in float64 if rounding of
/// the products could have hidden a nearer point, as among nearly equal points (a statistical bound: √d ulp
/// of the squared norms). Ties are resolved arbitrarily, but deterministically.
///
/// Thread-safe. Progress in points. Throws Cancelled within about 0.1 s of a stop request, and an input Error
/// for non-finite values. Beyond 1e±15 the squares may overflow or vanish.
[[nodiscard]] Neighbours exact_neighbours(std::span<const float> values, std::int64_t rows,
                                          std::int64_t dimension, std::int64_t k,
                                          const ProgressFn& progress = {}, const std::stop_token& stop = {});

/// As exact_neighbours(), on a LibTorch device in blocks of rows; efficient on a GPU.
[[nodiscard]] Neighbours exact_neighbours_on(const std::string& device, std::span<const float> values,
                                             std::int64_t rows, std::int64_t dimension, std::int64_t k,
                                             const ProgressFn& progress = {},
                                             const std::stop_token& stop = {});

}  // namespace casp::analysis
