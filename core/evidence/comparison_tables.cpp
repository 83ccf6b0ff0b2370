// Comparisons as CSV, Markdown, LaTeX and text.

#include <algorithm>
#include <cmath>

#include "evidence/comparisons.h"
#include "evidence/latex.h"
#include "store/result_columns.h"
#include "util/grouping.h"
#include "util/phrase.h"

namespace casp::evidence {

namespace {

using Fields = std::vector<std::string>;

std::string method_of(const SignedRank& test) {
    if (std::isnan(test.p)) return {};
    return test.exact ? "exact" : "approximate";
}

/// Whether the interval needs a mark: bootstrap intervals of so few pairs are usually too narrow.
bool has_few_pairs(const Comparison& row) {
    return std::isfinite(row.interval.low) && row.n < fewest_pairs(significance_level);
}

constexpr const char* few_pairs_mark = "†";

/// Explanation of the mark; empty if no row has it.
Phrase few_pairs_note(const std::vector<Comparison>& rows) {
    if (std::none_of(rows.begin(), rows.end(), has_few_pairs)) return {};
    return Phrase(
        "%1 Fewer than %2 pairs (of \"all\": tasks): the interval is usually too narrow, and p < %3 is "
        "impossible.",
        few_pairs_mark, fewest_pairs(significance_level), store::shortest(significance_level));
}

/// How p is computed where it is not exact; empty if every p is.
Phrase approximate_note(const std::vector<Comparison>& rows) {
    if (std::none_of(rows.begin(), rows.end(),
                     [](const Comparison& row) { return method_of(row.test) == "approximate"; }))
        return {};
    return "With ties, zeros or more than 50 pairs, p is the normal approximation with corrections for ties "
           "and continuity; zeros are dropped.";
}

std::string interval_text(const Comparison& row) {
    if (std::isnan(row.interval.low)) return "–";
    return store::four_digits(row.interval.low) + " to " + store::four_digits(row.interval.high) +
           (has_few_pairs(row) ? few_pairs_mark : "");
}

bool is_error(const std::string& metric) {
    const auto* column = store::find_column(metric);
    return column != nullptr && column->is_error();
}

std::string metric_title(const std::string& metric) {
    const auto* column = store::find_column(metric);
    return column == nullptr ? metric : store::title_in_sentence(*column);
}

/// Whether the rows count pairs with a lower value as improved: no other metric is better when it is lower.
/// All rows of a table are errors, or none is.
bool are_errors(const std::vector<Comparison>& rows) {
    return std::all_of(rows.begin(), rows.end(), [](const Comparison& row) { return is_error(row.metric); });
}

/// "7/8": pairs with a lower error, or with a larger value of another metric.
Phrase count_text(const Comparison& row) {
    const auto larger = row.n - row.improved - row.test.zeros;
    return std::to_string(is_error(row.metric) ? row.improved : larger) + "/" + std::to_string(row.n);
}

std::string stated_effect_text() { return store::shortest(100 * stated_effect) + " %"; }

/// The verdict and, where no difference was found, how many further seeds one of the stated size takes.
Phrase in_words(const Comparison& row) {
    // Where there are no seeds, the windows are all there is.
    if (const auto periods = period_verdict(row); row.n < 2 && !periods.empty())
        return verdict(row) + "; " + periods;
    const auto further = pairs_for_stated_effect(row) - row.n;
    if (further <= 0) return verdict(row);
    return further == 1 ? Phrase("%1; finding a difference of %2 takes about %3 more seed", verdict(row),
                                 stated_effect_text(), further)
                        : Phrase("%1; finding a difference of %2 takes about %3 more seeds", verdict(row),
                                 stated_effect_text(), further);
}

/// What the number of further seeds means; empty if no row has one.
Phrase more_seeds_note(const std::vector<Comparison>& rows) {
    if (std::none_of(rows.begin(), rows.end(),
                     [](const Comparison& row) { return pairs_for_stated_effect(row) > row.n; }))
        return {};
    return Phrase(
        "More seeds: with them, the test finds a difference of %1 of the base in 80 % of cases (p < %2), if "
        "the spread stays as in these pairs.",
        stated_effect_text(), store::shortest(significance_level));
}

/// Whether p (Holm) can differ from p.
bool has_families(const std::vector<Comparison>& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const Comparison& row) { return row.family > 1; });
}

/// Δ %, where that means something.
std::string change_text(const Comparison& row) {
    return percent_text(is_relative(row.metric) ? row.delta_percent : store::not_known);
}

