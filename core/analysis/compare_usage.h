#pragma once
// Comparison of anchor retrievals: of one run over time, or of two runs. No LibTorch; thread-safe. Progress
// and cancellation as in usage.h.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "analysis/usage.h"
#include "store/run_record.h"
#include "util/progress.h"

namespace casp::analysis {

/// Mean cosine over the K(K − 1)/2 pairs of anchors that a row retrieves, [rows]. `anchors`: [V', d],
/// `retrieved`: [rows, K]. NaN for K < 2. In float64; anchors are normalised by √max(Σv², 1e-12). Throws
/// std::invalid_argument for inconsistent sizes or an anchor outside the pool, and Cancelled within a part of
/// 4,096 rows. Progress: "Cosines of keys" (rows read), complete at the end.
[[nodiscard]] std::vector<double> key_cosines(std::span<const float> anchors, std::int64_t dimension,
                                              std::span<const std::int32_t> retrieved, std::int64_t top_k,
                                              const std::stop_token& stop = {},
                                              const ProgressFn& progress = {});

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
