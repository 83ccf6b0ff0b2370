// The figure of a forecast after the last row of a file.

#include <QTest>

#include "figures/numbers.h"
#include "figures/recipe_ahead.h"
#include "recipe_samples.h"
#include "test_program.h"

using namespace casp;
using namespace casp::figures;
using samples::series_named;

namespace {

/// Four rows before, two after; two channels.
inspect::AheadForecast made() {
    inspect::AheadForecast of;
    of.channels = {"load", "T (degC)"};
    of.lookback = {1, 10, 2, 20, 3, 30, 4, 40};
    of.lookback_seconds = {0, 3600, 7200, 10800};
    of.times.seconds = {10800, 14400, 18000};
    of.values = {5, 50, 6, 60};
    of.first_row = 96;
    of.intervals = {{80, {0.5, 1, 0.25, 2}, 0.886, 2785, 2784}, {95, {1, 3, 2, 4}, 0.965, 2785, 2784}};
    return of;
}

Figure figure_of(const inspect::AheadForecast& of, const AheadOptions& options = {}) {
    return forecast_ahead({&of, "/runs/a", "DLinear", QColor(Qt::darkGreen), "new.csv"}, options);
}

}  // namespace

class TestRecipeAhead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void history_last_row_forecast_and_bands() {
        const auto figure = figure_of(made());
        QCOMPARE(figure.plots.size(), std::size_t{1});
        const auto& plot = figure.plots[0];
        QCOMPARE(plot.title, QString("T (degC)"));  // the last channel
        QCOMPARE(plot.y.title, QString("degC"));
        QCOMPARE(series_named(plot, "look-back")->y, (std::vector<double>{10, 20, 30, 40}));
        const auto& last = *series_named(plot, "last row");
        QCOMPARE(last.kind, MarkKind::points);
        QCOMPARE(last.x, (std::vector<double>{10800}));
        QCOMPARE(last.y, (std::vector<double>{40}));
        QCOMPARE(plot.rules.size(), std::size_t{1});
        QCOMPARE(plot.rules[0].at, 10800.0);
        const auto& forecast = *series_named(plot, "forecast: DLinear");
        QCOMPARE(forecast.x, (std::vector<double>{14400, 18000}));
        QCOMPARE(forecast.y, (std::vector<double>{50, 60}));
        QCOMPARE(forecast.run, QString("/runs/a"));
        const auto &narrow = *series_named(plot, "80 % interval"),
                   &wide = *series_named(plot, "95 % interval");
        QCOMPARE(narrow.kind, MarkKind::area);
        QCOMPARE(narrow.low, (std::vector<double>{49, 58}));
        QCOMPARE(narrow.y, (std::vector<double>{51, 62}));
        QCOMPARE(wide.low, (std::vector<double>{47, 56}));
        QCOMPARE(wide.y, (std::vector<double>{53, 64}));
        QCOMPARE(wide.colour, forecast.colour);
        QVERIFY(wide.opacity < narrow.opacity && narrow.opacity < 0.5);
        QVERIFY2(figure.caption.contains("2 rows after the last one of new.csv by DLinear"),
                 qPrintable(figure.caption));
    }

    void the_csv_has_each_number_once() {
        const auto csv = QString::fromUtf8(csv_of(figure_of(made())));
        // Header, four rows before, two forecasts and two rows per interval.
        QCOMPARE(csv.count("\r\n"), 1 + 4 + 2 + 4);
        QVERIFY2(csv.contains("95 % interval") && csv.contains("1970-01-01T04:00:00"), qPrintable(csv));
    }

    void times_or_row_numbers() {
        auto of = made();
        QVERIFY(figure_of(of).plots[0].x.time);
        const auto rows_are_numbered = [](const inspect::AheadForecast& forecast) {
            const auto figure = figure_of(forecast);
            const auto& plot = figure.plots[0];
            QVERIFY(!plot.x.time);
            QCOMPARE(plot.x.title, QString("row of the file"));
            QCOMPARE(series_named(plot, "look-back")->x, (std::vector<double>{96, 97, 98, 99}));
            QCOMPARE(series_named(plot, "forecast: DLinear")->x, (std::vector<double>{100, 101}));
        };
        of.times.seconds = {82800, 0, 3600};  // times of day, after midnight
        rows_are_numbered(of);
        of.times.seconds.clear();
        of.lookback_seconds.clear();
        rows_are_numbered(of);
    }

    void channels_and_shorter_look_backs() {
        auto of = made();
        auto figure = figure_of(of, {{0, 1, 7}, 1, true});
        QCOMPARE(figure.plots.size(), std::size_t{2});
        const auto& plot = figure.plots[0];
        QCOMPARE(plot.title, QString("load"));
        QCOMPARE(series_named(plot, "look-back")->y, (std::vector<double>{3, 4}));  // as long as the horizon
        QCOMPARE(*plot.x.min, 7200.0);
        QCOMPARE(series_named(plot, "persistence")->y, (std::vector<double>{4, 4}));
        QCOMPARE(series_named(plot, "80 % interval")->low, (std::vector<double>{4.5, 5.75}));
        QVERIFY(figure.left_out.isEmpty());
        of.intervals.clear();
        figure = figure_of(of);
        QCOMPARE(figure.plots[0].series.size(), std::size_t{3});
        // Of very many, some.
        of.channels.assign(14, "c");
        of.values.assign(28, 0);
        of.lookback.assign(56, 0);
        AheadOptions all;
        for (int i = 0; i < 14; ++i) all.channels.push_back(i);
        figure = figure_of(of, all);
        QCOMPARE(figure.plots.size(), std::size_t{12});
        QVERIFY2(figure.left_out.contains("12 of 14"), qPrintable(figure.left_out));
    }

    void coverage_in_words() {
        auto of = made();
        QCOMPARE(
            coverage_sentence(of),
            QString("The 80 % interval covers 88.6 % of the values of all 2 channels in 2,784 test windows, "
                    "the 95 % interval 96.5 %. The intervals are split-conformal, from the errors in 2,785 "
                    "validation "
                    "windows."));
        of.channels.resize(1);
        QVERIFY(coverage_sentence(of).contains("% of the values in 2,784 test windows"));
        of.intervals.clear();
        QVERIFY(coverage_sentence(of).isEmpty());
    }
};

TEST_MAIN(TestRecipeAhead)
#include "test_recipe_ahead.moc"
