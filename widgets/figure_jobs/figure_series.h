#pragma once
// Figure "series-errors": distribution of sMAPE and MASE over the series of a collection.

#include <vector>

#include "figure_jobs/figure_embeddings.h"
#include "figures/figure.h"

namespace casp::figure_jobs {

/// Draws one run of each condition (figures::runs_to_show), from the scores in arrays.h5. Runs with a damaged
/// file are omitted with a note and replaced by another seed. Empty for runs on tables.
[[nodiscard]] std::vector<figures::Figure> series_error_figures(const figures::PaperCell& cell,
                                                                FigureSource& source);

}  // namespace casp::figure_jobs
