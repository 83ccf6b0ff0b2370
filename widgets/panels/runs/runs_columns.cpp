#include "panels/runs/runs_columns.h"

#include <array>
#include <cmath>
#include <utility>

#include "figures/comparison.h"
#include "state/run_names.h"
#include "store/result_columns.h"
#include "util/units.h"

namespace casp::widgets {

namespace {

constexpr double unknown = store::not_known;

double known(std::int64_t value) { return value < 0 ? unknown : static_cast<double>(value); }

QString number_text(double value) {
    return std::isfinite(value) ? QString::fromStdString(store::four_digits(value)) : QStringLiteral("–");
}

QString whole_text(double value) {
    return std::isfinite(value) ? QString::number(static_cast<qint64>(value)) : QStringLiteral("–");
}

/// λ and similar settings are shown as typed, not padded to four digits.
QString setting_text(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', 6) : QStringLiteral("–");
}

bool is_whole(RunsColumn column) {
    return column == RunsColumn::seed || column == RunsColumn::epochs || column == RunsColumn::best_epoch ||
           column == RunsColumn::steps;
}

QString text_of(const RunSummary& run, RunsColumn column) {
    switch (column) {
        case RunsColumn::state:
            return state_word(state_of(run));
        case RunsColumn::name:
            return run.name;
        case RunsColumn::batch:
            return run.batch;
        case RunsColumn::data:
            return QString::fromStdString(run.row.data);
        case RunsColumn::model:
            return model_of(run.row);
        case RunsColumn::best:
            return run.best ? QStringLiteral("★") : QString();
        case RunsColumn::backbone:
            return figures::backbone_text(QString::fromStdString(run.row.backbone));
        case RunsColumn::precision:
            return QString::fromStdString(run.row.precision);
        case RunsColumn::created:
            return run.created;
        case RunsColumn::updated:
            return run.updated;
        case RunsColumn::parent:
            return run.parent.section(QLatin1Char('/'), -2);
        case RunsColumn::note:
            return run.note;
        case RunsColumn::colour:
            return run.colour.isValid() ? run.colour.name() : QString();
        default:
            return {};
    }
}

/// Rows with a length of their own, or cut and padded to the header's.
std::vector<std::vector<std::string>> lines_of(const QStringList& header,
                                               const std::vector<QStringList>& rows, bool equal) {
    std::vector<std::vector<std::string>> lines(1);
    for (const auto& field : header) lines.front().push_back(field.toStdString());
    for (const auto& row : rows) {
        auto& line = lines.emplace_back();
        for (const auto& field : row) line.push_back(field.toStdString());
        if (equal) line.resize(lines.front().size());
    }
    return lines;
}

/// Header and rows, without columns that are only displayed.
template <class Title, class Text>
std::pair<QStringList, std::vector<QStringList>> table_of(const std::vector<const RunSummary*>& runs,
                                                          const std::vector<RunsColumn>& columns, Title title,
                                                          Text text) {
    QStringList header;
    std::vector<QStringList> rows(runs.size());
    for (const auto column : columns) {
        if (column == RunsColumn::shown || column == RunsColumn::colour) continue;
        header += title(column);
        for (std::size_t i = 0; i < runs.size(); ++i) rows[i] += text(*runs[i], column);
    }
    return {header, rows};
}

}  // namespace

const std::vector<RunsColumnInfo>& runs_columns() {
    using C = RunsColumn;
    using Row = store::ResultRow;
    static const std::vector<RunsColumnInfo> columns{
        {C::shown, "shown", QObject::tr("Shown"), QObject::tr("Shows the run in the views (Space)"), false,
         true, 52},
        {C::colour, "colour", QObject::tr("Colour"),
         QObject::tr("The run's colour in all views, stored with the run"), false, true, 54},
        {C::state, "state", QObject::tr("State"), QObject::tr("Current state of the run, or how it ended"),
         false, true, 118},
        {C::name, "name", QObject::tr("Run"), QObject::tr("Name of the run's folder"), false, true, 210},
        {C::batch, "experiment", QObject::tr("Experiment"),
         QObject::tr("Name of the experiment the run belongs to"), false, true, 120},
        {C::data, "data", QObject::tr("Data"), QObject::tr("Data set or CSV file"), false, true, 84},
        {C::model, "model", QObject::tr("Model"), QObject::tr("Forecasting model"), false, true, 104},
        {C::cell, "cell", QStringLiteral("L → H"),
         QObject::tr("Look-back L and horizon H, in rows of the file"), true, true, 84},
        {C::lambda_cov, "lambda_cov", QStringLiteral("λ_cov"),
         QObject::tr("Weight λ_cov of the coverage loss"), true, true, 66, &Row::lambda_cov},
        {C::lambda_sim, "lambda_sim", QStringLiteral("λ_sim"),
         QObject::tr("Weight λ_sim of the similarity loss"), true, false, 66, &Row::lambda_sim},
        {C::seed, "seed", QObject::tr("Seed"),
         QObject::tr("Seed for initialisation, window order and dropout"), true, true, 60},
        {C::val_mse, "val_mse", QObject::tr("Val. MSE"),
         QObject::tr("Mean squared error on the validation split at the best epoch, scaled units "
                     "(collections of series: original units)"),
         true, true, 78, &Row::val_mse},
        {C::best, "best", QObject::tr("Best"),
         QObject::tr("★ Lowest validation error of two or more runs with the same task, model and training "
                     "budget\n(epochs, steps and percentage of the training rows)"),
         false, true, 50},
        {C::test_mse, "test_mse", QStringLiteral("MSE"),
         QObject::tr(
             "Mean squared error on the test split, scaled units (collections of series: original units)"),
         true, true, 72, &Row::test_mse},
        {C::test_mae, "test_mae", QStringLiteral("MAE"),
         QObject::tr(
             "Mean absolute error on the test split, scaled units (collections of series: original units)"),
         true, true, 72, &Row::test_mae},
        {C::test_smape, "test_smape", QStringLiteral("sMAPE"),
         QObject::tr("Mean sMAPE over the series of a collection, in per cent"), true, true, 72,
         &Row::test_smape},
        {C::test_mase, "test_mase", QStringLiteral("MASE"),
         QObject::tr("Mean MASE over the series of a collection"), true, true, 72, &Row::test_mase},
        {C::test_owa, "test_owa", QStringLiteral("OWA"),
         QObject::tr(
             "Overall weighted average of sMAPE and MASE relative to Naive2; below 1: better than Naive2"),
         true, true, 72, &Row::test_owa},
        {C::last_value_mse, "last_value_mse", QObject::tr("Persistence MSE"),
         QObject::tr("Test MSE of the persistence forecast, which repeats the last value of the "
                     "look-back; any model should beat it"),
         true, false, 124, &Row::last_value_mse},
        {C::entropy, "entropy", QObject::tr("Entropy"),
         QObject::tr("Entropy of anchor usage over the test windows, in nats"), true, true, 76,
         &Row::usage_entropy},
        {C::distinct_anchors, "anchors", QObject::tr("Anchors"),
         QObject::tr("Distinct anchors used over the test windows"), true, false, 76, &Row::distinct_anchors},
        {C::key_cosine, "cosine", QObject::tr("Key cosine"),
         QObject::tr(
             "Mean pairwise cosine of the K anchors retrieved for a window; 1: the anchors are redundant"),
         true, true, 92, &Row::key_cosine},
        {C::backbone, "backbone", QObject::tr("Backbone"),
         QObject::tr("Origin of the frozen GPT-2 weights; results of an untrained backbone prove nothing "
                     "about the method"),
         false, true, 110},
        {C::epochs, "epochs", QObject::tr("Epochs"), QObject::tr("Completed epochs"), true, false, 68},
        {C::best_epoch, "best_epoch", QObject::tr("Best epoch"),
         QObject::tr("Epoch with the lowest validation MSE, counted from 1"), true, false, 90},
        {C::steps, "steps", QObject::tr("Steps"), QObject::tr("Completed training steps"), true, false, 72},
        {C::time, "time", QObject::tr("Time"), QObject::tr("Wall time of training and evaluation"), true,
         true, 96, &Row::seconds},
        {C::created, "created", QObject::tr("Created"),
         QObject::tr("When the run was first queued or started, UTC"), false, false, 160},
        {C::updated, "updated", QObject::tr("Updated"), QObject::tr("Time of the last change of state, UTC"),
         false, false, 160},
        {C::parent, "parent", QObject::tr("Forked from"),
         QObject::tr("The run from whose checkpoint this one started"), false, false, 150},
        {C::note, "note", QObject::tr("Note"), QObject::tr("Your note on this run (F2 to edit)"), false, true,
         200},
        {C::precision, "precision", QObject::tr("Precision"),
         QObject::tr("Precision of matrix products: fp32, tf32 or bf16"), false, false, 74}};
    return columns;
}

bool is_score(RunsColumn column) {
    return column == RunsColumn::test_smape || column == RunsColumn::test_mase ||
           column == RunsColumn::test_owa;
}

const RunsColumnInfo& info_of(RunsColumn column) { return runs_columns()[static_cast<std::size_t>(column)]; }

std::optional<RunsColumn> runs_column_named(const QString& word) {
    using C = RunsColumn;
    static const std::array<std::pair<const char*, C>, 12> others{{{"mse", C::test_mse},
                                                                   {"smape", C::test_smape},
                                                                   {"mase", C::test_mase},
                                                                   {"owa", C::test_owa},
                                                                   {"mae", C::test_mae},
                                                                   {"λ_cov", C::lambda_cov},
                                                                   {"λ_sim", C::lambda_sim},
                                                                   {"horizon", C::cell},
                                                                   {"usage_entropy", C::entropy},
                                                                   {"distinct_anchors", C::distinct_anchors},
                                                                   {"key_cosine", C::key_cosine},
                                                                   {"seconds", C::time}}};
    const QString lower = word.toLower();
    for (const auto& info : runs_columns())
        if (lower == QLatin1String(info.key)) return info.column;
    for (const auto& [name, column] : others)
        if (lower == QString::fromUtf8(name)) return column;
    return std::nullopt;
}

store::RunState state_of(const RunSummary& run) {
    const bool gone = run.row.state == store::RunState::running && !run.live && !run.ours;
    return gone ? store::RunState::interrupted : run.row.state;
}

QString state_word(store::RunState state) {
    const auto word = store::to_string(state);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()))
        .replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString run_time_text(double seconds) {
    return std::isfinite(seconds) && seconds >= 0 ? QString::fromStdString(casp::duration_text(seconds))
                                                  : QStringLiteral("–");
}

