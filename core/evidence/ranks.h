#pragma once
// Ranks of models over tasks: the table models × tasks of a batch. Without LibTorch; any thread.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "evidence/batch_comparisons.h"
#include "store/results.h"
#include "util/phrase.h"

namespace casp::evidence {

/// A model in a task. NaN: the model has no finished run there.
struct RankCell {
    std::int64_t n = 0;              ///< finished runs (seeds) with the metric
    double mean = store::not_known;  ///< of the metric over them
    double rank = store::not_known;  ///< among the models of the task, from 1, lowest mean first; equal means
                                     ///< share the mean of their ranks; NaN for the only model of a task
    double sd = store::not_known;    ///< sample standard deviation over seeds; NaN for n < 2
    std::int64_t place = 0;          ///< 1: lowest mean, 2: next higher one, …; 0: no rank
};

/// One row of the table.
struct RankRow {
    std::string model;  ///< model.name, with the case ("ofa, attention") and settings if it has several
    std::vector<RankCell> cells;          ///< [tasks]
    double mean = store::not_known;       ///< of the cells' means over the common tasks; NaN without one
    double mean_rank = store::not_known;  ///< likewise
    double seconds = store::not_known;    ///< mean wall time in the common tasks; without one, in all
    std::int64_t peak_memory = -1;        ///< largest of the same runs, in bytes; -1: not known
    std::set<std::string> backbones;      ///< of all its runs, as in results.csv
    std::set<std::string> precisions;     ///< likewise
};

/// Models × tasks for one metric.
struct RankTable {
    std::string metric;
    std::vector<std::string> tasks;    ///< as task_names() for model.name, in order of first appearance
    std::int64_t common = 0;           ///< tasks in which every row has a finished run
    std::vector<RankRow> rows;         ///< ascending in mean rank; equal ones in order of first appearance
    std::set<std::string> backbones;   ///< of the runs, as in results.csv
    std::set<std::int64_t> lookbacks;  ///< of tasks whose runs have several; empty: there is none
    std::map<std::string, std::int64_t> omitted;  ///< number of runs that do not count, by reason
};

/// Ranks of the models of the finished runs, by the mean of a metric over the seeds of a task. Ranks are
/// averaged over common tasks only: a model that was left out of the hard tasks gains nothing by it.
///
/// A task is data, horizon and the settings that change the task (config::changes_the_task, data.percent). If
/// there are several models, those with several cases ([[sweep.case]]) or, for the same data and horizon,
/// several values of another swept setting have a row for each: "casp-llm, lambda_cov 0.1". Throws
/// std::invalid_argument for an unknown metric.
[[nodiscard]] RankTable ranks_of(const std::vector<store::ResultRow>& rows, const std::string& metric);

/// Whether two rows share a task: only then is the table written or shown.
[[nodiscard]] bool has_ranks(const RankTable& table);

// Ranks of models as texts, CSV, Markdown and LaTeX, and the files ranks.*. Without LibTorch; any thread.

/// Texts of the table: the header, then a line per row with its name, "mean ± sd (rank)" in each task, mean
/// rank, wall time in seconds, memory. "–": not known. If cells differ in the number of runs, each
/// ends in it: "0.3721 (2), n = 1".
[[nodiscard]] std::vector<std::vector<std::string>> rank_lines(const RankTable& table);
/// What the numbers are, in sentences: the common tasks, what differs within a task, omitted runs, backbones.
[[nodiscard]] Phrase rank_note(const RankTable& table);

/// Columns as in docs/run-file.md: metric,model,task,n,mean,rank,seconds,peak_memory,sd. A row "all" per
/// model: n common tasks, the mean over their means, the mean rank, wall time and memory.
[[nodiscard]] std::string ranks_csv(const std::vector<RankTable>& tables);
/// A table per metric: rank_lines(), the best mean of a task bold and the second-best underlined.
[[nodiscard]] std::string ranks_markdown(const std::vector<RankTable>& tables);
/// Likewise for LaTeX: tabulars that are reduced to the width of the line, with notes below them; the first
/// line says how it compiles (latex_head()).
[[nodiscard]] std::string ranks_latex(const std::vector<RankTable>& tables);

/// Texts of ranks.csv, .md and .tex for the runs' error_metrics(); empty without has_ranks().
[[nodiscard]] TableTexts rank_texts(const std::vector<store::ResultRow>& rows);

}  // namespace casp::evidence