Phrase backbones_text(const std::vector<Comparison>& rows) {
    std::set<std::string> backbones;
    for (const auto& row : rows) backbones.insert(row.backbones.begin(), row.backbones.end());
    return backbone_note(std::move(backbones));
}

/// Sentences below a table, in which `words`: verdicts have a column.
std::vector<Phrase> notes_of(const std::vector<Comparison>& rows, bool words) {
    std::vector<Phrase> notes{few_pairs_note(rows), words ? more_seeds_note(rows) : Phrase(),
                              approximate_note(rows), backbones_text(rows),
                              precision_note(precisions_of(rows))};
    std::erase(notes, Phrase());
    return notes;
}

/// Texts of a row for people, in the order of comparisons.md.
Fields cells_of(const Comparison& row) {
    return {row.task,
            row.metric,
            value_text(row.base),
            value_text(row.other),
            std::to_string(row.n),
            count_text(row),
            store::four_digits(row.mean_base),
            store::four_digits(row.mean_other),
            store::four_digits(row.delta),
            change_text(row),
            interval_text(row),
            std::isnan(row.test.w) ? "–" : store::shortest(row.test.w),
            p_text(row.test.p),
            p_text(row.p_holm),
            in_words(row)};
}

/// The table of one metric for a terminal.
std::string metric_table(const std::vector<Comparison>& rows) {
    std::vector<std::size_t> shown{0, 2, 3, 6, 7, 9, 10};
    if (has_families(rows)) shown.insert(shown.end(), {12, 13});
    shown.push_back(14);
    const Fields titles{"task",
                        "",
                        "base",
                        "other",
                        "",
                        "",
                        "mean of base",
                        "mean of other",
                        "",
                        "Δ %",
                        "95 % interval of Δ",
                        "",
                        "p",
                        "p (Holm)",
                        "in words"};
    std::vector<Fields> lines(1 + rows.size());
    std::vector<bool> right;
    for (const auto column : shown) {
        lines[0].push_back(titles[column]);
        right.push_back(column > 3 && column < 14);
        for (std::size_t i = 0; i < rows.size(); ++i) lines[i + 1].push_back(cells_of(rows[i])[column]);
    }
    return store::aligned(lines, right);
}

bool has_period_test(const Comparison& row) { return row.periods && std::isfinite(row.periods->p); }

/// "-0.002 to 0.001".
std::string blocks_text(const Comparison& row) {
    return has_period_test(row) ? store::four_digits(row.periods->blocks.low) + " to " +
                                      store::four_digits(row.periods->blocks.high)
                                : "–";
}

/// What tests over periods give, and over seeds; empty without any.
Phrase periods_note(const std::vector<Comparison>& rows) {
    if (std::none_of(rows.begin(), rows.end(), has_period_test)) return {};
    return Phrase(
        "Tests over seeds ask whether training again, from other initial weights, gives the same difference. "
        "Tests over periods ask whether these trained models differ in the same way in other periods of the "
        "same series; they need no seeds, and say nothing about them. Δ: mean of other − base over the test "
        "windows that all paired runs have; each window's error is the mean over the seeds. DM, p (DM): "
        "Diebold-Mariano test, two-sided, with Newey-West's variance (Bartlett kernel over all windows, "
        "fixed-b distribution), not corrected for the number of tests. Interval: moving blocks at least as "
        "long as windows overlap (10,000 resamples, seed %1). \"all\": as if all tasks rose and fell "
        "together, which is the largest possible error.",
        BootstrapSettings().seed);
}

/// Tests over periods, a line for each row that has one or a reason why not; empty without them.
std::vector<Fields> period_lines(const std::vector<Comparison>& rows) {
    std::vector<Fields> lines{{"task", "metric", "base", "other", "windows", "Δ", "Δ %",
                               "95 % interval of Δ (blocks)", "DM", "p (DM)", "in words"}};
    for (const auto& row : rows) {
        const auto words = period_verdict(row);
        if (words.empty()) continue;
        const auto& test = *row.periods;
        const double delta = has_period_test(row) ? test.delta : store::not_known;
        lines.push_back({row.task, row.metric, value_text(row.base), value_text(row.other),
                         test.windows > 0 ? std::to_string(test.windows) : "–", store::four_digits(delta),
                         percent_text(100 * delta / test.mean_base), blocks_text(row),
                         store::four_digits(test.dm), p_text(test.p), words});
    }
    if (lines.size() == 1) lines.clear();
    return lines;
}

