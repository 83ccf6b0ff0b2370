// Figures of collections of series and of runs on them: one series, the lengths of all, names of windows,
// units, scores.

#include <QTest>

#include <limits>
#include <numeric>

#include "figures/comparison.h"
#include "figures/numbers.h"
#include "figures/recipe_forecasts.h"
#include "figures/recipe_input.h"
#include "figures/recipe_series.h"
#include "figures/recipe_strata.h"
#include "figures/recipe_training.h"
#include "recipe_samples.h"
#include "test_program.h"

using namespace casp;
using namespace casp::figures;
using samples::input_of;
using samples::series_named;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

store::RunRecord collection_record() {
    store::RunRecord record;
    record.attributes.dataset_sha256 = "abc";
    record.data.channel_names = {"value"};
    record.data.mean = {0};
    record.data.std = {1};
    record.data.series = {"Y1", "Y2", "Y3"};
    record.test.emplace();
    record.test->smape = 10;
    record.test->mse_per_step = {4, 9};
    record.test->mae_per_step = {2, 3};
    return record;
}

store::RunRecord table_record() {
    auto record = collection_record();
    record.data.series.clear();
    record.data.mean = {10};
    record.data.std = {2};
    return record;
}

/// Window 1 of three, H = 2.
ForecastWindow window_with(const RunInput& run, std::vector<float> lookback, std::int64_t start) {
    ForecastWindow w;
    w.folder = run.folder;
    w.label = run.label;
    w.number = 1;
    w.start = start;
    w.lookback_length = std::ssize(lookback);
    w.lookback = std::move(lookback);
    w.horizon = 2;
    w.channels = 1;
    w.truth = {130, 140};
    w.prediction = {135, 135};
    return w;
}

const std::vector<double> training{1, 2, 4, 8};
const std::vector<double> test_values{16, 32};

/// Sum of the table's column "series".
qint64 counted(const Figure& figure) {
    qint64 sum = 0;
    for (const auto& row : figure.numbers->rows) sum += row[2].toLongLong();
    return sum;
}

}  // namespace

