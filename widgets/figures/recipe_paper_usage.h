#pragma once
// The paper's figures of anchor usage: strips of the pool, and the 20 most selected anchors by rank.

#include "figures/paper_input.h"

namespace casp::figures {

/// Strips of the pool, a plot per condition (runs_to_show): the pool folded into rows, each cell an anchor,
/// its shade the frequency with which it was selected over all of the training, on one scale. Frequency:
/// share of the rows (windows × channels) that selected it; each selects K anchors, so the sum is 100 K %.
/// The numbers: condition, run, anchor, selections, frequency.
[[nodiscard]] Figure usage_strips(const PaperCell& cell);

/// Selections of the 20 most selected anchors over all of the training, by rank, and their running sum: two
/// plots per cell (four cells at most), a curve per condition, mean and sample standard deviation over seeds
/// rank by rank. The numbers: a row per run and rank, with the anchor.
[[nodiscard]] Figure top_concentration(const std::vector<PaperCell>& cells);

}  // namespace casp::figures
