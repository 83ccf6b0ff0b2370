// Comparisons as CSV, Markdown, LaTeX and text.

#include <algorithm>
#include <array>
#include <cmath>

#include "evidence/backbone_note.h"
#include "evidence/comparisons.h"
#include "evidence/latex.h"
#include "store/result_columns.h"

namespace casp::evidence {

namespace {

using Fields = std::vector<std::string>;

std::string method_of(const SignedRank& test) {
    if (std::isnan(test.p)) return {};
    return test.exact ? "exact" : "approximate";
}

std::string interval_text(const Interval& interval) {
    if (std::isnan(interval.low)) return "–";
    return store::four_digits(interval.low) + " to " + store::four_digits(interval.high);
}

/// Whether p (Holm) can differ from p.
bool has_families(const std::vector<Comparison>& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const Comparison& row) { return row.family > 1; });
}

/// Δ %, where that means something.
std::string change_text(const Comparison& row) {
    return percent_text(is_relative(row.metric) ? row.delta_percent : store::not_known);
}

std::string backbones_text(const std::vector<Comparison>& rows) {
    std::set<std::string> backbones;
    for (const auto& row : rows) backbones.insert(row.backbones.begin(), row.backbones.end());
    return backbone_note(std::move(backbones));
}

/// "test MSE" for test_mse.
std::string metric_title(const std::string& metric) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> names{
        {{"val", "validation"},
         {"mse", "MSE"},
         {"mae", "MAE"},
         {"smape", "sMAPE"},
         {"mase", "MASE"},
         {"owa", "OWA"}}};
    std::string title;
    for (std::size_t at = 0; at <= metric.size();) {
        const auto end = std::min(metric.find('_', at), metric.size());
        const auto word = std::string_view(metric).substr(at, end - at);
        const auto name =
            std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.first == word; });
        title += (title.empty() ? "" : " ") + std::string(name == names.end() ? word : name->second);
        at = end + 1;
    }
    return title;
}

/// The table of one metric for a terminal.
std::string metric_table(const std::vector<Comparison>& rows) {
    const bool families = has_families(rows);
    std::vector<Fields> lines{
        {"task", "base", "other", "mean of base", "mean of other", "Δ %", "95 % interval of Δ"}};
    std::vector<bool> right{false, false, false, true, true, true, true};
    if (families) {
        lines[0].insert(lines[0].end(), {"p", "p (Holm)"});
        right.resize(lines[0].size(), true);
    }
    lines[0].emplace_back("in words");
    for (const auto& row : rows) {
        Fields line{row.task,
                    row.base,
                    row.other,
                    store::four_digits(row.mean_base),
                    store::four_digits(row.mean_other),
                    change_text(row),
                    interval_text(row.interval)};
        if (families) line.insert(line.end(), {p_text(row.test.p), p_text(row.p_holm)});
        line.push_back(verdict(row));
        lines.push_back(std::move(line));
    }
    return store::aligned(lines, std::move(right));
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
                         store::four_digits(row.delta), change_text(row), interval_text(row.interval),
                         std::isnan(row.test.w) ? "–" : store::shortest(row.test.w), p_text(row.test.p),
                         p_text(row.p_holm), verdict(row)});
    const auto backbone = backbones_text(rows);
    return store::markdown(lines, right) +
           "\nΔ: mean of other − base over n pairs with equal seeds (task \"all\": over the mean Δ of n "
           "tasks). "
           "Improved: pairs in which other is lower. Interval: 95 % paired bootstrap of Δ (10,000 resamples, "
           "seed " +
           std::to_string(BootstrapSettings().seed) +
           "). W, p: two-sided Wilcoxon signed-rank test, exact up to 50 pairs without ties or zeros. p "
           "(Holm): "
           "adjusted over the tasks and values of a metric.\n" +
           (backbone.empty() ? backbone : "\n" + backbone + "\n");
}

std::string comparisons_latex(const std::vector<Comparison>& rows) {
    const bool families = has_families(rows);
    std::string text =
        "% Needs \\usepackage{booktabs}. Intervals: 95 % paired bootstrap; W, p: two-sided Wilcoxon "
        "signed-rank.\n"
        "\\begin{tabular}{llllrrrrrrrr" +
        std::string(families ? "r" : "") +
        "}\n\\toprule\n"
        "Task & Metric & Base & Other & $n$ & Improved & Mean base & Mean other & $\\Delta$ (\\%) & 95\\,\\% "
        "interval & "
        "$W$ & $p$" +
        (families ? " & $p$ (Holm)" : "") + " \\\\\n\\midrule\n";
    for (const auto& row : rows) {
        const auto number = [](double value) { return latex_number(store::four_digits(value)); };
        const auto interval = std::isnan(row.interval.low)
                                  ? std::string("--")
                                  : "[" + number(row.interval.low) + ", " + number(row.interval.high) + "]";
        Fields fields{latex_escaped(row.task),
                      latex_escaped(row.metric),
                      latex_escaped(row.base),
                      latex_escaped(row.other),
                      std::to_string(row.n),
                      std::to_string(row.improved) + "/" + std::to_string(row.n),
                      number(row.mean_base),
                      number(row.mean_other),
                      latex_number(change_text(row)),
                      interval,
                      std::isnan(row.test.w) ? "--" : store::shortest(row.test.w),
                      latex_number(p_text(row.test.p))};
        if (families) fields.push_back(latex_number(p_text(row.p_holm)));
        for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : " & ") + fields[i];
        text += " \\\\\n";
    }
    text += "\\bottomrule\n";
    if (const auto backbone = backbones_text(rows); !backbone.empty())
        text += "\\multicolumn{" + std::to_string(families ? 13 : 12) + "}{l}{" + latex_escaped(backbone) +
                "} \\\\\n";
    return text + "\\end{tabular}\n";
}

std::string comparisons_text(const std::vector<Comparison>& rows) {
    std::vector<std::vector<Comparison>> metrics;
    for (const auto& row : rows) {
        auto metric = std::find_if(metrics.begin(), metrics.end(),
                                   [&](const auto& same) { return same.front().metric == row.metric; });
        if (metric == metrics.end()) metric = metrics.emplace(metrics.end());
        metric->push_back(row);
    }
    std::string text;
    for (const auto& metric : metrics)
        text +=
            (text.empty() ? "" : "\n") + metric_title(metric.front().metric) + "\n" + metric_table(metric);
    if (const auto backbone = backbones_text(rows); !backbone.empty()) text += backbone + "\n";
    return text;
}

}  // namespace casp::evidence
