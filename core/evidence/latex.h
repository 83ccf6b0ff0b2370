#pragma once
// LaTeX for tables: escaping of text, what a file needs to compile, and fitting to the page. Without
// LibTorch; any thread.

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "util/phrase.h"

namespace casp::evidence {

/// `text` (UTF-8, one line) for LaTeX running text, in any place of a table row: special characters are
/// escaped ("[50%] a_b": "{[}50\%] a\_b"), signs of our tables and Greek letters become commands ("λ_cov":
/// "$\lambda_{\mathrm{cov}}$"), and "--" stays two hyphens. Line ends become spaces, invalid UTF-8 question
/// marks. Other letters are kept; latex_head() states what they require.
[[nodiscard]] std::string latex_escaped(std::string_view text);

/// Beginning of a file with this LaTeX text: a comment that says how it compiles. With the packages booktabs
/// and graphicx, by pdflatex or, with letters beyond ASCII, by lualatex and a font that has them.
[[nodiscard]] std::string latex_head(std::string_view latex);

enum class Mark { none, bold, underline };
/// Text of a cell with its mark, escaped: for LaTeX, and for Markdown, whose tables are escaped as a whole.
[[nodiscard]] std::string latex_marked(const std::string& text, Mark mark = Mark::none);
[[nodiscard]] std::string markdown_marked(const std::string& text, Mark mark = Mark::none);

/// A tabular of LaTeX cells with these columns ("lrr"), as a box that is reduced to the width of the line and
/// nine tenths of the page where it is larger. A line without cells is a rule.
[[nodiscard]] std::string latex_tabular(const std::string& columns,
                                        const std::vector<std::vector<std::string>>& lines);
/// Such a tabular in small type with LaTeX text below it.
[[nodiscard]] std::string latex_noted(const std::string& tabular, const std::string& notes);

// The sentences below a table that name the backbones and precisions of its runs. Thread-safe.

/// "Backbone of the runs: GPT-2, as in the paper." `backbones`: as in results.csv. Runs without a backbone
/// ("none") are mentioned only if all are. Empty if no backbone is known.
[[nodiscard]] Phrase backbone_note(std::set<std::string> backbones);

/// The precisions of all rows of a table.
template <class Row>
[[nodiscard]] std::set<std::string> precisions_of(const std::vector<Row>& rows) {
    std::set<std::string> precisions;
    for (const auto& row : rows) precisions.insert(row.precisions.begin(), row.precisions.end());
    return precisions;
}

/// "Precision of the runs: bf16.", or that runs of several precisions are compared. `precisions`: as in
/// results.csv. Empty if none is known.
[[nodiscard]] Phrase precision_note(const std::set<std::string>& precisions);
/// "bf16 + fp32", for a cell of a table; also of backbones.
[[nodiscard]] std::string precisions_text(const std::set<std::string>& precisions);

}  // namespace casp::evidence
