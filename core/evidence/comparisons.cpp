#include "evidence/comparisons.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <stdexcept>

#include "data/describe.h"
#include "store/result_columns.h"
#include "util/grouping.h"
#include "util/phrase.h"

namespace casp::evidence {

namespace {

/// Values of the two sides, pair by pair.
struct Sides {
    std::vector<double> base, other;
    std::set<std::string> backbones, precisions;

    void add_run(const Outcome& run) {
        if (!run.backbone.empty()) backbones.insert(run.backbone);
        if (!run.precision.empty()) precisions.insert(run.precision);
    }
};

Comparison comparison_of(const Sides& sides, std::string task, std::string other) {
    auto row = compare_values(sides.base, sides.other);
    row.task = std::move(task);
    row.other = std::move(other);
    row.backbones = sides.backbones;
    row.precisions = sides.precisions;
    return row;
}

/// The group against the base over the means of each cell's tasks.
Sides means_of_cells(const std::vector<Comparison>& rows, const std::string& group,
                     const std::map<std::string, std::string>& cell_of_task) {
    Sides means;
    const auto cell_if_of_group = [&](const Comparison& row) {
        return row.other == group ? cell_of_task.at(row.task) : std::string();
    };
    for (const auto& [cell, tasks] : grouped(rows, cell_if_of_group)) {
        if (cell.empty()) continue;
        std::vector<double> base, other;
        for (const auto* row : tasks) {
            base.push_back(row->mean_base);
            other.push_back(row->mean_other);
            means.backbones.insert(row->backbones.begin(), row->backbones.end());
            means.precisions.insert(row->precisions.begin(), row->precisions.end());
        }
        means.base.push_back(store::statistic_of(base).mean);
        means.other.push_back(store::statistic_of(other).mean);
    }
    return means;
}

void adjust_for_family(std::vector<Comparison>& rows) {
    std::vector<double> p;
    for (const auto& row : rows) p.push_back(row.test.p);
    const auto adjusted = holm(p);
    const auto tests = std::count_if(p.begin(), p.end(), [](double value) { return !std::isnan(value); });
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].p_holm = adjusted[i];
        rows[i].family = tests;
    }
}

/// Two significant digits without exponent for large numbers: "0.64", "123".
std::string two_digits(double value) {
    return std::abs(value) >= 10 ? store::digits(value, std::chars_format::fixed, 0)
                                 : store::digits(value, std::chars_format::general, 2);
}

std::string p_clause(double p, double alpha) {
    const auto text = p_text(p, alpha);
    return text.starts_with('<') ? "p " + text : "p = " + text;
}

/// "8 pairs", "1 task", "23,000 series".
Phrase counted_pairs(const Comparison& row) {
    const auto number = data::with_commas(row.n);
    if (row.over_series) return Phrase("%1 series", number);
    return row.task == all_tasks ? row.n == 1 ? Phrase("%1 task", number) : Phrase("%1 tasks", number)
           : row.n == 1 ? Phrase("%1 pair", number)
                                 : Phrase("%1 pairs", number);
}

/// In per cent of the base where that means something.
std::string size_of_change(const std::string& metric, double delta, double percent) {
    if (is_relative(metric) && std::isfinite(percent)) return two_digits(std::abs(percent)) + " %";
    return two_digits(std::abs(delta));
}

std::string size_of_change(const Comparison& row) {
    return size_of_change(row.metric, row.delta, row.delta_percent);
}

}  // namespace

