#pragma once
// A table of the paper as CSV, Markdown and LaTeX: the paper's value, ours and the difference. Thread-safe.

#include <string>
#include <vector>

#include "evidence/batch_comparisons.h"
#include "evidence/paper_table.h"
#include "util/phrase.h"

namespace casp::evidence {

/// A value with as many decimals as the paper prints for it, or usual for the metric: "0.3714"; "–" for NaN.
[[nodiscard]] std::string paper_value_text(const PaperCell& cell, double value);

/// The paper's value: "0.3714 ± 0.0036"; "–" if it prints none.
[[nodiscard]] std::string paper_printed_text(const PaperCell& cell);
/// Ours minus the paper's, with its sign; "–" if one is missing.
[[nodiscard]] std::string paper_difference_text(const PaperCell& cell);

/// Notes of cells, each text once, in the order of the table.
[[nodiscard]] std::vector<Phrase> paper_cell_notes(const PaperTable& table);
/// Sentences on our runs: their backbone, and settings other than the paper's.
[[nodiscard]] std::vector<Phrase> paper_settings_notes(const PaperTable& table);
/// Sentences below a table: backbone, settings other than the paper's, missing runs with the commands that
/// make them, runs left out, notes, and the numbered notes of cells (those with a common clause in one).
[[nodiscard]] std::vector<std::string> paper_table_notes(const PaperTable& table);

/// One line per cell: table,row,column,metric,paper,paper_sd,paper_mark,ours,ours_sd,ours_mark,n,wanted,
/// difference,note,backbone. Ours and the difference have all digits; `nan` or an empty cell if not
/// available; p values have no difference.
[[nodiscard]] std::string paper_table_csv(const PaperTable& table);
/// The paper's layout, with a line each for paper, ours and difference (of a table without printed values,
/// only ours). Best bold, second-best underlined.
[[nodiscard]] std::string paper_table_markdown(const PaperTable& table);
/// Likewise, reduced to the width of the line. Its first line says how it compiles (latex_head()).
[[nodiscard]] std::string paper_table_latex(const PaperTable& table);
/// Name of a table's files without suffix: "strata-trend-change" of "strata:trend-change".
[[nodiscard]] std::string paper_table_stem(std::string name);
/// These texts by file name: NAME.csv, NAME.md, NAME.tex (paper_table_stem()).
[[nodiscard]] TableTexts paper_table_texts(const PaperTable& table);

}  // namespace casp::evidence
