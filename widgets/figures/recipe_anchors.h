#pragma once
// Figures of the anchor pool: usage, concentration of usage and coverage statistic; access to its counts,
// whose statistics are in analysis/usage.h.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "figures/recipe_input.h"
#include "store/run_record.h"

namespace casp::figures {

/// Which retrievals are counted.
enum class UsageOf {
    training,  ///< training up to a step
    snapshot,  ///< since the previous snapshot
    test       ///< over the test windows at the best checkpoint
};

struct AnchorOptions {
    UsageOf of = UsageOf::training;
    std::optional<std::int64_t> step;  ///< snapshot to show; none: the latest
    bool sorted = false;               ///< by value instead of by anchor number
    bool log_y = false;
};

/// Retrievals per anchor: bars by anchor number, a plot per run (at most six; the caption states omissions);
/// sorted: one plot with a curve per run. Ids are anchors.
[[nodiscard]] Figure usage_histogram(const std::vector<RunInput>& runs, const AnchorOptions& options);

/// Cumulative fraction of retrievals by anchor rank (logarithmic rank axis, top 20 marked), and the counts of
/// the 20 most used anchors, as in the paper's appendix. Ids are anchors.
[[nodiscard]] Figure concentration(const std::vector<RunInput>& runs, const AnchorOptions& options);

/// Top-20 fraction, usage entropy and distinct anchors of each snapshot over training.
[[nodiscard]] Figure concentration_course(const std::vector<RunInput>& runs, const AnchorOptions& options);

/// The coverage statistic c̃ at a snapshot: by anchor number or sorted. Ids are anchors.
[[nodiscard]] Figure coverage_statistic(const std::vector<RunInput>& runs, const AnchorOptions& options);

/// c̃ over training: median line within the range from the lowest to the highest anchor.
[[nodiscard]] Figure coverage_course(const std::vector<RunInput>& runs, const AnchorOptions& options);

/// Index of the last snapshot at or before `step`, else of the first; without a step the latest. −1: none.
[[nodiscard]] std::ptrdiff_t snapshot_at(const store::AnchorHistory& anchors,
                                         std::optional<std::int64_t> step);

/// Whether this entry is not a snapshot but the counts of a running run since its last one.
[[nodiscard]] bool is_live(const store::AnchorHistory& anchors, std::ptrdiff_t index);

/// Retrievals per anchor [V']; empty if unknown.
[[nodiscard]] std::vector<std::int64_t> usage_counts(const store::AnchorHistory& anchors, UsageOf of,
                                                     std::optional<std::int64_t> step = {});

/// c̃ of snapshot `index` [V']; empty if coverage is off.
[[nodiscard]] std::span<const float> coverage_at(const store::AnchorHistory& anchors, std::ptrdiff_t index);

}  // namespace casp::figures