Comparison compare_values(const std::vector<double>& base, const std::vector<double>& other,
                          const BootstrapSettings& settings) {
    if (base.size() != other.size())
        throw std::invalid_argument("compare_values: " + std::to_string(base.size()) + " and " +
                                    std::to_string(other.size()) + " values");
    Comparison row;
    row.n = std::ssize(base);
    for (std::size_t i = 0; i < base.size(); ++i) {
        row.differences.push_back(other[i] - base[i]);
        if (row.differences.back() < 0) ++row.improved;
    }
    row.mean_base = store::statistic_of(base).mean;
    row.mean_other = store::statistic_of(other).mean;
    const auto statistic = store::statistic_of(row.differences);
    row.delta = statistic.mean;
    row.sd = statistic.sd;
    if (row.mean_base != 0) row.delta_percent = 100 * row.delta / std::abs(row.mean_base);
    row.interval = bootstrap_interval(row.differences, settings);
    // One difference is no test, nor part of a family.
    if (row.n > 1) row.test = signed_rank(row.differences);
    return row;
}

std::vector<OutcomePairs> pairs_of(const std::vector<Outcome>& outcomes, const std::string& base) {
    std::vector<std::string> tasks, groups;
    std::map<std::pair<std::string, std::string>, std::map<std::int64_t, const Outcome*>> values;
    for (const auto& outcome : outcomes) {
        add_once(tasks, outcome.task);
        if (outcome.group != base) add_once(groups, outcome.group);
        if (!std::isfinite(outcome.value)) continue;
        values[{outcome.task, outcome.group}].emplace(outcome.seed, &outcome);
        for (const auto& task : outcome.also) values[{task, outcome.group}].emplace(outcome.seed, &outcome);
    }
    std::vector<OutcomePairs> all;
    for (const auto& task : tasks) {
        const auto& base_values = values[{task, base}];
        for (const auto& group : groups) {
            OutcomePairs found{task, group, {}};
            for (const auto& [seed, outcome] : values[{task, group}])
                if (const auto of_base = base_values.find(seed);
                    of_base != base_values.end() && (of_base->second->task == task || outcome->task == task))
                    found.pairs.emplace_back(of_base->second, outcome);
            if (!found.pairs.empty()) all.push_back(std::move(found));
        }
    }
    return all;
}

std::vector<Comparison> compare_pairs(const std::vector<Outcome>& outcomes, const std::string& metric,
                                      const std::string& base) {
    std::map<std::string, std::string> cells;
    std::vector<std::string> groups;
    for (const auto& outcome : outcomes) {
        cells[outcome.task] = outcome.cell.empty() ? outcome.task : outcome.cell;
        if (outcome.group != base) add_once(groups, outcome.group);
    }
    std::vector<Comparison> rows;
    for (const auto& paired : pairs_of(outcomes, base)) {
        Sides sides;
        for (const auto& [of_base, of_other] : paired.pairs) {
            sides.base.push_back(of_base->value);
            sides.other.push_back(of_other->value);
            sides.add_run(*of_base);
            sides.add_run(*of_other);
        }
        rows.push_back(comparison_of(sides, paired.task, paired.other));
    }
    adjust_for_family(rows);
    std::vector<Comparison> over_cells;
    for (const auto& group : groups)
        if (const auto sides = means_of_cells(rows, group, cells); sides.base.size() > 1)
            over_cells.push_back(comparison_of(sides, all_tasks, group));
    std::move(over_cells.begin(), over_cells.end(), std::back_inserter(rows));
    for (auto& row : rows) {
        row.metric = metric;
        row.base = base;
    }
    return rows;
}

std::string p_text(double p, double alpha) {
    if (std::isnan(p)) return "–";
    if (p < 0.001) return "< 0.001";
    for (int digits = 2; digits < 6; ++digits) {
        const auto text = store::digits(p, std::chars_format::general, digits);
        double read = p;
        std::from_chars(text.data(), text.data() + text.size(), read);
        if ((read < alpha) == (p < alpha)) return text;
    }
    return store::shortest(p);
}

std::string percent_text(double percent) {
    if (!std::isfinite(percent)) return "–";
    const auto digits = store::digits(percent, std::chars_format::fixed, 2);
    if (digits.find_first_of("123456789") == std::string::npos) return "0.00";
    return (percent > 0 ? "+" : "") + digits;
}

bool is_relative(const std::string& metric) {
    const auto* column = store::find_column(metric);
    return column == nullptr || !column->has(store::ResultColumn::can_be_zero);
}

