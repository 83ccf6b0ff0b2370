#pragma once
// Runs for the tables of the paper, with what a table needs besides the row of results.csv. Any thread.

#include <memory>
#include <stop_token>
#include <vector>

#include "evidence/paper_table.h"

namespace casp::evidence {

/// Adds to a run: for jaccard the anchors' usage on the test split; for pca the variance ratios of stored
/// embeddings, each kind separately: "pc1_anchors", "pc_total_series", "pc2_prompts", … (centred) and
/// "pc1_anchors_uncentred", … (of XᵀX / (n − 1));
/// for strata "hard_mse" and "easy_mse", the mean error of the test windows in the hardest tenth and the
/// easiest three tenths by difficulty (analysis/difficulty.h), from stored errors and the data file;
/// for the tables strata:AXIS what LabelsOfRuns adds; for m4 "naive2_smape" and "naive2_mase". Runs without
/// them keep their row only; strata say why (PaperRun::problem). Labels and difficulty are computed once for
/// runs of the same data. One thread.
class RunMeasures {
public:
    explicit RunMeasures(const PaperTable& table);
    ~RunMeasures();
    RunMeasures(const RunMeasures&) = delete;
    RunMeasures& operator=(const RunMeasures&) = delete;

    /// Throws an input Error if the run's files are damaged, and Cancelled.
    [[nodiscard]] PaperRun of(SettledRun run, const std::stop_token& stop = {});

private:
    struct Kept;
    std::unique_ptr<Kept> kept_;
};

/// RunMeasures of all runs.
[[nodiscard]] std::vector<PaperRun> with_measures(const PaperTable& table, std::vector<SettledRun> runs,
                                                  const std::stop_token& stop = {});

}  // namespace casp::evidence
