#pragma once
// Usage of the anchor pool: entropy, concentration and overlap. No LibTorch; thread-safe.
//
// Only functions over rows report progress and can be cancelled; the others are negligible, as their cost
// depends only on the pool size.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "store/run_record.h"

namespace casp::analysis {

/// −Σ p ln p of the normalised counts, in nats; NaN if all are zero.
[[nodiscard]] double usage_entropy(std::span<const std::int64_t> counts);

/// Number of anchors retrieved at least once.
[[nodiscard]] std::int64_t distinct_anchors(std::span<const std::int64_t> counts);

/// Summary of a pool's usage.
struct UsageSummary {
    std::int64_t retrievals = 0;          ///< Σ counts
    std::int64_t distinct = 0;            ///< number of anchors retrieved at least once
    double entropy = store::not_known;    ///< nats; NaN without retrievals
    double evenness = store::not_known;   ///< entropy / ln V', 0 … 1; NaN also for V' = 1
    double effective = store::not_known;  ///< e^entropy: number of equally used anchors with this entropy
};
[[nodiscard]] UsageSummary summarise_usage(std::span<const std::int64_t> counts);

/// Anchors by rank, with cumulative fractions of all retrievals.
struct Concentration {
    std::vector<std::int64_t> anchor;  ///< [V'] most used first; ties by number
    std::vector<double> share;         ///< [V'] cumulative, ends at 1; NaN without retrievals
};
[[nodiscard]] Concentration concentration_of(std::span<const std::int64_t> counts);

/// Fraction of all retrievals that go to the n most used anchors; 0 for n <= 0, NaN without retrievals.
[[nodiscard]] double top_share(std::span<const std::int64_t> counts, std::int64_t n);

/// The n most used anchors, ascending by number; fewer if fewer were retrieved.
[[nodiscard]] std::vector<std::int64_t> most_used(std::span<const std::int64_t> counts, std::int64_t n);

/// |A ∩ B| / |A ∪ B| of two sets given as lists (duplicates count once); NaN if both are empty.
[[nodiscard]] double jaccard(std::span<const std::int64_t> a, std::span<const std::int64_t> b);

/// Pointwise mean and sample standard deviation over several curves (seeds), ignoring NaN; as long as the
/// longest curve.
struct Band {
    std::vector<double> mean;
    std::vector<double> sd;       ///< NaN for points in fewer than two curves
    std::vector<std::int64_t> n;  ///< number of curves with the point
};
[[nodiscard]] Band band_of(const std::vector<std::vector<double>>& curves);

// Comparison of anchor retrievals: of one run over time, or of two runs. No LibTorch; thread-safe.

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
