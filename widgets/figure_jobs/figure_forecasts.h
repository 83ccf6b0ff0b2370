#pragma once
// Figure "forecast": one test window, forecast by runs that differ in one setting.

#include <vector>

#include "figure_jobs/figure_embeddings.h"
#include "figures/figure.h"

namespace casp::figure_jobs {

/// Draws the test window with the median error of the first run, forecast by one run of each condition
/// (figures::runs_to_show). Runs on other data get a separate figure with the median window of their first
/// run: "forecast", "forecast-preset-etth2-96". Only the errors and that window are read from arrays.h5. Runs
/// with a damaged file are omitted with a note and replaced by another seed.
[[nodiscard]] std::vector<figures::Figure> forecast_figures(const figures::PaperCell& cell,
                                                            FigureSource& source);

}  // namespace casp::figure_jobs
