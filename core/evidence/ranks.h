#pragma once
// Ranks of models over tasks: the table models × tasks of a batch, and the files ranks.*. Without LibTorch;
// any thread.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "store/results.h"

namespace casp::evidence {

/// A model in a task. NaN: the model has no finished run there.
struct RankCell {
    std::int64_t n = 0;              ///< finished runs (seeds)
    double mean = store::not_known;  ///< of the metric over them
    double rank = store::not_known;  ///< among the models of the task, from 1, lowest mean first; equal means
                                     ///< share the mean of their ranks
};

/// One row of the table.
struct RankRow {
    std::string model;                    ///< model.name
    std::vector<RankCell> cells;          ///< [tasks]
    double mean_rank = store::not_known;  ///< over the common tasks; NaN without one
    double seconds = store::not_known;    ///< mean wall time of its finished runs
    std::int64_t peak_memory = -1;        ///< largest of its finished runs, in bytes; -1: not known
};

/// Models × tasks for one metric.
struct RankTable {
    std::string metric;
    std::vector<std::string> tasks;  ///< as task_names() for model.name, in order of first appearance
    std::int64_t common = 0;         ///< tasks in which every model has a finished run
    std::vector<RankRow> rows;       ///< ascending in mean rank; equal ones in order of first appearance
};

/// Ranks of the models of the finished runs, by the mean of a metric over the seeds of a task. Ranks are
/// averaged over common tasks only: a model that was left out of the hard tasks gains nothing by it. A case
/// that only names a model ([[sweep.case]]) is no part of the task. Throws std::invalid_argument for an
/// unknown metric.
[[nodiscard]] RankTable ranks_of(const std::vector<store::ResultRow>& rows, const std::string& metric);

/// Columns as in docs/run-file.md: metric,model,task,n,mean,rank,seconds,peak_memory. A row "all" per model:
/// n common tasks, the mean over their means, the mean rank, the mean wall time and the largest memory of its
/// runs.
[[nodiscard]] std::string ranks_csv(const std::vector<RankTable>& tables);
/// A table per metric: models, "mean (rank)" in each task, mean rank, wall time, memory.
[[nodiscard]] std::string ranks_markdown(const std::vector<RankTable>& tables);

/// Writes ranks.csv and ranks.md for test_mse and test_mae if finished runs of at least two models share a
/// task; otherwise removes those of an earlier state of the batch. Throws like store::write_tables.
void write_ranks(const std::filesystem::path& batch_folder, const std::vector<store::ResultRow>& rows);

}  // namespace casp::evidence
