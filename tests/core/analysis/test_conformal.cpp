// Split-conformal offsets and coverage: ranks worked out by hand, and exchangeable errors.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <QtTest>

#include "analysis/conformal.h"
#include "test_program.h"

using namespace casp::analysis;

class TestConformal : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ranks_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("percent");
        QTest::addColumn<int>("rank");
        const auto row = [](int n, int percent, int rank) {
            QTest::addRow("%d at %d", n, percent) << n << percent << rank;
        };
        row(9, 80, 8);        // 10 · 0.8 is exactly 8
        row(10, 80, 9);       // 8.8
        row(19, 95, 19);      // 19: the largest error
        row(18, 95, 19);      // 18.05: above n
        row(99, 90, 90);      // 90
        row(100, 90, 91);     // 90.9
        row(1, 50, 1);        // 1
        row(2784, 95, 2646);  // 2645.75: ETTh1's validation windows at horizon 96 (2881 − 96 − …)
        row(1, 99, 2);
    }

    void ranks() {
        QFETCH(int, n);
        QFETCH(int, percent);
        QFETCH(int, rank);
        QCOMPARE(conformal_rank(n, percent), std::int64_t{rank});
    }

    void fewest_errors_with_a_finite_offset_data() {
        QTest::addColumn<int>("percent");
        QTest::addColumn<int>("fewest");
        const std::vector<std::pair<int, int>> known{{1, 1}, {50, 1}, {80, 4}, {90, 9}, {95, 19}, {99, 99}};
        for (const auto& [percent, fewest] : known) QTest::addRow("%d", percent) << percent << fewest;
    }

    void fewest_errors_with_a_finite_offset() {
        QFETCH(int, percent);
        QFETCH(int, fewest);
        QCOMPARE(fewest_errors(percent), std::int64_t{fewest});
        QVERIFY(conformal_rank(fewest, percent) <= fewest);
        QVERIFY(conformal_rank(fewest - 1, percent) > fewest - 1);
    }

    void offset_is_the_error_of_its_rank() {
        // Nine windows of two cells; sorted, the first cell has 1 … 9 and the second 10 … 90.
        const std::vector<float> errors{3, 90, 9, 10, 1, 20, 7, 80, 5, 30, 2, 70, 8, 40, 6, 60, 4, 50};
        QCOMPARE(conformal_offsets(errors, 2, 80), (std::vector<float>{8, 80}));
        QCOMPARE(conformal_offsets(errors, 2, 90), (std::vector<float>{9, 90}));
        QCOMPARE(conformal_offsets(errors, 2, 50), (std::vector<float>{5, 50}));
        QCOMPARE(conformal_offsets(errors, 2, 41), (std::vector<float>{5, 50}));  // rank 4.1
        QCOMPARE(conformal_offsets(errors, 2, 1), (std::vector<float>{1, 10}));
    }

    void too_few_errors_are_infinite() {
        const std::vector<float> errors{1, 2, 3};
        const auto offsets = conformal_offsets(errors, 1, 80);
        QVERIFY(offsets.size() == 1 && std::isinf(offsets[0]));
    }

    void an_unknown_error_gives_no_offset() {
        constexpr float unknown = std::numeric_limits<float>::quiet_NaN();
        const std::vector<float> errors{1, 5, unknown, 6, 2, 7, 3, 8};
        const auto offsets = conformal_offsets(errors, 2, 50);
        QVERIFY(std::isnan(offsets[0]));
        QCOMPARE(offsets[1], 7.0F);  // ceil(5 · 0.5) = 3
        QCOMPARE(covered(errors, offsets),
                 std::int64_t{3});  // nothing is known to be inside the first cell's
    }

    void many_cells_with_threads() {
        constexpr std::size_t cells = 37, n = 101;
        std::mt19937 generator(7);
        std::uniform_real_distribution<float> uniform(0, 1);
        std::vector<float> errors(cells * n);
        for (auto& error : errors) error = uniform(generator);
        const auto offsets = conformal_offsets(errors, cells, 95, 3);
        for (std::size_t c = 0; c < cells; ++c) {
            std::vector<float> column;
            for (std::size_t i = 0; i < n; ++i) column.push_back(errors[i * cells + c]);
            std::sort(column.begin(), column.end());
            QCOMPARE(offsets[c], column[96]);  // rank ceil(102 · 0.95) = 97
        }
    }

    void coverage_counts_equal_errors() {
        QCOMPARE(covered(std::vector<float>{1, 2, 3, 4, 0.5F, 9}, {2, 3}), std::int64_t{3});  // 1, 2 and 0.5
    }

    void coverage_of_exchangeable_errors() {
        // The expected coverage lies between the level and the level + 1 / (n + 1).
        constexpr std::size_t cells = 50, n = 199;
        std::mt19937 generator(11);
        std::normal_distribution<float> normal;
        const auto draw = [&] {
            std::vector<float> errors(cells * n);
            for (auto& error : errors) error = std::abs(normal(generator));
            return errors;
        };
        const auto calibration = draw(), test = draw();
        for (const int percent : {80, 95}) {
            const auto offsets = conformal_offsets(calibration, cells, percent);
            const double coverage = static_cast<double>(covered(test, offsets)) / (cells * n);
            QVERIFY2(std::abs(100 * coverage - percent) < 1.5, qPrintable(QString::number(coverage)));
        }
    }
};

TEST_MAIN_WITHOUT_GUI(TestConformal)
#include "test_conformal.moc"
