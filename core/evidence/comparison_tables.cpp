// Comparisons as CSV, Markdown, LaTeX and text.

#include <array>
#include <charconv>
#include <cmath>

#include "evidence/comparisons.h"
#include "evidence/latex.h"
#include "store/result_columns.h"

namespace casp::evidence {

namespace {

using Fields = std::vector<std::string>;

/// Two decimals and a sign.
std::string percent_text(double percent) {
    if (!std::isfinite(percent)) return "–";
    std::array<char, 400> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), percent, std::chars_format::fixed, 2).ptr;
    return (percent > 0 ? "+" : "") + std::string(text.data(), end);
}

std::string method_of(const SignedRank& test) {
    if (std::isnan(test.p)) return {};
    return test.exact ? "exact" : "approximate";
}

std::string interval_text(const Interval& interval) {
    if (std::isnan(interval.low)) return "–";
    return store::four_digits(interval.low) + " to " + store::four_digits(interval.high);
}

/// A number in math mode, which gives it a minus sign.
std::string latex_number(const std::string& text) { return text == "–" ? "--" : "$" + text + "$"; }

}  // namespace

std::string comparisons_csv(const std::vector<Comparison>& rows) {
    std::vector<Fields> lines{{"task", "metric", "base", "other", "n", "improved", "mean_base", "mean_other",
                               "delta", "delta_percent", "ci_low", "ci_high", "w", "p", "p_holm", "method"}};
    for (const auto& row : rows)
        lines.push_back({row.task, row.metric, row.base, row.other, std::to_string(row.n),
                         std::to_string(row.improved), store::shortest(row.mean_base),
                         store::shortest(row.mean_other), store::shortest(row.delta),
                         store::shortest(row.delta_percent), store::shortest(row.interval.low),
                         store::shortest(row.interval.high), store::shortest(row.test.w),
                         store::shortest(row.test.p), store::shortest(row.p_holm), method_of(row.test)});
    return store::csv(lines);
}

std::string comparisons_markdown(const std::vector<Comparison>& rows) {
    std::vector<Fields> lines{{"task", "metric", "base", "other", "n", "improved", "mean of base",
                               "mean of other", "Δ", "Δ %", "95 % interval of Δ", "W", "p", "p (Holm)",
                               "in words"}};
    std::vector<bool> right(lines[0].size(), true);
    for (const std::size_t left : {0, 1, 2, 3, 14}) right[left] = false;
    for (const auto& row : rows)
        lines.push_back({row.task, row.metric, row.base, row.other, std::to_string(row.n),
                         std::to_string(row.improved) + "/" + std::to_string(row.n),
                         store::four_digits(row.mean_base), store::four_digits(row.mean_other),
                         store::four_digits(row.delta), percent_text(row.delta_percent),
                         interval_text(row.interval),
                         std::isnan(row.test.w) ? "–" : store::shortest(row.test.w), p_text(row.test.p),
                         p_text(row.p_holm), verdict(row)});
    return store::markdown(lines, right) +
           "\nΔ: mean of other − base over n pairs with equal seeds (task \"all\": over the mean Δ of n "
           "tasks). "
           "Improved: pairs in which other is lower. Interval: 95 % paired bootstrap of Δ (10,000 resamples, "
           "seed " +
           std::to_string(BootstrapSettings().seed) +
           "). W, p: two-sided Wilcoxon signed-rank test, exact up to 50 pairs without ties or zeros. p "
           "(Holm): "
           "adjusted over the tasks and values of a metric.\n";
}

std::string comparisons_latex(const std::vector<Comparison>& rows) {
    std::string text =
        "% Needs \\usepackage{booktabs}. Intervals: 95 % paired bootstrap; W, p: two-sided Wilcoxon "
        "signed-rank.\n"
        "\\begin{tabular}{llllrrrrrrrr}\n\\toprule\n"
        "Task & Metric & Base & Other & $n$ & Improved & Mean base & Mean other & $\\Delta$ (\\%) & 95\\,\\% "
        "interval & "
        "$W$ & $p$ \\\\\n\\midrule\n";
    for (const auto& row : rows) {
        const auto number = [](double value) { return latex_number(store::four_digits(value)); };
        const auto interval = std::isnan(row.interval.low)
                                  ? std::string("--")
                                  : "[" + number(row.interval.low) + ", " + number(row.interval.high) + "]";
        const Fields fields{latex_escaped(row.task),
                            latex_escaped(row.metric),
                            latex_escaped(row.base),
                            latex_escaped(row.other),
                            std::to_string(row.n),
                            std::to_string(row.improved) + "/" + std::to_string(row.n),
                            number(row.mean_base),
                            number(row.mean_other),
                            latex_number(percent_text(row.delta_percent)),
                            interval,
                            std::isnan(row.test.w) ? "--" : store::shortest(row.test.w),
                            latex_number(p_text(row.test.p))};
        for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : " & ") + fields[i];
        text += " \\\\\n";
    }
    return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string comparisons_text(const std::vector<Comparison>& rows) {
    if (rows.empty()) return {};
    std::vector<Fields> lines{{"task", "metric", "base", "other", "mean of base", "mean of other", "Δ %",
                               "95 % interval of Δ", "in words"}};
    for (const auto& row : rows)
        lines.push_back({row.task, row.metric, row.base, row.other, store::four_digits(row.mean_base),
                         store::four_digits(row.mean_other), percent_text(row.delta_percent),
                         interval_text(row.interval), verdict(row)});
    return store::markdown(lines, {false, false, false, false, true, true, true, true, false});
}

}  // namespace casp::evidence
