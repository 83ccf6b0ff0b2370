#pragma once
// The paper's figures of anchor usage: strips of the pool, and the 20 most used anchors by rank.

#include "figures/paper_input.h"

namespace casp::figures {

/// Strips of the pool, a plot per condition (runs_to_show): the pool wrapped into rows, one cell per anchor,
/// shaded by its retrieval frequency over the whole training, on one scale. Frequency: fraction of the rows
/// (windows × channels) that retrieved it; each row retrieves K anchors, so the sum is 100 K %. The numbers:
/// condition, run, anchor, selections, frequency.
[[nodiscard]] Figure usage_strips(const PaperCell& cell);

/// Retrievals of the 20 most used anchors over the whole training, by rank, and their cumulative sum: two
/// plots per cell (at most four cells), a curve per condition, mean and sample standard deviation over seeds
/// at each rank. The numbers: a row per run and rank, with the anchor.
[[nodiscard]] Figure top_concentration(const std::vector<PaperCell>& cells);

}  // namespace casp::figures
