#pragma once
// Average-linkage clustering and its leaf order, for the rows of heatmaps. No LibTorch; thread-safe.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace casp::analysis {

/// Average-linkage clustering (UPGMA) of n items.
struct Clustering {
    std::vector<std::int64_t> order;        ///< [n] items in leaf order
    std::vector<std::int64_t> left, right;  ///< [n − 1] the clusters joined by each merge, left < right:
                                            ///< below n an item, n + i the result of merge i
    std::vector<double> height;             ///< [n − 1] distance of each merge, ascending
};

/// Clusters n items by `distances` [n, n]: symmetric, finite; the diagonal is ignored. Nearest-neighbour
/// chains, O(n²). Deterministic: ties are resolved in favour of lower numbers. In leaf order, the left part
/// of each merge precedes its right part. Throws std::invalid_argument for a wrong size, and Cancelled.
/// Reports no progress: computing the distances takes far longer.
[[nodiscard]] Clustering average_linkage(std::span<const double> distances, std::int64_t n,
                                         const std::stop_token& stop = {});

}  // namespace casp::analysis
