#pragma once
// Figures of the anchor pool: usage, concentration of usage and coverage statistic.

#include <set>
#include <vector>

#include "figures/recipe_input.h"
#include "figures/recipe_usage.h"

namespace casp::figures {

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

}  // namespace casp::figures
