#pragma once
// An order in which alike things stand side by side: for the rows of heatmaps. No LibTorch; thread-safe.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace casp::analysis {

/// Hierarchical clustering with average linkage (UPGMA) of n things, and the order of its leaves.
struct Clustering {
    std::vector<std::int64_t> order;        ///< [n] leaves from one end of the tree to the other
    std::vector<std::int64_t> left, right;  ///< [n − 1] what each merge joins, left < right: below n a thing,
                                            ///< n + i the result of merge i
    std::vector<double> height;  ///< [n − 1] ascending: distance at which they join
};

/// `distances` [n, n]: symmetric, finite, diagonal ignored. Deterministic: of equal distances the pair of
/// lower numbers joins first where the algorithm (nearest-neighbour chains, n² steps) meets them. The order
/// puts each merge's left part before its right one. Throws std::invalid_argument for a wrong size,
/// Cancelled. Without progress: the distances of as many things take far longer.
[[nodiscard]] Clustering average_linkage(std::span<const double> distances, std::int64_t n,
                                         const std::stop_token& stop = {});

}  // namespace casp::analysis
