#pragma once
// Nearest neighbours of many points among themselves, by Euclidean distance. Exact ones cost n²·d
// multiplications, which matrix products do at the processor's full speed: half a minute for 50,000 points
// of 768 values on two cores. LibTorch's headers stay in the source.

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "util/progress.h"

namespace casp::analysis {

/// Of each point the k nearest others, nearest first.
struct Neighbours {
    std::int64_t rows = 0, count = 0;  ///< n, k
    std::vector<std::int32_t> index;   ///< [n, k]
    std::vector<float> square;         ///< [n, k] squared distances, each from its own differences
    std::int64_t repeated = 0;  ///< rows whose differences float32 could not tell apart: done in float64
};

/// The k nearest neighbours of each of `values` [n, d], 0 ≤ k < n.
///
/// All squared distances come from blocked fp32 products of the centred rows, each pair once; of every row
/// the best few more than k are kept and their distances computed again from the differences. A row is done
/// once more in float64 wherever the rounding of the products (√d ulp of the squared norms: a statistical
/// bound) could have hidden a nearer one, as with points that have nearly the same values. Among equally far
/// points the choice is arbitrary but always the same.
///
/// Any thread. Progress in points; throws Cancelled within about a tenth of a second of a stop, and an
/// input Error for values that are not finite. The values should be within 1e±15, so that squares are
/// numbers.
[[nodiscard]] Neighbours exact_neighbours(std::span<const float> values, std::int64_t rows,
                                          std::int64_t dimension, std::int64_t k,
                                          const ProgressFn& progress = {}, const std::stop_token& stop = {});

/// The same on a device of LibTorch, row block by row block: what a GPU is good at.
[[nodiscard]] Neighbours exact_neighbours_on(const std::string& device, std::span<const float> values,
                                             std::int64_t rows, std::int64_t dimension, std::int64_t k,
                                             const ProgressFn& progress = {},
                                             const std::stop_token& stop = {});

/// Approximately, from a hierarchical graph (hnswlib; 16 links, 200 candidates when it is built, max(2 k,
/// 200) when it is asked). One thread builds it, since its shape depends on the order, then all ask: the same
/// seed gives the same neighbours. For more points than the exact way is affordable for (at 10,000 points of
/// 768 values it takes three times as long). Distances as above. Progress and stop likewise.
[[nodiscard]] Neighbours hnsw_neighbours(std::span<const float> values, std::int64_t rows,
                                         std::int64_t dimension, std::int64_t k, std::int64_t seed,
                                         const ProgressFn& progress = {}, const std::stop_token& stop = {});

}  // namespace casp::analysis