class TestSeriesErrors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void collections_are_recognised() {
        auto record = collection_record();
        QVERIFY(is_collection(record.data));
        record.data.series.clear();  // while it trains
        QVERIFY(is_collection(record.data));
        QVERIFY(!is_collection(table_record().data));
        QVERIFY(!is_collection({}));
    }

    void windows_have_the_names_of_their_series() {
        std::vector<std::string> ids(23000, "x");
        ids[11] = "Y123";
        QCOMPARE(series_name(ids, 11), QStringLiteral("series Y123 (12 of 23,000)"));
        QVERIFY(series_name(ids, -1).isEmpty() && series_name(ids, 23000).isEmpty());
        QVERIFY(series_name({}, 0).isEmpty());
    }

    void units_of_errors() {
        const auto collection = collection_record(), table = table_record();
        const auto a = input_of(collection), b = input_of(table, QStringLiteral("b"));
        QCOMPARE(error_units({a}), QStringLiteral("original units"));
        QCOMPARE(error_units({b}), QStringLiteral("scaled units"));
        QVERIFY(error_units({a, b}).contains(QStringLiteral("collections of series: original units")));
        QCOMPARE(error_title(QStringLiteral("MSE"), {a}), QStringLiteral("MSE (original units)"));
        QCOMPARE(error_title(QStringLiteral("MSE"), {a, b}), QStringLiteral("MSE"));
        QCOMPARE(error_units({RunInput()}), QStringLiteral("scaled units"));
    }

    void forecasts_are_over_steps_in_original_units() {
        const auto record = collection_record();
        const auto run = input_of(record);
        ForecastOptions options;
        options.split = QStringLiteral("test");
        options.last_value = true;
        // Before the series' first value, its position is negative and the look-back zero.
        const auto figure = forecast_windows({window_with(run, {0, 0, 110, 120}, -2)}, record.data, options);
        QCOMPARE(figure.plots.size(), std::size_t{1});
        const auto& plot = figure.plots.front();
        QCOMPARE(plot.title, QStringLiteral("series Y2 (2 of 3) · test"));
        QCOMPARE(plot.y.title, QStringLiteral("original units"));
        QVERIFY(plot.x.title.startsWith(QStringLiteral("step")) && !plot.x.time);
        QCOMPARE(*plot.x.min, -1.0);
        QCOMPARE(*plot.x.max, 2.0);
        const auto& lookback = *series_named(plot, QStringLiteral("look-back"));
        QCOMPARE(lookback.x, (std::vector<double>{-1, 0}));
        QCOMPARE(lookback.y, (std::vector<double>{110, 120}));
        QCOMPARE(series_named(plot, QStringLiteral("truth"))->y, (std::vector<double>{120, 130, 140}));
        QCOMPARE(series_named(plot, QStringLiteral("persistence"))->x, (std::vector<double>{1, 2}));
        QVERIFY(figure.caption.contains(QStringLiteral("in the file's units")));
    }

    void look_backs_of_different_length_meet_at_the_forecast() {
        const auto record = collection_record();
        const auto a = input_of(record), b = input_of(record, QStringLiteral("b"));
        const auto groups =
            groups_by_data({{&a, {window_with(a, {1, 2, 3, 4}, 6)}}, {&b, {window_with(b, {3, 4}, 8)}}});
        QCOMPARE(groups.size(), std::size_t{1});
        ForecastOptions options;
        options.split = QStringLiteral("test");
        const auto figure = forecast_windows(groups, options);
        QCOMPARE(figure.plots.size(), std::size_t{1});
        const auto& plot = figure.plots.front();
        QCOMPARE(plot.series.size(), std::size_t{4});  // look-back, truth, two forecasts
        QCOMPARE(plot.series[2].x, (std::vector<double>{1, 2}));
        QCOMPARE(plot.series[3].x, (std::vector<double>{1, 2}));
    }

    void training_windows_keep_their_number() {
        const auto record = collection_record();
        ForecastOptions options;
        options.split = QStringLiteral("training");
        const auto figure =
            forecast_windows({window_with(input_of(record), {1, 2}, 0)}, record.data, options);
        QCOMPARE(figure.plots.front().title, QStringLiteral("value · training window 1"));
    }

    void errors_by_step_name_their_units() {
        const auto collection = collection_record(), table = table_record();
        const auto figure = error_per_step({input_of(collection)}, false);
        QCOMPARE(figure.plots.front().y.title, QStringLiteral("MSE (original units)"));
        QVERIFY(figure.caption.contains(QStringLiteral("in original units")));
        const auto scaled = error_per_step({input_of(table)}, false);
        QCOMPARE(scaled.plots.front().y.title, QStringLiteral("MSE"));
        QVERIFY(scaled.caption.contains(QStringLiteral("in scaled units")));
    }

    void window_errors_name_the_selected_series() {
        const auto record = collection_record();
        store::ForecastArrays errors;
        errors.windows = 3;
        errors.channels = 1;
        errors.mse = {1, 4, 9};
        const auto run = window_errors_of(input_of(record), errors, {});
        const auto figure = window_errors({run}, QStringLiteral("test"), {1});
        QCOMPARE(figure.plots[0].rules.front().label, QStringLiteral("series Y2 (2 of 3)"));
        QVERIFY(figure.caption.contains(QStringLiteral("in original units")));
        errors.windows = 2;  // not a window of each series
        errors.mse.pop_back();
        const auto other =
            window_errors({window_errors_of(input_of(record), errors, {})}, QStringLiteral("training"), {1});
        QCOMPARE(other.plots[0].rules.front().label, QStringLiteral("window 1"));
    }

    void scores_are_distributions_with_their_medians() {
        SeriesErrors a{QStringLiteral("/a"), QStringLiteral("a"), QColor(Qt::blue), {4, 1, 3, 2}, {}};
        a.mase = {0.5, unknown, 2, unknown};
        auto b = a;
        b.label = QStringLiteral("b");
        b.smape = {10, 30, 20, 40};
        const auto figure = series_errors({a, b});
        QCOMPARE(figure.plots.size(), std::size_t{2});
        const auto& smape = figure.plots[0];
        QVERIFY(smape.x.log && smape.x.title.contains(QLatin1Char('%')));
        QCOMPARE(smape.series.size(), std::size_t{2});
        QCOMPARE(smape.series[0].x, (std::vector<double>{1, 2, 3, 4}));
        QCOMPARE(smape.series[0].y, (std::vector<double>{0.25, 0.5, 0.75, 1}));
        QCOMPARE(smape.rules[0].at, 2.5);
        QCOMPARE(smape.remarks[1].text, QStringLiteral("median 25"));
        QCOMPARE(figure.plots[1].series[0].x, (std::vector<double>{0.5, 2}));
        QCOMPARE(figure.plots[1].series[0].y, (std::vector<double>{0.5, 1}));
        QVERIFY2(figure.caption.contains(QStringLiteral("2 of 4 series have no MASE")),
                 qPrintable(figure.caption));
    }

    void the_axis_leaves_out_tiny_scores_and_no_large_one() {
        SeriesErrors run{QStringLiteral("/a"), QStringLiteral("a"), QColor(Qt::blue), {}, {}};
        for (int i = 1; i <= 100000; ++i) run.smape.push_back(i / 1000.0);
        run.smape[0] = 0;
        run.mase = run.smape;
        run.mase[1] = 1e-9;
        run.mase[2] = 1e5;
        const auto figure = series_errors({run});
        const auto& mase = figure.plots[1];
        QVERIFY(*mase.x.min > 0.3 && *mase.x.min < 0.7);
        QCOMPARE(*mase.x.max, 1e5);
        for (const auto& plot : figure.plots) {
            QVERIFY(plot.series[0].x.size() <= 2001);
            QCOMPARE(plot.series[0].y.back(), 1.0);
            QVERIFY(std::is_sorted(plot.series[0].x.begin(), plot.series[0].x.end()));
        }
        QVERIFY(!figure.caption.contains(QStringLiteral("no MASE")));
    }

    void equal_or_missing_scores_are_handled() {
        SeriesErrors run{QStringLiteral("/a"), QStringLiteral("a"), QColor(Qt::blue), {0, 0}, {unknown, 1}};
        const auto figure = series_errors({run});
        QCOMPARE(figure.plots.size(), std::size_t{2});
        QVERIFY(!figure.plots[0].x.log && figure.plots[0].rules.empty());
        run.smape = run.mase = {unknown};
        QVERIFY(series_errors({run}).plots.empty());
        QVERIFY(series_errors({}).empty_text.size() > 40);
    }

    void validation_shows_what_early_stopping_watches() {
        auto record = collection_record();
        record.epochs.epoch = {1, 2, 3};
        record.epochs.val_mse = {3, 2, 1};
        record.epochs.val_mae = {3, 2, 1};
        record.epochs.val_smape = {12, 10, 11};
        const auto run = input_of(record);
        QCOMPARE(best_epoch(run), std::ptrdiff_t{1});
        TrainingOptions options;
        options.x = TrainingAxis::epoch;
        auto figure = validation({run}, options);
        QCOMPARE(figure.plots.size(), std::size_t{3});
        QCOMPARE(figure.plots[0].title, QStringLiteral("validation sMAPE (%)"));
        QCOMPARE(figure.plots[0].series[0].y, record.epochs.val_smape);
        QCOMPARE(figure.plots[1].title, QStringLiteral("validation MSE (original units)"));
        QVERIFY2(figure.plots[0].bands.front().label.startsWith(
                     QStringLiteral("1 epochs without improvement in sMAPE")),
                 qPrintable(figure.plots[0].bands.front().label));
        QVERIFY(figure.caption.contains(QStringLiteral("in original units")) &&
                figure.caption.contains(QStringLiteral("lowest sMAPE")));

        auto table = table_record();
        table.epochs = record.epochs;
        table.epochs.val_smape.clear();
        figure = validation({input_of(table)}, options);
        QCOMPARE(figure.plots.size(), std::size_t{2});
        QCOMPARE(best_epoch(input_of(table)), std::ptrdiff_t{2});
        QVERIFY(figure.caption.contains(QStringLiteral("scaled units")) &&
                figure.caption.contains(QStringLiteral("lowest MSE")));
        // Beside each other, each has its own criterion.
        QCOMPARE(validation({run, input_of(table, QStringLiteral("b"))}, options).plots.size(),
                 std::size_t{3});
    }

    void comparisons_name_their_units() {
        std::vector<CompareRun> runs(2);
        for (std::size_t i = 0; i < 2; ++i) {
            config::Config settings;
            settings.loss.lambda_cov = static_cast<double>(i);
            runs[i].config = std::make_shared<const config::Config>(settings);
            auto& row = runs[i].row;
            row.state = store::RunState::finished;
            row.lambda_cov = static_cast<double>(i);
            row.test_mse = 100;
            row.test_smape = 12 + static_cast<double>(i);
            row.test_mase = 3;
            row.test_owa = 0.9;
        }
        const auto x = QStringLiteral("loss.lambda_cov");
        QCOMPARE(axis_title(compare(runs, metric_named("test_mse"), x)),
                 QStringLiteral("test MSE (original units)"));
        const auto smape = compare(runs, metric_named("test_smape"), x);
        QCOMPARE(smape.lines.front().points[1].statistic.mean, 13.0);
        runs[1].row.test_smape = unknown;  // of a table
        QCOMPARE(axis_title(compare(runs, metric_named("test_mse"), x)), QStringLiteral("test MSE (scaled)"));
        QCOMPARE(compare(runs, metric_named("test_smape"), x).unknown, 1);
    }

    void strata_name_their_units() {
        const auto record = collection_record();
        const auto run = input_of(record);
        StrataOfRun of;
        of.run = &run;
        of.edges = {0, 1, 2};
        of.windows = {2, 1};
        of.mse = of.mae = {1, 2};
        of.entropy = of.distinct = {unknown, unknown};
        const auto figure =
            difficulty_strata(QStringLiteral("M4"), {{QStringLiteral("a"), QColor(Qt::blue), {of}}});
        QCOMPARE(figure.plots.front().y.title, QStringLiteral("MSE (original units)"));
        QVERIFY(figure.caption.contains(QStringLiteral("Error (original units)")));
        QVERIFY(!figure.caption.contains(QStringLiteral("z-scored")));
    }

    void a_series_and_its_test_values() {
        const auto figure = series_values("Y7", training, test_values, 2);
        QCOMPARE(figure.plots.size(), std::size_t{1});
        const auto& plot = figure.plots[0];
        QCOMPARE(plot.title, QString("Y7"));
        const auto &before = plot.series.front(), &after = plot.series.back();
        QCOMPARE(before.x, (std::vector<double>{1, 2, 3, 4}));
        QCOMPARE(before.y, training);
        QCOMPARE(after.x, (std::vector<double>{5, 6}));
        QCOMPARE(after.y, test_values);
        QVERIFY(!before.dashed && after.dashed);
        QVERIFY(before.colour != after.colour);
        QCOMPARE(plot.rules.size(), std::size_t{1});
        QCOMPARE(plot.rules[0].at, 4.5);
        QVERIFY2(figure.caption.contains("4 training values and 2 test values"), qPrintable(figure.caption));
    }

    void only_held_out_values_are_shaded() {
        const auto held_out = series_values("Y7", training, test_values, 2);
        QCOMPARE(held_out.plots[0].bands.size(), std::size_t{1});
        QCOMPARE(held_out.plots[0].bands[0].from, 2.5);
        QCOMPARE(held_out.plots[0].bands[0].to, 4.5);
        QVERIFY(series_values("Y7", training, test_values, 0).plots[0].bands.empty());
        QCOMPARE(series_values("Y7", training, test_values, 9).plots[0].bands[0].from, 0.5);
    }

    void the_line_across_the_border_is_not_in_the_csv() {
        const auto figure = series_values("Y7", training, test_values, 2);
        QCOMPARE(figure.plots[0].series.size(), std::size_t{3});
        const auto& joint = figure.plots[0].series[1];
        QCOMPARE(joint.x, (std::vector<double>{4, 5}));
        QCOMPARE(joint.y, (std::vector<double>{8, 16}));
        QVERIFY(joint.name.isEmpty());
        QCOMPARE(row_count(figure), std::int64_t{6});
    }

    void nothing_is_plotted_without_values() {
        const auto figure = series_values({}, {}, {}, 6);
        QVERIFY(figure.plots.empty());
        QVERIFY(!figure.empty_text.isEmpty());
        QVERIFY(series_lengths({}).plots.empty());
        const auto only_training = series_values("Y7", training, {}, 0);
        QCOMPARE(only_training.plots[0].series.size(), std::size_t{1});
        QVERIFY(only_training.plots[0].rules.empty());
    }

    void every_length_is_counted_once() {
        std::vector<std::int64_t> lengths(823);
        std::iota(lengths.begin(), lengths.end(), 13);  // 13 … 835, as of Yearly
        const auto figure = series_lengths(lengths, 40);
        QCOMPARE(counted(figure), qint64{823});
        const auto& rows = figure.numbers->rows;
        QVERIFY(rows.size() > 10);
        QCOMPARE(rows.front()[0], QString("13"));
        QCOMPARE(rows.back()[1], QString("835"));
        for (std::size_t b = 0; b < rows.size(); ++b) {
            const auto from = rows[b][0].toLongLong(), to = rows[b][1].toLongLong();
            QCOMPARE(rows[b][2].toLongLong(), to - from + 1);  // one series of each length
            if (b > 0) QCOMPARE(from, rows[b - 1][1].toLongLong() + 1);
        }
        const auto& plot = figure.plots[0];
        QVERIFY(plot.x.log);
        QCOMPARE(plot.series[0].x.front(), 12.5);
        QCOMPARE(plot.series[0].x.back(), 835.5);
        QCOMPARE(plot.rules.size(), std::size_t{1});
        QCOMPARE(plot.rules[0].at, 40.0);
    }

    void counts_of_different_size_are_logarithmic() {
        std::vector<std::int64_t> lengths(400, 30);
        lengths.push_back(800);
        const auto figure = series_lengths(lengths);
        QCOMPARE(counted(figure), qint64{401});
        QVERIFY(figure.plots[0].y.log);
        QVERIFY(figure.plots[0].y.min > 0.0 && figure.plots[0].y.min < 1.0);
        QVERIFY(figure.plots[0].rules.empty());
    }

    void equal_lengths_are_one_bin() {
        const auto figure = series_lengths({20, 20, 20});
        QCOMPARE(figure.numbers->rows, (std::vector<QStringList>{{"20", "20", "3"}}));
        QCOMPARE(figure.plots[0].series[0].x, (std::vector<double>{19.5, 20.5}));
        // Not an axis from 19.5 to 20.5.
        const auto& x = figure.plots[0].x;
        QVERIFY(x.integers && x.min && *x.min < 19 && *x.max > 22);
    }
};

TEST_MAIN(TestSeriesErrors)
#include "test_series_errors.moc"