const std::vector<bool> right_period_columns{false, false, false, false, true, true,
                                             true,  true,  true,  true,  false};

/// A number in math mode, which gives it a minus sign: "$-0.25$", "$-7.8\cdot 10^{-6}$".
std::string latex_number(const std::string& text) {
    if (text == "–") return "--";
    const auto e = text.find('e');
    if (e == std::string::npos) return "$" + text + "$";
    return "$" + text.substr(0, e) + "\\cdot 10^{" + std::to_string(std::stoi(text.substr(e + 1))) + "}$";
}

Fields latex_cells(const Comparison& row, bool families, bool periods) {
    const auto number = [](double value) { return latex_number(store::four_digits(value)); };
    auto cells = cells_of(row);
    for (std::size_t i = 0; i < 4; ++i) cells[i] = latex_escaped(cells[i]);
    for (const std::size_t i : {6, 7, 9, 12, 13}) cells[i] = latex_number(cells[i]);
    cells[10] = std::isnan(row.interval.low)
                    ? std::string("--")
                    : "[" + number(row.interval.low) + ", " + number(row.interval.high) + "]" +
                          (has_few_pairs(row) ? latex_escaped(few_pairs_mark) : "");
    if (std::isnan(row.test.w)) cells[11] = "--";
    cells.resize(families ? 14 : 13);
    if (periods) {
        const bool tested = has_period_test(row);
        cells.push_back(tested ? "[" + number(row.periods->blocks.low) + ", " +
                                     number(row.periods->blocks.high) + "]"
                               : "--");
        cells.push_back(tested ? latex_number(p_text(row.periods->p)) : "--");
    }
    cells.erase(cells.begin() + 8);
    return cells;
}

constexpr std::size_t label_columns = 4;  ///< task, metric, base, other

/// Removes label columns with the same text in several rows, and returns that text: "Metric: test\_mse.
/// Base: 0."
std::string without_common_columns(std::vector<Fields>& lines) {
    std::string common;
    if (lines.size() < 3) return common;
    for (std::size_t column = label_columns; column-- > 0;) {
        const auto differs = [&](const Fields& line) { return line[column] != lines[1][column]; };
        if (std::any_of(lines.begin() + 1, lines.end(), differs)) continue;
        common = lines[0][column] + ": " + lines[1][column] + ". " + common;
        for (auto& line : lines) line.erase(line.begin() + static_cast<std::ptrdiff_t>(column));
    }
    return common;
}

}  // namespace

std::string value_text(const std::string& value) { return value.empty() ? "(none)" : value; }

std::string comparisons_csv(const std::vector<Comparison>& rows) {
    std::vector<Fields> lines{{"task", "metric", "base", "other", "n", "improved", "mean_base", "mean_other",
                               "delta", "delta_percent", "ci_low", "ci_high", "w", "p", "p_holm", "method"}};
    // Comparisons of earlier versions have no such column.
    const bool with_precision = !precisions_of(rows).empty();
    // `method` stays behind it.
    if (with_precision) lines[0].insert(lines[0].end() - 1, store::precision_column);
    const bool with_periods =
        std::any_of(rows.begin(), rows.end(), [](const Comparison& row) { return row.periods.has_value(); });
    if (with_periods) lines[0].insert(lines[0].end(), period_columns.begin(), period_columns.end());
    for (const auto& row : rows) {
        lines.push_back({row.task, row.metric, row.base, row.other, std::to_string(row.n),
                         std::to_string(row.improved), store::shortest(row.mean_base),
                         store::shortest(row.mean_other), store::shortest(row.delta),
                         store::shortest(row.delta_percent), store::shortest(row.interval.low),
                         store::shortest(row.interval.high), store::shortest(row.test.w),
                         store::shortest(row.test.p), store::shortest(row.p_holm), method_of(row.test)});
        if (with_precision) lines.back().insert(lines.back().end() - 1, precisions_text(row.precisions));
        if (!with_periods) continue;
        const auto test = row.periods.value_or(PeriodTest());
        for (const double value : {test.dm, test.p, test.blocks.low, test.blocks.high})
            lines.back().push_back(std::isnan(value) ? "" : store::shortest(value));
        lines.back().push_back(test.windows > 0 ? std::to_string(test.windows) : "");
    }
    return store::csv(lines);
}