double number_of(const RunSummary& run, RunsColumn column) {
    const auto& row = run.row;
    if (const auto value = info_of(column).value; value != nullptr) return row.*value;
    switch (column) {
        case RunsColumn::cell:
            return row.horizon > 0 ? static_cast<double>(row.horizon) : unknown;
        case RunsColumn::seed:
            return static_cast<double>(row.seed);
        case RunsColumn::epochs:
            return known(row.epochs);
        case RunsColumn::best_epoch:
            return known(row.best_epoch);
        case RunsColumn::steps:
            return known(row.steps);
        default:
            return unknown;
    }
}

QString display_text(const RunSummary& run, RunsColumn column) {
    if (column == RunsColumn::shown || column == RunsColumn::colour) return {};
    if (column == RunsColumn::cell)
        return run.row.horizon > 0 ? QStringLiteral("%1 → %2").arg(run.row.lookback).arg(run.row.horizon)
                                   : QStringLiteral("–");
    if (column == RunsColumn::time) return run_time_text(run.row.seconds);
    if (column == RunsColumn::created)
        return run.created.left(19).replace(QLatin1Char('T'), QLatin1Char(' '));
    if (column == RunsColumn::updated)
        return QString(run.updated).replace(QLatin1Char('T'), QLatin1Char(' ')).remove(QLatin1Char('Z'));
    if (column == RunsColumn::lambda_cov || column == RunsColumn::lambda_sim)
        return setting_text(number_of(run, column));
    if (is_whole(column)) return whole_text(number_of(run, column));
    return info_of(column).number ? number_text(number_of(run, column)) : text_of(run, column);
}

