#pragma once
// Comparison of anchor retrievals: of one run over time, or of two runs. No LibTorch; thread-safe.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/usage.h"
#include "store/run_record.h"

namespace casp::analysis {

/// Anchors retrieved at least once, ascending.
[[nodiscard]] std::vector<std::int64_t> retrieved_set(std::span<const std::int64_t> counts);

/// Comparison of two usages of equal pool size: two runs, or training and inference of one run.
struct UsageComparison {
    UsageSummary a, b;
    double jaccard = store::not_known;              ///< of the sets of anchors retrieved at least once
    double jaccard_top = store::not_known;          ///< of the `top` most used anchors of each
    std::int64_t both = 0, only_a = 0, only_b = 0;  ///< numbers of anchors retrieved at least once
    double total_variation =
        store::not_known;  ///< ½ Σ |p_a − p_b|, 0 … 1: fraction of retrievals that differ
};

/// Throws std::invalid_argument for pools of different size. Values are NaN without retrievals.
[[nodiscard]] UsageComparison compare_usage(std::span<const std::int64_t> a, std::span<const std::int64_t> b,
                                            std::int64_t top = 20);

/// Pairwise overlaps of several usages, as in compare_usage().
struct RetrievalOverlaps {
    std::size_t usages = 0;           ///< n
    std::vector<double> jaccard;      ///< [n, n] of the sets of anchors retrieved at least once
    std::vector<double> jaccard_top;  ///< [n, n] of the `top` most used anchors of each
};

/// Symmetric. NaN for pools of different size, whose anchors do not correspond, and if neither usage
/// retrieves an anchor.
[[nodiscard]] RetrievalOverlaps retrieval_overlaps(const std::vector<std::vector<std::int64_t>>& usages,
                                                   std::int64_t top = 20);

}  // namespace casp::analysis
