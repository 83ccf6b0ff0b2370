#pragma once
// Runs for the tables of the paper, with what a table needs besides the row of results.csv. Any thread.

#include <stop_token>
#include <vector>

#include "evidence/paper_table.h"

namespace casp::evidence {

/// Adds to the runs: for jaccard the anchors' usage on the test split; for pca the variance ratios of stored
/// embeddings, each kind separately: "pc1_anchors", "pc_total_series", "pc2_prompts", … (centred) and
/// "pc1_anchors_uncentred", … (of XᵀX / (n − 1));
/// for strata "hard_mse" and "easy_mse", the mean error of the test windows in the hardest tenth and the
/// easiest three tenths by difficulty (analysis/difficulty.h), from stored errors and the data file;
/// for m4 "naive2_smape" and "naive2_mase". Runs without them keep their row only; strata say why
/// (PaperRun::problem). Throws an input Error if a run's files are damaged, and Cancelled.
[[nodiscard]] std::vector<PaperRun> with_measures(const PaperTable& table, std::vector<SettledRun> runs,
                                                  const std::stop_token& stop = {});

}  // namespace casp::evidence
