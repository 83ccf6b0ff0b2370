#pragma once
// "forecast": one test window, as runs that differ in one setting forecast it.

#include <vector>

#include "figures/figure.h"
#include "gui/figure_embeddings.h"

namespace casp::gui {

/// The test window with the median error of the first run, as one run of each condition forecasts it
/// (figures::runs_to_show). Runs of other data have a figure of their own, with the median window of the
/// first of them: "forecast", "forecast-preset-etth2-96". Of arrays.h5 only the errors and that window are
/// read. A run whose file is damaged is left out and told in a note; another seed stands in for it.
[[nodiscard]] std::vector<figures::Figure> forecast_figures(const figures::PaperCell& cell,
                                                            FigureSource& source);

}  // namespace casp::gui