std::int64_t pairs_for_stated_effect(const Comparison& row) {
    if (row.task == all_tasks || row.over_series || row.n < 2 || !is_relative(row.metric) ||
        row.test.p < significance_level)
        return 0;
    return pairs_needed(stated_effect * std::abs(row.mean_base), row.sd);
}

Phrase verdict(const Comparison& row, double alpha) {
    const bool over_seeds = row.task != all_tasks && !row.over_series;
    const auto pairs = counted_pairs(row);
    if (row.n < 2)
        return over_seeds ? Phrase("%1: says nothing about seed noise", pairs)
                          : Phrase("%1: says nothing about others", pairs);
    const auto p = p_clause(row.test.p, alpha);
    const auto equal = row.test.zeros;
    if (equal == row.n) return Phrase("%1: equal results", pairs);
    if (smallest_p(row.n - equal) >= alpha) {
        const auto level = store::shortest(alpha), least = std::to_string(fewest_pairs(alpha));
        const auto few = equal > 0
                             ? Phrase("%1, %2 of them equal: too few for p < %3 (at least %4 that differ)",
                                      pairs, equal, level, least)
                             : Phrase("%1: too few for p < %2 (at least %3)", pairs, level, least);
        return row.test.exact ? few + "; " + p : few;
    }
    if (row.test.p >= alpha && (row.interval.low > 0 || row.interval.high < 0))
        return Phrase("%1: not distinguishable (%2), although the 95 % interval excludes 0", pairs, p);
    if (row.test.p >= alpha)
        return over_seeds ? Phrase("%1: within seed noise (%2)", pairs, p)
                          : Phrase("%1: no consistent difference (%2)", pairs, p);
    const bool lower = row.test.w_plus == row.test.w;
    const bool contradicted = row.delta == 0 || (row.delta < 0) != lower;
    const auto agreeing =
        Phrase("%1 of %2", data::with_commas(lower ? row.improved : row.n - equal - row.improved), pairs);
    Phrase text;
    if (!contradicted)
        text = lower ? Phrase("%1: lower by %2 (%3)", pairs, size_of_change(row), p)
                     : Phrase("%1: higher by %2 (%3)", pairs, size_of_change(row), p);
    else if (lower)
        text = row.delta == 0 ? Phrase("%1 lower (%2), but the means are equal", agreeing, p)
                              : Phrase("%1 lower (%2), but the mean is higher", agreeing, p);
    else
        text = row.delta == 0 ? Phrase("%1 higher (%2), but the means are equal", agreeing, p)
                              : Phrase("%1 higher (%2), but the mean is lower", agreeing, p);
    if (!(row.p_holm >= alpha)) return text;
    return contradicted ? Phrase("%1, and %2 after Holm's correction over %3 tests", text,
                                 p_clause(row.p_holm, alpha), row.family)
                        : Phrase("%1, but %2 after Holm's correction over %3 tests", text,
                                 p_clause(row.p_holm, alpha), row.family);
}

Phrase period_verdict(const Comparison& row, double alpha) {
    if (!row.periods) return {};
    const auto& test = *row.periods;
    if (std::isnan(test.p)) return test.why.empty() ? Phrase() : Phrase("no test over periods: %1", test.why);
    const auto where =
        test.cells > 0 ? Phrase("over periods of %1 tasks", test.cells) : Phrase("over periods");
    const auto p = p_clause(test.p, alpha), windows = data::with_commas(test.windows);
    if (test.p >= alpha) return Phrase("%1: no consistent difference (%2, %3 windows)", where, p, windows);
    const auto size = size_of_change(row.metric, test.delta, 100 * test.delta / test.mean_base);
    return test.delta < 0 ? Phrase("%1: lower by %2 (%3, %4 windows)", where, size, p, windows)
                          : Phrase("%1: higher by %2 (%3, %4 windows)", where, size, p, windows);
}

}  // namespace casp::evidence