std::string comparisons_markdown(const std::vector<Comparison>& rows) {
    const bool errors = are_errors(rows);
    std::vector<Fields> lines{{"task", "metric", "base", "other", "n", errors ? "improved" : "larger",
                               "mean of base", "mean of other", "Δ", "Δ %", "95 % interval of Δ", "W", "p",
                               "p (Holm)", "in words"}};
    std::vector<bool> right(lines[0].size(), true);
    for (const std::size_t left : {0, 1, 2, 3, 14}) right[left] = false;
    for (const auto& row : rows) lines.push_back(cells_of(row));
    std::string text =
        errors ? Phrase(
                     "%1\nΔ: mean of other − base over n pairs of runs with equal seeds (task \"all\": over "
                     "the mean Δ of n data sets and horizons). Improved: pairs in which other is lower. "
                     "Interval: 95 % paired bootstrap of Δ (10,000 resamples, seed %2). W, p: two-sided "
                     "Wilcoxon signed-rank test, exact up to 50 pairs without ties or zeros. p (Holm): "
                     "adjusted over the tasks and values of a metric.\n",
                     store::markdown(lines, right), BootstrapSettings().seed)
               : Phrase(
                     "%1\nΔ: mean of other − base over n pairs of runs with equal seeds (task \"all\": over "
                     "the mean Δ of n data sets and horizons). Larger: pairs in which other is higher. "
                     "Interval: 95 % paired bootstrap of Δ (10,000 resamples, seed %2). W, p: two-sided "
                     "Wilcoxon signed-rank test, exact up to 50 pairs without ties or zeros. p (Holm): "
                     "adjusted over the tasks and values of a metric.\n",
                     store::markdown(lines, right), BootstrapSettings().seed);
    for (const auto& note : notes_of(rows, true)) text += "\n" + note + "\n";
    if (const auto periods = period_lines(rows); !periods.empty())
        text += "\n## Over periods\n\n" + store::markdown(periods, right_period_columns);
    if (const auto note = periods_note(rows); !note.empty()) text += "\n" + note + "\n";
    return text;
}

std::string comparisons_latex(const std::vector<Comparison>& rows) {
    const bool families = has_families(rows), errors = are_errors(rows);
    std::vector<Fields> lines{{"Task", "Metric", "Base", "Other", "$n$", errors ? "Improved" : "Larger",
                               "Mean base", "Mean other", "$\\Delta$ (\\%)", "95\\,\\% interval", "$W$",
                               "$p$"}};
    if (families) lines[0].emplace_back("$p$ (Holm)");
    const bool periods = std::any_of(rows.begin(), rows.end(), has_period_test);
    if (periods) lines[0].insert(lines[0].end(), {"95\\,\\% (periods)", "$p$ (periods)"});
    for (const auto& row : rows) lines.push_back(latex_cells(row, families, periods));
    const auto numbers = lines[0].size() - label_columns;
    const auto common = without_common_columns(lines);
    lines.insert(lines.begin() + 1, Fields());
    auto below =
        common +
        "Intervals: 95\\,\\% paired bootstrap; $W$, $p$: two-sided Wilcoxon signed-rank test.\\par\n";
    if (periods)
        below +=
            "Periods: blocks of test windows and Diebold--Mariano test (fixed-$b$), for these trained models "
            "in other periods of the same series; seeds: $W$, $p$.\\par\n";
    for (const auto& note : notes_of(rows, false)) below += latex_escaped(note.english()) + "\\par\n";
    const auto columns = std::string(lines[0].size() - numbers, 'l') + std::string(numbers, 'r');
    const auto text = latex_noted(latex_tabular(columns, lines), below);
    return latex_head(text) + text;
}

std::string comparisons_text(const std::vector<Comparison>& rows) {
    std::string text;
    for (const auto& [metric, members] : grouped(rows, [](const auto& row) { return row.metric; })) {
        std::vector<Comparison> of_metric;
        for (const auto* row : members) of_metric.push_back(*row);
        text += (text.empty() ? "" : "\n") + metric_title(metric) + "\n" + metric_table(of_metric);
    }
    for (const auto& note : notes_of(rows, true)) text += note + "\n";
    if (auto periods = period_lines(rows); !periods.empty())
        text += "\nOver periods of the series\n" + store::aligned(periods, right_period_columns);
    if (const auto note = periods_note(rows); !note.empty()) text += note + "\n";
    return text;
}

}  // namespace casp::evidence
