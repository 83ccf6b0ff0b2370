#pragma once
// Distribution of sMAPE and MASE over the series of a collection.

#include <vector>

#include "figures/recipe_input.h"

namespace casp::figures {

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
