#include "evidence/latex.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "config/text_utils.h"

namespace casp::evidence {

namespace {

/// The first that fits is taken. Brackets and stars would be read as options of `\\`, two hyphens as a dash.
constexpr std::array<std::pair<std::string_view, std::string_view>, 36> latex_escapes{
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
     {"\x7f", " "},
     {"†", "$^\\dagger$"},
     {"ά", "$\\acute{\\alpha}$"},
     {"έ", "$\\acute{\\varepsilon}$"},
     {"ή", "$\\acute{\\eta}$"},
     {"ί", "$\\acute{\\iota}$"},
     {"ό", "$\\acute{o}$"},
     {"ύ", "$\\acute{\\upsilon}$"},
     {"ώ", "$\\acute{\\omega}$"},
     {"−", "$-$"},
     {"±", "$\\pm$"},
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

struct Range {
    char32_t first, last;
};

/// Beyond ASCII, what LaTeX's own fonts have under pdflatex (tried with TeX Live 2022).
constexpr std::array<Range, 30> in_standard_fonts{
    {{0xa0, 0xaa},     {0xac, 0xba},     {0xbc, 0xcf},     {0xd1, 0xdd},     {0xdf, 0xef},
     {0xf1, 0xfd},     {0xff, 0x103},    {0x106, 0x10f},   {0x112, 0x117},   {0x11a, 0x125},
     {0x128, 0x12d},   {0x130, 0x137},   {0x139, 0x13e},   {0x141, 0x148},   {0x14c, 0x165},
     {0x168, 0x171},   {0x174, 0x17e},   {0x218, 0x21b},   {0x2010, 0x2016}, {0x2018, 0x2019},
     {0x201c, 0x201d}, {0x2020, 0x2022}, {0x2026, 0x2026}, {0x2030, 0x2031}, {0x203b, 0x203b},
     {0x203d, 0x203d}, {0x20ac, 0x20ac}, {0x2122, 0x2122}, {0x2190, 0x2190}, {0x2192, 0x2192}}};
/// What the encoding T1 adds.
constexpr std::array<Range, 15> in_t1_fonts{{{0xab, 0xab},
                                             {0xbb, 0xbb},
                                             {0xd0, 0xd0},
                                             {0xde, 0xde},
                                             {0xf0, 0xf0},
                                             {0xfe, 0xfe},
                                             {0x104, 0x105},
                                             {0x110, 0x111},
                                             {0x118, 0x119},
                                             {0x12e, 0x12f},
                                             {0x14a, 0x14b},
                                             {0x172, 0x173},
                                             {0x201a, 0x201a},
                                             {0x201e, 0x201e},
                                             {0x2039, 0x203a}}};

bool is_in(std::span<const Range> ranges, char32_t code) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [&](const Range& range) { return code >= range.first && code <= range.last; });
}

struct Letter {
    char32_t code;
    std::string text;
};

/// Definitions with which pdflatex prints "U+57FA" for a letter, unless a package defines it.
std::string substitutes(const std::vector<Letter>& letters) {
    std::string text =
        "\\def\\caspletter#1#2{\\expandafter\\ifx\\csname u8:\\detokenize{#1}\\endcsname\\relax\n"
        "\\expandafter\\gdef\\csname u8:\\detokenize{#1}\\endcsname{\\texttt{U+#2}}\\fi}%\n";
    for (const auto& letter : letters) {
        text += "\\caspletter{" + letter.text + "}{" +
                fmt::format("{:04X}", static_cast<std::uint32_t>(letter.code)) + "}%\n";
    }
    return text;
}

/// "基 线"; of many, the first eight.
std::string some_of(const std::vector<Letter>& letters) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, letters.size()); ++i)
        text += (i == 0 ? "" : " ") + letters[i].text;
    return letters.size() > most ? text + " …" : text;
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
    bool t1 = false;
    std::vector<Letter> others;
    while (!latex.empty()) {
        const auto [code, bytes] = first_character(latex);
        const Letter letter{code, std::string(latex.substr(0, bytes))};
        latex.remove_prefix(bytes);
        if (letter.code < 0x80 || is_in(in_standard_fonts, letter.code)) continue;
        const bool in_t1 = is_in(in_t1_fonts, letter.code);
        t1 = t1 || in_t1;
        const bool known = std::any_of(others.begin(), others.end(),
                                       [&](const Letter& other) { return other.code == letter.code; });
        if (!in_t1 && !known) others.push_back(letter);
    }
    const std::string needs = "% Compile with pdflatex; needs " +
                              std::string(t1 ? "\\usepackage[T1]{fontenc} and " : "") +
                              "\\usepackage{booktabs,graphicx}.";
    if (others.empty()) return needs + "\n";
    return needs + " pdflatex has no " + some_of(others) +
           " and prints U+ and a number instead: for these letters, compile with lualatex, "
           "\\usepackage{fontspec} "
           "and \\setmainfont{NAME} of a font that has them.\n" +
           substitutes(others);
}

std::string latex_fitted(const std::string& tabular) {
    return "\\resizebox*{!}{\\ifdim\\totalheight>0.9\\textheight 0.9\\textheight\\else\\totalheight\\fi}{%\n"
           "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n" +
           tabular + "}}";
}

}  // namespace casp::evidence
