#pragma once
// Ranks of models over tasks: the table models × tasks of a batch, and the files ranks.*. Without LibTorch;
// any thread.

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "store/results.h"

namespace casp::evidence {

/// A model in a task. NaN: the model has no finished run there.
struct RankCell {
    std::int64_t n = 0;              ///< finished runs (seeds) with the metric
    double mean = store::not_known;  ///< of the metric over them
    double rank = store::not_known;  ///< among the models of the task, from 1, lowest mean first; equal means
                                     ///< share the mean of their ranks
    double sd = store::not_known;    ///< sample standard deviation over seeds; NaN for n < 2
    std::int64_t place = 0;  ///< 1: lowest mean, 2: next higher one, …; 0: the task has one model only
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
    std::vector<std::string> tasks;   ///< as task_names() for model.name, in order of first appearance
    std::int64_t common = 0;          ///< tasks in which every model has a finished run
    std::vector<RankRow> rows;        ///< ascending in mean rank; equal ones in order of first appearance
    std::set<std::string> backbones;  ///< of the runs, as in results.csv
};

/// Ranks of the models of the finished runs, by the mean of a metric over the seeds of a task. Ranks are
/// averaged over common tasks only: a model that was left out of the hard tasks gains nothing by it. A case
/// that only names a model ([[sweep.case]]) is no part of the task. Throws std::invalid_argument for an
/// unknown metric.
[[nodiscard]] RankTable ranks_of(const std::vector<store::ResultRow>& rows, const std::string& metric);

/// Texts of the table: the header, then a line per model with its name, "mean ± sd (rank)" in each task, mean
/// rank, wall time, memory. "–": not known.
[[nodiscard]] std::vector<std::vector<std::string>> rank_lines(const RankTable& table);
/// What the numbers are, in sentences, and the backbones of the runs.
[[nodiscard]] std::string rank_note(const RankTable& table);

/// Columns as in docs/run-file.md: metric,model,task,n,mean,rank,seconds,peak_memory,sd. A row "all" per
/// model: n common tasks, the mean over their means, the mean rank, the mean wall time and the largest memory
/// of its runs.
[[nodiscard]] std::string ranks_csv(const std::vector<RankTable>& tables);
/// A table per metric: rank_lines(), the best mean of a task bold and the second-best underlined.
[[nodiscard]] std::string ranks_markdown(const std::vector<RankTable>& tables);
/// Likewise for LaTeX, one tabular per metric; needs booktabs.
[[nodiscard]] std::string ranks_latex(const std::vector<RankTable>& tables);

/// Writes ranks.csv, .md and .tex for test_mse and test_mae if finished runs of at least two models share a
/// task; otherwise removes those of an earlier state of the batch. Throws like store::write_tables.
void write_ranks(const std::filesystem::path& batch_folder, const std::vector<store::ResultRow>& rows);

}  // namespace casp::evidence
