#pragma once
// How evenly the anchors are used, and how alike two selections are. Plain numbers, no LibTorch; thread-safe.
//
// Only what goes over rows tells its progress and can be cancelled; the rest grows with the pool alone, which
// takes no time beside them.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "store/run_record.h"
#include "util/progress.h"

namespace casp::analysis {

/// −Σ p ln p of the normalised counts, in nats; NaN where all are zero.
[[nodiscard]] double usage_entropy(std::span<const std::int64_t> counts);

/// Anchors that were selected at all.
[[nodiscard]] std::int64_t distinct_anchors(std::span<const std::int64_t> counts);

/// Usage of a pool in a few numbers.
struct UsageSummary {
    std::int64_t selections = 0;              ///< Σ counts
    std::int64_t distinct = 0;                ///< anchors with at least one
    double entropy = store::not_known;        ///< nats; NaN without selections
    double evenness = store::not_known;       ///< entropy / ln V', 0 … 1; NaN also for V' = 1
    double effective = store::not_known;      ///< e^entropy: as many evenly used anchors have this entropy
    double largest_share = store::not_known;  ///< of the most used anchor
};
[[nodiscard]] UsageSummary summarise_usage(std::span<const std::int64_t> counts);

/// Anchors by rank and what share of all selections the first n of them have.
struct Concentration {
    std::vector<std::int64_t> anchor;  ///< [V'] most used first; equally used ones by number
    std::vector<double> share;         ///< [V'] cumulative, ends at 1; all NaN without selections
};
[[nodiscard]] Concentration concentration_of(std::span<const std::int64_t> counts);

/// Share of all selections that the n most used anchors have; 0 for n <= 0, NaN without selections.
[[nodiscard]] double top_share(std::span<const std::int64_t> counts, std::int64_t n);

/// The n most used anchors, ascending by number; those that were never selected do not count, so there may be
/// fewer.
[[nodiscard]] std::vector<std::int64_t> most_used(std::span<const std::int64_t> counts, std::int64_t n);

/// |A ∩ B| / |A ∪ B| of two sets given as lists (repeated members count once); NaN where both are empty.
[[nodiscard]] double jaccard(std::span<const std::int64_t> a, std::span<const std::int64_t> b);
[[nodiscard]] double jaccard(std::span<const std::int32_t> a, std::span<const std::int32_t> b);

/// Row by row, how alike the anchors are that two models choose for the same windows: a [rows, k_a] and
/// b [rows, k_b] as in ForecastArrays::selected. Throws std::invalid_argument where the lengths do not fit,
/// Cancelled within a part of 16,384 rows. Progress: "Overlap of selections" (rows read), complete at the
/// end.
[[nodiscard]] std::vector<double> jaccard_per_row(std::span<const std::int32_t> a, std::int64_t k_a,
                                                  std::span<const std::int32_t> b, std::int64_t k_b,
                                                  const std::stop_token& stop = {},
                                                  const ProgressFn& progress = {});

/// Usage at the snapshots of a run: one summary a snapshot.
[[nodiscard]] std::vector<UsageSummary> usage_over_time(const store::AnchorHistory& history);

/// Mean and sample standard deviation over several curves (seeds), point by point; points that are NaN in a
/// curve do not count there. As long as the longest curve.
struct Band {
    std::vector<double> mean;
    std::vector<double> sd;       ///< NaN where fewer than two curves have the point
    std::vector<std::int64_t> n;  ///< curves that have the point
};
[[nodiscard]] Band band_of(const std::vector<std::vector<double>>& curves);

}  // namespace casp::analysis