QString exact_text(const RunSummary& run, RunsColumn column) {
    if (column == RunsColumn::shown) return {};
    if (column == RunsColumn::cell)
        return run.row.horizon > 0 ? QStringLiteral("%1/%2").arg(run.row.lookback).arg(run.row.horizon)
                                   : QString();
    if (column == RunsColumn::state)
        return state_word(state_of(run)).replace(QLatin1Char(' '), QLatin1Char('_'));
    if (column == RunsColumn::backbone) return QString::fromStdString(run.row.backbone);
    if (column == RunsColumn::model) return QString::fromStdString(run.row.model);
    if (column == RunsColumn::best) return run.best ? QStringLiteral("yes") : QStringLiteral("no");
    if (column == RunsColumn::parent) return run.parent;
    if (!info_of(column).number) return text_of(run, column);
    const double value = number_of(run, column);
    if (!std::isfinite(value)) return {};
    return is_whole(column) ? whole_text(value) : QString::fromStdString(store::shortest(value));
}

int compare_runs(const RunSummary& a, const RunSummary& b, RunsColumn column, bool descending) {
    const auto sign = [&](int order) { return descending ? -order : order; };
    if (info_of(column).number) {
        const double x = number_of(a, column), y = number_of(b, column);
        if (std::isnan(x) || std::isnan(y))
            return static_cast<int>(std::isnan(x)) - static_cast<int>(std::isnan(y));
        if (x != y) return sign(x < y ? -1 : 1);
        if (column == RunsColumn::cell && a.row.lookback != b.row.lookback)
            return sign(a.row.lookback < b.row.lookback ? -1 : 1);
        return 0;
    }
    if (column == RunsColumn::state)
        return sign(static_cast<int>(state_of(a)) - static_cast<int>(state_of(b)));
    if (column == RunsColumn::shown) return 0;
    if (column == RunsColumn::best) return static_cast<int>(b.best) - static_cast<int>(a.best);
    // Compares names and dates without copying: 10,000 runs take about 130,000 comparisons.
    const auto field = [column](const RunSummary& run) {
        return column == RunsColumn::name      ? &run.name
               : column == RunsColumn::batch   ? &run.batch
               : column == RunsColumn::note    ? &run.note
               : column == RunsColumn::updated ? &run.updated
               : column == RunsColumn::created ? &run.created
               : column == RunsColumn::parent  ? &run.parent
                                               : nullptr;
    };
    if (const QString* x = field(a), *y = field(b); x != nullptr) {
        if (x->isEmpty() != y->isEmpty()) return x->isEmpty() ? 1 : -1;
        return sign(QString::compare(*x, *y, Qt::CaseInsensitive));
    }
    if (column == RunsColumn::data) return sign(a.row.data.compare(b.row.data));
    if (column == RunsColumn::model) return sign(a.row.model.compare(b.row.model));
    if (column == RunsColumn::backbone) return sign(a.row.backbone.compare(b.row.backbone));
    return sign(QString::compare(text_of(a, column), text_of(b, column)));
}

QString table_csv(const QStringList& header, const std::vector<QStringList>& rows) {
    return QString::fromStdString(store::csv(lines_of(header, rows, false)));
}

QString table_markdown(const QStringList& header, const std::vector<QStringList>& rows) {
    return QString::fromStdString(store::markdown(lines_of(header, rows, true)));
}

QString runs_csv(const std::vector<const RunSummary*>& runs, const std::vector<RunsColumn>& columns) {
    const auto [header, rows] = table_of(
        runs, columns, [](RunsColumn column) { return QString::fromLatin1(info_of(column).key); },
        exact_text);
    return table_csv(header, rows);
}

QString runs_markdown(const std::vector<const RunSummary*>& runs, const std::vector<RunsColumn>& columns) {
    const auto [header, rows] = table_of(
        runs, columns, [](RunsColumn column) { return info_of(column).title; }, display_text);
    return table_markdown(header, rows);
}

}  // namespace casp::widgets
