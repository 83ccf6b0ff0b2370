#include "evidence/latex.h"

#include <algorithm>
#include <array>
#include <utility>

namespace casp::evidence {

namespace {

/// The first that fits is taken. Brackets and stars would be read as options of `\\`, two hyphens as a dash.
constexpr std::array<std::pair<std::string_view, std::string_view>, 31> latex_escapes{
    {{"λ_cov", "$\\lambda_{\\mathrm{cov}}$"},
     {"--", "-{}-"},
     {"\\", "\\textbackslash{}"},
     {"~", "\\textasciitilde{}"},
     {"^", "\\textasciicircum{}"},
     {"&", "\\&"},
     {"%", "\\%"},
     {"$", "\\$"},
     {"#", "\\#"},
     {"_", "\\_"},
     {"{", "\\{"},
     {"}", "\\}"},
     {"<", "$<$"},
     {">", "$>$"},
     {"|", "$|$"},
     {"[", "{[}"},
     {"*", "{*}"},
     {"\n", " "},
     {"\r", " "},
     {"λ", "$\\lambda$"},
     {"Δ", "$\\Delta$"},
     {"α", "$\\alpha$"},
     {"β", "$\\beta$"},
     {"−", "$-$"},
     {"±", "$\\pm$"},
     {"·", "$\\cdot$"},
     {"×", "$\\times$"},
     {"≥", "$\\geq$"},
     {"≤", "$\\leq$"},
     {"–", "--"},
     {"…", "\\dots{}"}}};

}  // namespace

std::string latex_escaped(std::string_view text) {
    std::string safe;
    while (!text.empty()) {
        const auto escape = std::find_if(latex_escapes.begin(), latex_escapes.end(),
                                         [&](const auto& entry) { return text.starts_with(entry.first); });
        const bool found = escape != latex_escapes.end();
        safe += found ? escape->second : text.substr(0, 1);
        text.remove_prefix(found ? escape->first.size() : 1);
    }
    return safe;
}

}  // namespace casp::evidence
