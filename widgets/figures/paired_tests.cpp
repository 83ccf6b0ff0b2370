#include "figures/comparison.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <QFile>

#include "config/options.h"
#include "evidence/batch_periods.h"
#include "store/result_columns.h"

namespace casp::figures {

namespace {

/// Per cent: differences in per cent have at most two decimals.
constexpr double min_percent_sd = 0.1;
const QString dots_text = QStringLiteral(" … ");

/// Data and horizon of a line, as far as lines differ in them.
std::string cell_of(const Comparison& comparison, const CompareLine& line) {
    std::string cell = "cell";
    for (qsizetype i = 0; i < comparison.line_keys.size(); ++i)
        if (const auto key = comparison.line_keys[i].toStdString();
            key == "preset" || config::changes_the_task(key))
            cell += '\n' + line.settings[i].toStdString();
    return cell;
}

/// With `runs`: which can be read.
std::vector<evidence::Outcome> outcomes_of(const Comparison& comparison,
                                           const std::vector<CompareRun>& runs = {}) {
    std::vector<evidence::Outcome> outcomes;
    for (std::size_t l = 0; l < comparison.lines.size(); ++l) {
        const auto cell = cell_of(comparison, comparison.lines[l]);
        for (const auto& point : comparison.lines[l].points)
            for (std::size_t i = 0; i < point.values.size(); ++i) {
                if (point.early[i]) continue;
                outcomes.push_back({std::to_string(l),
                                    point.x.text.toStdString(),
                                    point.seeds[i],
                                    point.values[i],
                                    {},
                                    cell});
                if (runs.empty()) continue;
                const auto& run = runs[point.runs[i]];
                outcomes.back().run = QFile::encodeName(run.folder).toStdString();
                outcomes.back().lookback = run.row.lookback;
                outcomes.back().horizon = store::has_scores(run.row) ? 0 : run.row.horizon;
            }
    }
    return outcomes;
}

/// Whether differences between the values of x can be tested at all.
bool can_be_paired(const Comparison& comparison) {
    return comparison.x_values.size() > 1 && comparison.x_key != QLatin1String("train.seed");
}

/// A difference with its sign and the digits that `sd` allows.
QString signed_text(double value, double sd) {
    const auto text = spread_text(value, sd);
    if (text.startsWith(u'-')) return QStringLiteral("−") + text.mid(1);
    return (text.toDouble() > 0 ? QStringLiteral("+") : QString()) + text;
}

const PairedTest* test_of(const Comparison& comparison, std::optional<std::size_t> line,
                          const QString& other) {
    for (const auto& test : comparison.tests)
        if (test.line == line && other == QString::fromStdString(test.result.other)) return &test;
    return nullptr;
}

Phrase pairs_needed_text(const evidence::Comparison& result) {
    const auto pairs = evidence::pairs_for_stated_effect(result);
    if (pairs <= result.n) return {};
    return Phrase(
        "With this spread, detecting a difference of %1 % with power 80 % at p < 0.05 takes about %2 pairs.",
        store::shortest(100 * evidence::stated_effect), pairs);
}

/// Why there is no test.
Phrase no_pairs_text(const Comparison& comparison) {
    std::set<std::int64_t> of_base, of_others;
    for (const auto& outcome : outcomes_of(comparison))
        (outcome.group == comparison.base.toStdString() ? of_base : of_others).insert(outcome.seed);
    const auto base = setting_text(comparison.x_key, comparison.base);
    if (std::none_of(of_base.begin(), of_base.end(), [&](auto seed) { return of_others.count(seed) != 0; }))
        return Phrase("No pairs: no seed has finished runs both at %1 and at another value.",
                      base.toStdString());
    QStringList titles;
    for (const auto& key : comparison.line_keys) titles << key_title(key);
    return Phrase(
        "No pairs: runs of the same seed at %1 and at another value also differ in other settings (%2).",
        base.toStdString(), titles.join(QStringLiteral(", ")).toStdString());
}

}  // namespace

void set_base(Comparison& comparison, const QString& wanted) {
    comparison.base.clear();
    if (!can_be_paired(comparison)) return;
    const auto& values = comparison.x_values;
    const bool known =
        std::any_of(values.begin(), values.end(), [&](const SettingValue& x) { return x.text == wanted; });
    comparison.base = known ? wanted : values.front().text;
}

void add_paired_tests(Comparison& comparison) {
    comparison.tests.clear();
    comparison.tested = true;
    if (comparison.base.isEmpty()) return;
    for (auto& result : evidence::compare_pairs(outcomes_of(comparison), comparison.metric->name,
                                                comparison.base.toStdString())) {
        PairedTest test;
        if (result.task != evidence::all_tasks) test.line = std::stoul(result.task);
        test.result = std::move(result);
        comparison.tests.push_back(std::move(test));
    }
}

void add_period_tests(Comparison& comparison, const std::vector<CompareRun>& runs,
                      const std::stop_token& stop) {
    std::vector<evidence::Comparison> results;
    for (const auto& test : comparison.tests) results.push_back(test.result);
    evidence::add_period_tests(results, outcomes_of(comparison, runs), {}, stop);
    for (std::size_t i = 0; i < results.size(); ++i)
        comparison.tests[i].result.periods = std::move(results[i].periods);
}

std::int64_t max_pairs(const Comparison& comparison) {
    std::int64_t pairs = 0;
    if (!can_be_paired(comparison)) return pairs;
    for (const auto& line : comparison.lines)
        for (const auto& point : line.points) pairs += std::ssize(point.values);
    return pairs;
}

evidence::Interval shown_interval(const evidence::Comparison& result) {
    return result.n < evidence::fewest_pairs() ? evidence::Interval() : result.interval;
}

double shown_p(const evidence::SignedRank& test) {
    return test.p < evidence::smallest_p(test.pairs - test.zeros) ? store::not_known : test.p;
}

std::vector<const PairedTest*> tests_of_rows(const Comparison& comparison) {
    std::vector<const PairedTest*> tests;
    for (std::size_t l = 0; l < comparison.lines.size(); ++l)
        for (const auto& point : comparison.lines[l].points)
            tests.push_back(test_of(comparison, l, point.x.text));
    if (comparison.line_keys.isEmpty()) return tests;  // a row over all tasks has nowhere to say so
    for (const auto& x : comparison.x_values)
        if (const auto* test = test_of(comparison, {}, x.text)) tests.push_back(test);
    return tests;
}

double corrected_p(const PairedTest& test) {
    return std::isfinite(test.result.p_holm) ? test.result.p_holm : test.result.test.p;
}

QStringList test_header(bool exact) {
    if (exact)
        return {QStringLiteral("base"),          QStringLiteral("pairs"),
                QStringLiteral("improved"),      QStringLiteral("delta"),
                QStringLiteral("delta_percent"), QStringLiteral("ci_low"),
                QStringLiteral("ci_high"),       QStringLiteral("p"),
                QStringLiteral("p_holm")};
    return {QStringLiteral(QT_TRANSLATE_NOOP("core", "pairs")),
            QStringLiteral(QT_TRANSLATE_NOOP("core", "lower")),
            QStringLiteral("Δ"),
            QStringLiteral("Δ %"),
            QStringLiteral(QT_TRANSLATE_NOOP("core", "95 % interval")),
            QStringLiteral("p"),
            QStringLiteral("p (Holm)"),
            QStringLiteral(QT_TRANSLATE_NOOP("core", "p (periods)"))};
}

QStringList test_cells(const Comparison& comparison, const PairedTest* test, bool exact) {
    QStringList cells;
    if (test == nullptr) {
        while (cells.size() < test_header(exact).size()) cells << QString();
        return cells;
    }
    const auto& r = test->result;
    if (exact) {
        cells << comparison.base << QString::number(r.n) << QString::number(r.improved);
        for (const double value :
             {r.delta, r.delta_percent, r.interval.low, r.interval.high, r.test.p, r.p_holm})
            cells << (std::isfinite(value) ? QString::fromStdString(store::shortest(value)) : QString());
        return cells;
    }
    const auto interval = shown_interval(r);
    const double p = shown_p(r.test);
    return {QString::number(r.n),
            QStringLiteral("%1 of %2").arg(r.improved).arg(r.n),
            signed_text(r.delta, r.sd),
            is_relative(comparison)
                ? signed_text(r.delta_percent, std::max(min_percent_sd, 100 * r.sd / std::abs(r.mean_base)))
                : QStringLiteral("–"),
            std::isfinite(interval.low)
                ? signed_text(interval.low, r.sd) + dots_text + signed_text(interval.high, r.sd)
                : QStringLiteral("–"),
            QString::fromStdString(evidence::p_text(p)),
            QString::fromStdString(evidence::p_text(std::isnan(p) ? p : r.p_holm)),
            QString::fromStdString(evidence::p_text(r.periods ? r.periods->p : store::not_known))};
}

Phrase test_sentence(const Comparison& comparison, const PairedTest& test) {
    const auto where =
        test.line ? Phrase(comparison.lines[*test.line].name.toStdString()) : Phrase("over all tasks");
    auto words = evidence::verdict(test.result);
    const auto& periods = test.result.periods;
    if (periods && (std::isfinite(periods->p) || test.result.n == 1))
        if (const auto over_periods = evidence::period_verdict(test.result); !over_periods.empty())
            words = words + "; " + over_periods;
    const Phrase said("%1 against %2 (%3, %4) – %5.",
                      setting_text(comparison.x_key, QString::fromStdString(test.result.other)).toStdString(),
                      comparison.base.toStdString(), where, in_sentence(comparison.metric).toStdString(),
                      words);
    return in_turn(said, pairs_needed_text(test.result));
}

std::vector<const PairedTest*> main_tests(const Comparison& comparison) {
    std::vector<const PairedTest*> over_all, single;
    for (const auto& test : comparison.tests) (test.line ? single : over_all).push_back(&test);
    return over_all.empty() ? single : over_all;
}

std::vector<Phrase> test_summary(const Comparison& comparison, qsizetype most) {
    std::vector<Phrase> sentences;
    if (comparison.base.isEmpty() || !comparison.tested) return sentences;
    const auto tests = main_tests(comparison);
    if (tests.empty()) return {no_pairs_text(comparison)};
    for (const auto* test : tests) {
        if (std::ssize(sentences) == most) break;
        sentences.push_back(test_sentence(comparison, *test));
    }
    if (const auto others = std::ssize(tests) - std::ssize(sentences); others > 0)
        sentences.push_back(Phrase("%1 more in the table.", others));
    return sentences;
}

}  // namespace casp::figures
