#pragma once
// Figures of a collection of series: the values of one series, and the lengths of all.

#include <cstdint>
#include <span>
#include <vector>

#include "figures/figure.h"

namespace casp::figures {

/// Training values at x = 1 … n and test values at n + 1, …, dashed and in another colour, with a rule at the
/// border. Shaded: the last `held_out` training values (0: none). Without training values: no plot.
[[nodiscard]] Figure series_values(const QString& id, std::span<const double> training,
                                   std::span<const double> test, std::int64_t held_out);

/// Distribution of the numbers of training values: bins of whole numbers whose widths grow with the length.
/// The counts are on a logarithmic axis if they differ by more than a factor of 50. `marked`: length of the
/// selected series, a rule; 0: none. Without lengths: no plot.
[[nodiscard]] Figure series_lengths(const std::vector<std::int64_t>& lengths, std::int64_t marked = 0);

}  // namespace casp::figures
