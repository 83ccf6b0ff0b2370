#pragma once
// Grouping of runs for a comparison: differing settings, one line per combination, mean and spread over
// seeds, and paired tests of each value of the compared setting against a base, seed by seed. Pure functions
// of plain values; any thread.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <QColor>
#include <QString>
#include <QStringList>

#include "config/config.h"
#include "evidence/comparisons.h"
#include "store/result_row.h"
#include "store/results.h"

namespace casp::figures {

/// One run with its compared values. Without `config` (not read yet, or unreadable) it is omitted.
struct CompareRun {
    QString folder;
    store::ResultRow row;  ///< its values from run.h5 (store::run_file_metrics) only if that was read
    std::shared_ptr<const config::Config> config;
    QColor colour = {};  ///< in the list of runs; invalid: none
};

/// A column of the table of results (store/result_row.h).
using CompareMetric = const store::ResultColumn*;

/// The metrics of Compare and of the figure sensitivity, in the order of the menu.
[[nodiscard]] const std::vector<CompareMetric>& compare_metrics();
/// "test_mse". Throws std::invalid_argument for no metric's name.
[[nodiscard]] CompareMetric metric_named(std::string_view name);
/// In the unit of its axis; NaN: unknown.
[[nodiscard]] double value_of(const CompareRun& run, CompareMetric metric);
/// Whether only run.h5 has it (some metrics of the validation split).
[[nodiscard]] bool is_only_in_run_file(CompareMetric metric);
/// "Test MSE".
[[nodiscard]] QString title_of(CompareMetric metric);
/// The title within a sentence: "test MSE".
[[nodiscard]] QString in_sentence(CompareMetric metric);

/// The key of a sweep's cases ([[sweep.case]]), which is no setting.
extern const QString case_key;

/// "λ_cov", "H", "data", "learning rate": name of a setting in axes and legends.
[[nodiscard]] QString key_title(const QString& key);
/// "PatchTST" of model.name; the name itself of an unknown model.
[[nodiscard]] QString model_title(const QString& name);
/// "λ_cov 0.1", "K 8", "schedule halving", "ETTh1", "PatchTST", "fork of single": a value with the name of
/// its setting where it needs one.
[[nodiscard]] QString setting_text(const QString& key, const QString& value);

/// "GPT-2 small", "other checkpoint", "untrained"; empty if not yet known.
[[nodiscard]] QString backbone_text(const QString& backbone);

/// A setting of a run: text, and its number if numeric.
struct SettingValue {
    QString text;  ///< "–" if unknown, not a setting of the run's model, or λ_cov without coverage
    std::optional<double> number;
    bool operator==(const SettingValue&) const = default;
};
[[nodiscard]] SettingValue setting_of(const CompareRun& run, const QString& key);

/// Keys in which two or more of the runs differ, in the order of the option list, except those that do not
/// affect results (name, preset, device, stored outputs). Data and backbone are compared by content, not by
/// path.
[[nodiscard]] QStringList differing_keys(const std::vector<CompareRun>& runs);

/// Numbers that the cases of a sweep give, in the order of the option list, if they give nothing else and
/// each has at least three values within every task (the other swept settings): the cases are then drawn
/// against these numbers, not as categories. Empty: others, or no cases.
[[nodiscard]] QStringList numbers_of_cases(const std::vector<CompareRun>& runs);

/// One x position of a line: the runs that differ only in the seed.
struct ComparePoint {
    SettingValue x;
    std::vector<std::size_t> runs;    ///< indices into the given runs
    std::vector<double> values;       ///< of those runs, in that order
    std::vector<std::int64_t> seeds;  ///< likewise
    QStringList names;                ///< likewise: folder names with remarks
    std::vector<bool> early;          ///< likewise: finished early
    std::vector<QColor> colours;      ///< likewise: CompareRun::colour
    store::Statistic statistic;       ///< mean and sample standard deviation (n − 1) of the included runs

