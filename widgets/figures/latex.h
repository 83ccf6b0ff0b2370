#pragma once
// Conversion of figure and run texts to LaTeX. Plain function, any thread.

#include <QString>

namespace casp::figures {

/// `text` for LaTeX running text: special characters are escaped, and this program's formula symbols become
/// ASCII ("λ_cov = 0.1": "$\lambda_{\mathrm{cov}}$ = 0.1", "national_illness": "national\_illness"). Requires
/// no package. Letters of other scripts are kept: LaTeX reads UTF-8.
[[nodiscard]] QString latex_text(const QString& text);

}  // namespace casp::figures
