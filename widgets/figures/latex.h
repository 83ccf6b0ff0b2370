#pragma once
// Texts of figures and runs within LaTeX. Plain function, any thread.

#include <QString>

namespace casp::figures {

/// `text` for the running text of LaTeX: characters with a meaning of their own are escaped, signs and
/// letters of formulas that this program writes become ASCII ("λ_cov = 0.1": "$\lambda_{\mathrm{cov}}$ =
/// 0.1", "national_illness": "national\_illness"). Needs no package. Letters of other scripts stay: LaTeX
/// reads UTF-8.
[[nodiscard]] QString latex_text(const QString& text);

}  // namespace casp::figures
