// Figures of a collection of series: one series, and the lengths of all.

#include <QTest>

#include <numeric>

#include "figures/numbers.h"
#include "figures/recipe_series.h"
#include "test_program.h"

using namespace casp::figures;

class TestRecipeSeries : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_series_and_its_test_values();
    void only_what_is_held_out_is_shaded();
    void the_line_across_the_border_is_not_in_the_csv();
    void nothing_is_plotted_without_values();
    void every_length_is_counted_once();
    void counts_of_different_size_are_logarithmic();
    void equal_lengths_are_one_bin();
};

namespace {

const std::vector<double> training{1, 2, 4, 8};
const std::vector<double> test_values{16, 32};

/// Sum of the table's column "series".
qint64 counted(const Figure& figure) {
    qint64 sum = 0;
    for (const auto& row : figure.numbers->rows) sum += row[2].toLongLong();
    return sum;
}

}  // namespace

void TestRecipeSeries::a_series_and_its_test_values() {
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

void TestRecipeSeries::only_what_is_held_out_is_shaded() {
    const auto held_out = series_values("Y7", training, test_values, 2);
    QCOMPARE(held_out.plots[0].bands.size(), std::size_t{1});
    QCOMPARE(held_out.plots[0].bands[0].from, 2.5);
    QCOMPARE(held_out.plots[0].bands[0].to, 4.5);
    QVERIFY(series_values("Y7", training, test_values, 0).plots[0].bands.empty());
    QCOMPARE(series_values("Y7", training, test_values, 9).plots[0].bands[0].from, 0.5);
}

void TestRecipeSeries::the_line_across_the_border_is_not_in_the_csv() {
    const auto figure = series_values("Y7", training, test_values, 2);
    QCOMPARE(figure.plots[0].series.size(), std::size_t{3});
    const auto& joint = figure.plots[0].series[1];
    QCOMPARE(joint.x, (std::vector<double>{4, 5}));
    QCOMPARE(joint.y, (std::vector<double>{8, 16}));
    QVERIFY(joint.name.isEmpty());
    QCOMPARE(row_count(figure), std::int64_t{6});
}

void TestRecipeSeries::nothing_is_plotted_without_values() {
    const auto figure = series_values({}, {}, {}, 6);
    QVERIFY(figure.plots.empty());
    QVERIFY(!figure.empty_text.isEmpty());
    QVERIFY(series_lengths({}).plots.empty());
    const auto only_training = series_values("Y7", training, {}, 0);
    QCOMPARE(only_training.plots[0].series.size(), std::size_t{1});
    QVERIFY(only_training.plots[0].rules.empty());
}

void TestRecipeSeries::every_length_is_counted_once() {
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

void TestRecipeSeries::counts_of_different_size_are_logarithmic() {
    std::vector<std::int64_t> lengths(400, 30);
    lengths.push_back(800);
    const auto figure = series_lengths(lengths);
    QCOMPARE(counted(figure), qint64{401});
    QVERIFY(figure.plots[0].y.log);
    QVERIFY(figure.plots[0].y.min > 0.0 && figure.plots[0].y.min < 1.0);
    QVERIFY(figure.plots[0].rules.empty());
}

void TestRecipeSeries::equal_lengths_are_one_bin() {
    const auto figure = series_lengths({20, 20, 20});
    QCOMPARE(figure.numbers->rows, (std::vector<QStringList>{{"20", "20", "3"}}));
    QCOMPARE(figure.plots[0].series[0].x, (std::vector<double>{19.5, 20.5}));
    // Not an axis from 19.5 to 20.5.
    const auto& x = figure.plots[0].x;
    QVERIFY(x.integers && x.min && *x.min < 19 && *x.max > 22);
}

TEST_MAIN_WITHOUT_GUI(TestRecipeSeries)
#include "test_recipe_series.moc"