    /// Number of runs finished early.
    [[nodiscard]] std::size_t early_runs() const;
};

struct CompareLine {
    QString name;                          ///< "ETTh1 · H 96 · K 8"
    QStringList settings;                  ///< values of Comparison::line_keys
    std::vector<ComparePoint> points;      ///< ascending in x
    double last_value = store::not_known;  ///< error of the persistence forecast, for MSE and MAE
};

/// A value of x against the base, within one line or over all of them.
struct PairedTest {
    std::optional<std::size_t> line;  ///< none: over the mean differences of the lines
    evidence::Comparison result;
};

struct Comparison {
    CompareMetric metric = metric_named("test_mse");
    QString x_key;
    QStringList line_keys;  ///< differing keys besides x_key and the seed
    std::vector<CompareLine> lines;
    /// All x: numbers ascending, then texts; cases in the order of the runs.
    std::vector<SettingValue> x_values;
    bool numbers = true;            ///< every x is a number
    bool original_units = false;    ///< all included runs are on collections of series
    int complete = 0;               ///< included runs: finished, also early, with this metric
    int early = 0;                  ///< those of them finished early
    int unfinished = 0;             ///< omitted: not finished
    int unknown = 0;                ///< omitted: finished, but without this metric or known settings
    QString base;                   ///< the value that others are tested against; empty: no tests
    std::vector<PairedTest> tests;  ///< see add_paired_tests()
    bool tested = false;            ///< the tests are complete
};

/// Lines and points of the finished runs. A run finished early was trained for fewer steps than its settings
/// specify and is not a replicate: it is listed in the points but excluded from their
/// means (as in summary.csv); of equal seeds the first counts. A point with only early runs then has n = 0.
/// Where cases are compared, settings that the cases give are no line keys, unless they change the task.
/// Where models are, nor are those that one of them does not read: if runs of the same data and horizon
/// differ in them, they are a part of x ("casp-llm · λ_cov 0.1").
/// Without paired tests, which take longer.
[[nodiscard]] Comparison compare(const std::vector<CompareRun>& runs, CompareMetric metric,
                                 const QString& x_key);

/// A value with the digits that its sample standard deviation allows: to the second significant digit of
/// `sd`, at most four significant digits; these if `sd` is not known or zero. "0.372" for 0.37214 ± 0.02, "–"
/// for NaN.
[[nodiscard]] QString spread_text(double value, double sd);

/// Whether differences are given in per cent: not those of cosines, which can be zero.
[[nodiscard]] bool is_relative(const Comparison& comparison);

/// Title of the metric's axis: "test MSE (scaled)", of collections of series "test MSE (original units)".
[[nodiscard]] QString axis_title(const Comparison& comparison);

/// "3 of 12 runs finished early"; empty: none.
[[nodiscard]] QString early_text(const Comparison& comparison);

/// One row per point: the line's settings, x, n, mean, sd, for runs finished early: their number, whether
/// the mean includes them, and their values; then the paired test. `exact`: all digits, for files; else the
/// digits that the spread allows, with the columns of early runs merged and only if there are any, those of
/// tests only if there is a base, and further rows for tests over all tasks.
[[nodiscard]] QStringList comparison_header(const Comparison& comparison, bool exact);
[[nodiscard]] std::vector<QStringList> comparison_rows(const Comparison& comparison, bool exact);

using evidence::significance_level;  ///< of every test

/// Sets Comparison::base: `wanted` (the text of a value) or, if it is no value of the comparison, the first
/// one of the axis. No base if fewer than two values are compared, or seeds.
void set_base(Comparison& comparison, const QString& wanted = {});

/// Pairs runs of the same line and seed (runs that count in the means) and tests every other value against
/// the base. Takes about 0.1 s for 1,000 pairs: 10,000 resamples each.
void add_paired_tests(Comparison& comparison);

/// Adds tests over periods to the paired ones, from the errors in the runs' arrays.h5: not in the window's
/// thread. `runs`: those that were compared. Throws Cancelled.
void add_period_tests(Comparison& comparison, const std::vector<CompareRun>& runs,
                      const std::stop_token& stop = {});

/// Upper limit of the number of pairs, for an estimate of that time.
[[nodiscard]] std::int64_t max_pairs(const Comparison& comparison);

/// Tests of the rows of comparison_rows(comparison, false); null for rows of the base and without pairs.
[[nodiscard]] std::vector<const PairedTest*> tests_of_rows(const Comparison& comparison);

/// The interval to show: none (NaN) for fewer pairs than p < 0.05 takes, whose bootstrap interval is too
/// narrow (two pairs: their distance).
[[nodiscard]] evidence::Interval shown_interval(const evidence::Comparison& result);

/// p of a test to show: none (NaN) for an approximate one below the smallest that so few pairs can give.
[[nodiscard]] double shown_p(const evidence::SignedRank& test);

/// p after Holm's correction; of a test over all tasks, for which there is none, p itself.
[[nodiscard]] double corrected_p(const PairedTest& test);

/// Columns of a test in tables of the comparison: pairs, lower, Δ, Δ %, 95 % interval, p, p (Holm), p
/// (periods). Differences have the digits that their spread allows (spread_text). `exact`: for files, with
/// all digits, the base first and the interval, also of few pairs, in two columns, and nothing over periods.
/// Without a test the cells are empty.
[[nodiscard]] QStringList test_header(bool exact);
[[nodiscard]] QStringList test_cells(const Comparison& comparison, const PairedTest* test, bool exact);

/// "λ_cov 0.1 against 0, ETTh1 · H 96, test MSE: 8 pairs: within seed noise (p = 0.84)", and the number of
/// pairs that a difference of 1 % would take if none was found. With the test over periods or, of a single
/// pair, why there is none.
[[nodiscard]] Phrase test_sentence(const Comparison& comparison, const PairedTest& test);

/// The tests that summarise a comparison, one per value: over all tasks or, with one task, its own.
[[nodiscard]] std::vector<const PairedTest*> main_tests(const Comparison& comparison);

/// Sentences of the main tests, at most `most` and then the number of others; or why there is none. Empty
/// without a base and before the tests are complete.
[[nodiscard]] std::vector<Phrase> test_summary(const Comparison& comparison, qsizetype most);

}  // namespace casp::figures
