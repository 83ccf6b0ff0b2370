#include "evidence/latex.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "config/text_utils.h"

namespace casp::evidence {

namespace {

/// The first that fits is taken. Brackets and stars would be read as options of `\\`, two hyphens as a dash.
constexpr std::array<std::pair<std::string_view, std::string_view>, 31> latex_escapes{
    {{"λ_cov", "$\\lambda_{\\mathrm{cov}}$"},
     {"λ_sim", "$\\lambda_{\\mathrm{sim}}$"},
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
     {"\x7f", " "},
     {"†", "$^\\dagger$"},
     {"−", "$-$"},
     {"±", "$\\pm$"},
     {"ᵀ", "$^{\\mathrm{T}}$"},
     {"·", "$\\cdot$"},
     {"×", "$\\times$"},
     {"≥", "$\\geq$"},
     {"≤", "$\\leq$"},
     {"–", "--"},
     {"…", "\\dots{}"}}};

constexpr char32_t capital_alpha = U'Α', small_alpha = U'α';

/// From Α on; the second sigma has no capital.
constexpr std::array<std::string_view, 25> capitals{
    "\\mathrm{A}", "\\mathrm{B}", "\\Gamma",     "\\Delta",  "\\mathrm{E}", "\\mathrm{Z}", "\\mathrm{H}",
    "\\Theta",     "\\mathrm{I}", "\\mathrm{K}", "\\Lambda", "\\mathrm{M}", "\\mathrm{N}", "\\Xi",
    "\\mathrm{O}", "\\Pi",        "\\mathrm{P}", "",         "\\Sigma",     "\\mathrm{T}", "\\Upsilon",
    "\\Phi",       "\\mathrm{X}", "\\Psi",       "\\Omega"};
constexpr std::array<std::string_view, 25> smalls{
    "\\alpha",  "\\beta", "\\gamma", "\\delta",    "\\varepsilon", "\\zeta", "\\eta",
    "\\theta",  "\\iota", "\\kappa", "\\lambda",   "\\mu",         "\\nu",   "\\xi",
    "o",        "\\pi",   "\\rho",   "\\varsigma", "\\sigma",      "\\tau",  "\\upsilon",
    "\\varphi", "\\chi",  "\\psi",   "\\omega"};

/// Command of a Greek letter in math mode; empty: it is none.
std::string_view greek(char32_t letter) {
    if (letter >= small_alpha && letter < small_alpha + smalls.size()) return smalls[letter - small_alpha];
    if (letter >= capital_alpha && letter < capital_alpha + capitals.size())
        return capitals[letter - capital_alpha];
    return {};
}

/// A character of UTF-8 text; 0: the byte is not valid there.
struct Character {
    char32_t code = 0;
    std::size_t bytes = 1;
};

Character first_character(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead < 0x80) return {lead, 1};
    const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc0 || !config::is_utf8(text.substr(0, bytes))) return {};
    char32_t code = lead & (0x7fU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fU);
    return {code, bytes};
}

}  // namespace

std::string latex_escaped(std::string_view text) {
    std::string safe;
    while (!text.empty()) {
        const auto escape = std::find_if(latex_escapes.begin(), latex_escapes.end(),
                                         [&](const auto& entry) { return text.starts_with(entry.first); });
        if (escape != latex_escapes.end()) {
            safe += escape->second;
            text.remove_prefix(escape->first.size());
            continue;
        }
        const auto [code, bytes] = first_character(text);
        if (const auto command = greek(code); !command.empty())
            safe += "$" + std::string(command) + "$";
        else
            safe += code == 0 ? "?" : text.substr(0, bytes);
        text.remove_prefix(bytes);
    }
    return safe;
}

std::string latex_head(std::string_view latex) {
    const bool plain =
        std::all_of(latex.begin(), latex.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (plain) return "% Compile with pdflatex; needs \\usepackage{booktabs,graphicx}.\n";
    return "% Compile with lualatex; needs \\usepackage{booktabs,graphicx,fontspec}, and \\setmainfont{NAME} "
           "of "
           "a font with all letters.\n";
}

std::string latex_marked(const std::string& text, Mark mark) {
    const auto safe = latex_escaped(text);
    if (mark == Mark::none) return safe;
    return (mark == Mark::bold ? "\\textbf{" : "\\underline{") + safe + "}";
}

std::string markdown_marked(const std::string& text, Mark mark) {
    if (mark == Mark::none) return text;
    return mark == Mark::bold ? "**" + text + "**" : "<u>" + text + "</u>";
}

std::string latex_tabular(const std::string& columns, const std::vector<std::vector<std::string>>& lines) {
    std::string text =
        "\\resizebox*{!}{\\ifdim\\totalheight>0.9\\textheight 0.9\\textheight\\else\\totalheight\\fi}{%\n"
        "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
        "\\begin{tabular}{" +
        columns + "}\n\\toprule\n";
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) text += (i == 0 ? "" : " & ") + line[i];
        text += line.empty() ? "\\midrule\n" : " \\\\\n";
    }
    return text + "\\bottomrule\n\\end{tabular}}}";
}

std::string latex_noted(const std::string& tabular, const std::string& notes) {
    return "{\\centering\\footnotesize\\setlength{\\tabcolsep}{4pt}%\n" + tabular +
           "\\par\n\\smallskip\\raggedright\n" + notes + "}\n";
}

Phrase backbone_note(std::set<std::string> backbones) {
    if (backbones.size() > 1) backbones.erase("none");
    if (backbones.empty()) return {};
    const auto& only = *backbones.begin();
    const bool one = backbones.size() == 1;
    if (one && only == "none") return "The runs have no backbone.";
    if (one && only == "openai-gpt2-small") return "Backbone of the runs: GPT-2, as in the paper.";
    std::string names;
    for (const auto& name : backbones) names += (name == only ? "" : ", ") + name;
    if (backbones.count("untrained") == 0)
        return one ? Phrase("Backbone of the runs: %1, not the paper's GPT-2.", names)
                   : Phrase("Backbones of the runs: %1, not the paper's GPT-2.", names);
    return one ? Phrase(
                     "Backbone of the runs: %1. Random weights are not a language model; these numbers do "
                     "not "
                     "apply to GPT-2.",
                     names)
               : Phrase(
                     "Backbones of the runs: %1. Random weights are not a language model; their numbers do "
                     "not apply to GPT-2.",
                     names);
}

Phrase precision_note(const std::set<std::string>& precisions) {
    if (precisions.empty()) return {};
    const auto names = precisions_text(precisions);
    return precisions.size() == 1
               ? Phrase("Precision of the runs: %1.", names)
               : Phrase("The runs have different precisions (%1), which alone change the numbers slightly.",
                        names);
}

std::string precisions_text(const std::set<std::string>& precisions) {
    std::string text;
    for (const auto& name : precisions) text += (text.empty() ? "" : " + ") + name;
    return text;
}

}  // namespace casp::evidence
