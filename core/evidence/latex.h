#pragma once
// Escaping of text for LaTeX tables. Without LibTorch; any thread.

#include <string>
#include <string_view>

namespace casp::evidence {

/// `text` (UTF-8, one line) for LaTeX running text, in any place of a table row: special characters are
/// escaped ("[50%] a_b": "{[}50\%] a\_b"), signs of our tables become commands ("λ_cov":
/// "$\lambda_{\mathrm{cov}}$"), and "--" stays two hyphens. Line ends become spaces. Other letters are kept:
/// LaTeX reads UTF-8. Requires no package.
[[nodiscard]] std::string latex_escaped(std::string_view text);

}  // namespace casp::evidence
