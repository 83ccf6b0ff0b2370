#pragma once
// Figures of a collection of series: the values of one series, the lengths of all, and their sMAPE and MASE.

#include <cstdint>
#include <span>
#include <vector>

#include "figures/figure.h"
#include "figures/recipe_input.h"

namespace casp::figures {

/// Training values at x = 1 … n and test values at n + 1, …, dashed and in another colour, with a rule at the
/// border. Shaded: the last `held_out` training values (0: none). Without training values: no plot.
[[nodiscard]] Figure series_values(const QString& id, std::span<const double> training,
                                   std::span<const double> test, std::int64_t held_out);

/// Distribution of the numbers of training values: bins of whole numbers whose widths grow with the length.
/// The counts are on a logarithmic axis if they differ by more than a factor of 50. `marked`: length of the
/// selected series, a rule; 0: none. Without lengths: no plot.
[[nodiscard]] Figure series_lengths(const std::vector<std::int64_t>& lengths, std::int64_t marked = 0);

/// Scores of one run: a value per series, NaN if it has none.
struct SeriesErrors {
    QString folder, label;
    QColor colour;
    std::vector<double> smape, mase;
};

/// A plot each: the fraction of series with at most this score, over a logarithmic axis that starts at the
/// lowest 0.5 % of the positive scores; medians are marked. Remarks and caption state the medians and the
/// number of series without MASE. A curve has at most 2,001 points, at evenly spaced ranks.
[[nodiscard]] Figure series_errors(const std::vector<SeriesErrors>& runs);

}  // namespace casp::figures
