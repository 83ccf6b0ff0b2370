#pragma once
// Figures of the anchor pool: who is selected how often, how concentrated that is, the coverage statistic and
// the similarities behind it.

#include <set>
#include <vector>

#include "figures/recipe_input.h"
#include "figures/recipe_usage.h"

namespace casp::figures {

struct AnchorOptions {
    UsageOf of = UsageOf::training;
    std::optional<std::int64_t> step;  ///< snapshot to look at; none: the latest
    bool sorted = false;               ///< by value instead of by anchor number
    bool log_y = false;
};

/// Selections per anchor: bars over the anchors' numbers, a plot per run (six at most, the caption says what
/// is left out); sorted: one plot with a curve per run. Ids are anchors.
[[nodiscard]] Figure usage_histogram(const std::vector<RunInput>& runs, const AnchorOptions& options);

/// Cumulative share of selections by anchor rank (logarithmic rank axis, top 20 marked), and the counts of
/// the 20 most selected anchors, as in the paper's appendix. Ids are anchors.
[[nodiscard]] Figure concentration(const std::vector<RunInput>& runs, const AnchorOptions& options);

/// Top-20 share, entropy and distinct anchors of each snapshot's selections over training.
[[nodiscard]] Figure concentration_course(const std::vector<RunInput>& runs, const AnchorOptions& options);

/// The coverage statistic c̃ at a snapshot: by anchor number or sorted. Ids are anchors.
[[nodiscard]] Figure coverage_statistic(const std::vector<RunInput>& runs, const AnchorOptions& options);

/// c̃ over training: median line in the strip between lowest and highest anchor.
[[nodiscard]] Figure coverage_course(const std::vector<RunInput>& runs, const AnchorOptions& options);

/// Cosine similarities of the probe windows (columns) and the 100 most used anchors (rows), a plot per run
/// (four at most). Row ids are anchors; column ids are rows of the probe (window position · M + channel).
[[nodiscard]] Figure similarity_heatmap(const std::vector<RunInput>& runs, const AnchorOptions& options);

/// The anchors that the heatmap shows, in its order: by training usage up to the probe, then by mean
/// similarity.
[[nodiscard]] std::vector<std::int64_t> heatmap_anchors(const RunInput& run, const train::Probe& probe,
                                                        std::size_t most = 100);

}  // namespace casp::figures
