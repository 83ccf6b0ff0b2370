#pragma once
// Change points of a series in its mean: PELT with an l2 cost. No LibTorch.

#include <cstdint>
#include <span>
#include <vector>

namespace casp::analysis {

/// Positions τ_1 < … < τ_k (first value of each segment but the first) that minimise
///
///   Σ over the k + 1 segments of Σ (x_i − mean of the segment)² + k·penalty
///
/// over all segmentations whose segments have at least `min_segment` values. Exact: the pruning of Killick,
/// Fearnhead and Eckley (2012), with a candidate dropped only from where the one that beats it may begin a
/// segment, `min_segment` later. Of equally good segmentations, the one with the earlier last change point.
/// Empty for fewer than 2·min_segment values. Time between O(n) and O(n²), memory O(n). Throws
/// std::invalid_argument for a value that is not finite, a penalty that is negative or not finite, or
/// min_segment < 1. Thread-safe.
[[nodiscard]] std::vector<std::int64_t> change_points(std::span<const double> x, double penalty,
                                                      std::int64_t min_segment);

}  // namespace casp::analysis
