#pragma once
// LaTeX for tables: escaping of text, what a file needs to compile, and fitting to the page. Without
// LibTorch; any thread.

#include <string>
#include <string_view>

namespace casp::evidence {

/// `text` (UTF-8, one line) for LaTeX running text, in any place of a table row: special characters are
/// escaped ("[50%] a_b": "{[}50\%] a\_b"), signs of our tables and Greek letters become commands ("λ_cov":
/// "$\lambda_{\mathrm{cov}}$"), and "--" stays two hyphens. Line ends become spaces, invalid UTF-8 question
/// marks. Other letters are kept; latex_head() states what they require.
[[nodiscard]] std::string latex_escaped(std::string_view text);

/// Beginning of a file with this LaTeX text: a comment that says how it compiles. With pdflatex and the
/// packages booktabs and graphicx, and T1 fonts for letters such as "ą". For letters that pdflatex has no
/// font for (Chinese, Japanese, Korean, Cyrillic, emoji) definitions follow that print "U+57FA", and the
/// comment says what prints the letters themselves.
[[nodiscard]] std::string latex_head(std::string_view latex);

/// A tabular as a box that is reduced to the width of the line and nine tenths of the page where it is
/// larger.
[[nodiscard]] std::string latex_fitted(const std::string& tabular);

}  // namespace casp::evidence
