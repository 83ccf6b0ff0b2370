#pragma once
// Runs ordered for a comparison: which settings differ, one line per combination of them, mean and spread
// over seeds. Pure functions of plain values; any thread.

#include <memory>
#include <optional>
#include <vector>

#include <QColor>
#include <QString>
#include <QStringList>

#include "config/config.h"
#include "store/results.h"

namespace casp::widgets {

/// One run, with what is compared. Without `config` only what the result row knows is told apart.
struct CompareRun {
    QString folder;
    store::ResultRow row;
    std::shared_ptr<const config::Config> config;
    double last_value_mae = store::not_known;
    double val_mae = store::not_known;         ///< this and those below: of run.h5, where it is read
    double val_entropy = store::not_known;     ///< usage entropy over the validation windows
    double val_key_cosine = store::not_known;  ///< likewise
};

enum class CompareMetric {
    test_mse,
    test_mae,
    val_mse,
    val_mae,
    entropy,
    val_entropy,
    distinct_anchors,
    key_cosine,
    val_key_cosine,
    seconds,
    // Not in the menu:
    last_value_mse,
    epochs,
    best_epoch,
    steps
};

/// Those to choose from, in the order of a menu.
[[nodiscard]] const std::vector<CompareMetric>& compare_metrics();
[[nodiscard]] QString title_of(CompareMetric metric);  ///< "test MSE (scaled)"
[[nodiscard]] QString name_of(CompareMetric metric);   ///< "Test MSE"
[[nodiscard]] double value_of(const CompareRun& run, CompareMetric metric);
/// Whether it stands in run.h5 alone, not in a run's result row.
[[nodiscard]] bool is_of_validation(CompareMetric metric);

/// "λ_cov", "H", "data", "train.learning_rate": a setting as axes and legends call it.
[[nodiscard]] QString key_title(const QString& key);

/// A setting of a run: text for people, and its number where it is one.
struct SettingValue {
    QString text;  ///< "–" where it is not known
    std::optional<double> number;
    bool operator==(const SettingValue&) const = default;
};
[[nodiscard]] SettingValue setting_of(const CompareRun& run, const QString& key);

/// Keys in which two or more of the runs differ, in the order of the option list; without those that cannot
/// change a result (name, preset, device, what is stored). Data and backbone count by what they are, not by
/// where their file lies.
[[nodiscard]] QStringList differing_keys(const std::vector<CompareRun>& runs);

/// One place on the x axis of a line: the runs that differ in nothing but the seed.
struct ComparePoint {
    SettingValue x;
    std::vector<std::size_t> runs;  ///< indices into what was given
    std::vector<double> values;     ///< of those runs, in that order
    QStringList names;              ///< likewise: their folders' names, and what is to be known of them
    std::vector<bool> early;        ///< likewise: finished early
    store::Statistic statistic;     ///< mean and sample standard deviation (n − 1) of those that count

    /// How many of the runs were finished early.
    [[nodiscard]] std::size_t early_runs() const;
};

struct CompareLine {
    QString name;                          ///< "ETTh1 · H 96 · K 8"
    QStringList settings;                  ///< values of Comparison::line_keys
    std::vector<ComparePoint> points;      ///< ascending in x
    double last_value = store::not_known;  ///< the last-value forecast's error, of MSE and MAE
};

struct Comparison {
    CompareMetric metric = CompareMetric::test_mse;
    QString x_key;
    QStringList line_keys;  ///< differing keys besides x_key and the seed
    std::vector<CompareLine> lines;
    bool numbers = true;        ///< every x is a number
    bool counts_early = false;  ///< runs finished early are in the statistics
    int complete = 0;           ///< runs that are here: finished, also early, and with this number
    int early = 0;              ///< those of them that were finished early
    int unfinished = 0;         ///< left out: not finished
    int unknown = 0;            ///< left out: finished, but without this number
};

/// Lines and points of the finished runs. A run that was finished early was trained for fewer steps than its
/// settings say: it repeats nothing, so it has its place in the points and, unless `count_early`, none in
/// their means (as in summary.csv). Points of such runs alone then have n = 0.
[[nodiscard]] Comparison compare(const std::vector<CompareRun>& runs, CompareMetric metric,
                                 const QString& x_key, bool count_early = false);

/// "3 of 12 runs finished early"; empty: none was.
[[nodiscard]] QString early_text(const Comparison& comparison);

/// One row per point: the line's settings, x, n, mean, sd, and of runs finished early: how many, whether the
/// mean counts them, and their values. For people the last three are one, and only where there are any.
/// `exact`: all digits, for files; else four, for people.
[[nodiscard]] QStringList comparison_header(const Comparison& comparison, bool exact);
[[nodiscard]] std::vector<QStringList> comparison_rows(const Comparison& comparison, bool exact);

}  // namespace casp::widgets
