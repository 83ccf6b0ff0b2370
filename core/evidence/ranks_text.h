#pragma once
// Ranks of models as texts, CSV, Markdown and LaTeX, and the files ranks.*. Without LibTorch; any thread.

#include <string>
#include <vector>

#include "evidence/batch_comparisons.h"
#include "evidence/ranks.h"

namespace casp::evidence {

/// Texts of the table: the header, then a line per row with its name, "mean ± sd (rank)" in each task, mean
/// rank, wall time in seconds, memory. "–": not known. If cells differ in the number of runs, each
/// ends in it: "0.3721 (2), n = 1".
[[nodiscard]] std::vector<std::vector<std::string>> rank_lines(const RankTable& table);
/// What the numbers are, in sentences: the common tasks, what differs within a task, omitted runs, backbones.
[[nodiscard]] std::string rank_note(const RankTable& table);

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
