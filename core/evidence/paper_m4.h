#pragma once
// Averages over M4's frequencies in the paper's table m4. Without LibTorch; thread-safe.

#include <vector>

#include "evidence/paper_table.h"

namespace casp::evidence {

/// Fills the cells of several frequencies with their average, weighted by the number of series; OWA is that
/// of the averages (protocol A.9). Each seed that has all frequencies gives a value. Adds rows "Others", the
/// average over Weekly, Daily and Hourly. If no model has runs of all six frequencies, adds rows with the
/// average over the frequencies that most models have, named after these. Then removes rows without any
/// number. `runs`: as for fill(), with the measures naive2_smape, naive2_mase.
void fill_m4_averages(PaperTable& table, const std::vector<PaperRun>& runs);

}  // namespace casp::evidence
