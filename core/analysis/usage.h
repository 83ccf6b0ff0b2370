#pragma once
// Usage of the anchor pool: entropy, concentration and overlap. No LibTorch; thread-safe.
//
// Only functions over rows report progress and can be cancelled; the others are negligible, as their cost
// depends only on the pool size.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "store/run_record.h"
#include "util/progress.h"

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

}  // namespace casp::analysis
