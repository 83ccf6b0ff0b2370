// Reduction of lines and smoothing.
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "figures/reduce.h"
#include "test_program.h"

using namespace casp::figures;

namespace {
constexpr double none = std::numeric_limits<double>::quiet_NaN();
}

class TestReduce : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void few_points_stay_as_they_are() {
        const std::vector<double> x{0, 1, 2, 3}, y{5, none, 7, 8};
        const std::vector<std::ptrdiff_t> expected{0, gap, 2, 3};
        QCOMPARE(reduce_line(x, y, {0, 3, 100, false}), expected);
        QCOMPARE(reduce_line({}, {}, {0, 3, 100, false}).size(), std::size_t(0));
        const std::vector<double> nothing(4, none);
        QCOMPARE(reduce_line(x, nothing, {0, 3, 100, false}).size(), std::size_t(0));
    }

    void extremes_are_exact() {
        std::mt19937 random(1);
        std::normal_distribution<double> normal(0, 1);
        std::vector<double> x, y;
        for (int i = 0; i < 100000; ++i) {
            x.push_back(i);
            y.push_back(normal(random));
        }
        y[54321] = 40;
        y[777] = -30;
        const int columns = 500;
        const auto kept = reduce_line(x, y, {0, 99999, columns, false});
        QVERIFY(kept.size() <= 2 * columns + 4);
        QVERIFY(kept.size() > columns);
        // In order, and per column both extremes are there.
        std::vector<double> low(columns, 1e9), high(columns, -1e9), kept_low = low, kept_high = high;
        const auto column_of = [](double at) {
            return std::min(columns - 1, static_cast<int>(at / 99999 * columns));
        };
        for (std::size_t i = 0; i < x.size(); ++i) {
            const auto c = static_cast<std::size_t>(column_of(x[i]));
            low[c] = std::min(low[c], y[i]);
            high[c] = std::max(high[c], y[i]);
        }
        std::ptrdiff_t before = -1;
        for (const auto index : kept) {
            QVERIFY(index > before);
            before = index;
            const auto i = static_cast<std::size_t>(index);
            const auto c = static_cast<std::size_t>(column_of(x[i]));
            kept_low[c] = std::min(kept_low[c], y[i]);
            kept_high[c] = std::max(kept_high[c], y[i]);
        }
        QCOMPARE(kept_low, low);
        QCOMPARE(kept_high, high);
        QCOMPARE(kept.front(), std::ptrdiff_t(0));
        QCOMPARE(kept.back(), std::ptrdiff_t(99999));
    }

    void line_reaches_the_border() {
        std::vector<double> x, y;
        for (int i = 0; i < 10000; ++i) {
            x.push_back(i);
            y.push_back(i);
        }
        for (const int columns : {20, 5000}) {
            const auto kept = reduce_line(x, y, {2000.5, 7000.5, columns, false});
            QCOMPARE(kept.front(), std::ptrdiff_t(2000));
            QCOMPARE(kept.back(), std::ptrdiff_t(7001));
        }
    }

    void gaps_stay_data() {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("until");
        QTest::addColumn<bool>("gap_expected");
        QTest::newRow("many columns") << 3000 << 6000 << true;
        QTest::newRow("two halves of columns") << 3060 << 3140 << true;
        QTest::newRow("within one column") << 3010 << 3020 << false;
    }

    void gaps_stay() {
        QFETCH(int, from);
        QFETCH(int, until);
        QFETCH(bool, gap_expected);
        std::vector<double> x, y;
        for (int i = 0; i < 10000; ++i) {
            x.push_back(i);
            y.push_back(i >= from && i < until ? none : std::sin(i));
        }
        const auto kept = reduce_line(x, y, {0, 10000, 100, false});
        const auto gaps = std::count(kept.begin(), kept.end(), gap);
        QCOMPARE(gaps, gap_expected ? 1 : 0);
        if (!gap_expected) return;
        const auto at = std::find(kept.begin(), kept.end(), gap);
        QCOMPARE(*(at - 1), std::ptrdiff_t(from - 1));
        QCOMPARE(*(at + 1), std::ptrdiff_t(until));
    }

    /// Dense, then nothing, then dense: the long segment is that between the neighbours.
    void lines_across_empty_columns() {
        std::vector<double> x, y;
        for (int i = 0; i < 10000; ++i) {
            x.push_back(i < 5000 ? i : 20000 + i);
            y.push_back(i % 97);
        }
        const auto kept = reduce_line(x, y, {0, 30000, 100, false});
        const auto before = std::find(kept.begin(), kept.end(), 4999);
        QVERIFY(before != kept.end());
        QCOMPARE(*(before + 1), std::ptrdiff_t(5000));
        QVERIFY(kept.size() <= 204);
    }

    void logarithmic_columns() {
        std::vector<double> x, y;
        for (int i = 1; i <= 100000; ++i) {
            x.push_back(i);
            y.push_back(i % 7);
        }
        const auto kept = reduce_line(x, y, {1, 100000, 100, true});
        // The first decade has 20 of 100 columns: all of its ten points are there.
        for (std::ptrdiff_t i = 0; i < 9; ++i) QVERIFY(std::find(kept.begin(), kept.end(), i) != kept.end());
        QVERIFY(kept.size() <= 204);
        const auto linear = reduce_line(x, y, {1, 100000, 100, false});
        QVERIFY(linear != kept);
    }

    void trajectories_keep_their_order() {
        std::vector<double> x, y;
        for (int i = 0; i < 5000; ++i) {
            x.push_back(std::cos(i * 0.01));
            y.push_back(std::sin(i * 0.01));
        }
        QCOMPARE(reduce_line(x, y, {-1, 1, 10, false}).size(), std::size_t(5000));
    }

    void smoothing_by_hand() {
        // w = 0.5: 4; (4·0.5 + 8) / 1.5; (4·0.25 + 8·0.5 + 2) / 1.75
        const auto s = smoothed(std::vector<double>{4, 8, 2}, 0.5);
        QCOMPARE(s[0], 4.0);
        QCOMPARE(s[1], 10.0 / 1.5);
        QCOMPARE(s[2], 7.0 / 1.75);
        QCOMPARE(smoothed(std::vector<double>{4, 8, 2}, 0), (std::vector<double>{4, 8, 2}));
    }

    void smoothing_of_a_constant_is_the_constant() {
        for (const double value : smoothed(std::vector<double>(1000, 0.3), 0.99)) QVERIFY(value == 0.3);
    }

    void smoothing_skips_gaps() {
        const auto s = smoothed(std::vector<double>{4, none, 8}, 0.5);
        QCOMPARE(s[0], 4.0);
        QVERIFY(std::isnan(s[1]));
        QCOMPARE(s[2], 10.0 / 1.5);
    }
};

TEST_MAIN_WITHOUT_GUI(TestReduce)
#include "test_reduce.moc"
