// Nearest neighbours against all distances in float64, and where rounding would hide them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <QtTest>

#include "analysis/neighbours.h"
#include "core/analysis/tsne_fixture.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using namespace casp::test;

namespace {

/// Squared distances of all pairs [n, n] in float64, the diagonal infinite.
at::Tensor all_squares(const std::vector<float>& values, std::int64_t n) {
    const auto x = at::tensor(values, at::kFloat).view({n, -1}).to(at::kDouble);
    auto squares = at::empty({n, n}, at::kDouble);
    for (std::int64_t i = 0; i < n; ++i) squares[i] = (x - x[i]).square().sum(1);
    squares.fill_diagonal_(std::numeric_limits<double>::infinity());
    return squares;
}

/// Rows whose neighbours are not the k nearest: distances compared rank by rank, to 1e-5 of each.
std::int64_t wrong_rows(const analysis::Neighbours& found, const std::vector<float>& values) {
    const auto n = found.rows, k = found.count;
    const auto squares = all_squares(values, n);
    const auto nearest = std::get<0>(at::topk(squares, k, 1, false, true)).contiguous();
    const auto right = nearest.const_data_ptr<double>(), every = squares.const_data_ptr<double>();
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        bool good = true;
        std::set<std::int32_t> different;
        for (std::int64_t j = 0; j < k; ++j) {
            const auto index = found.index[static_cast<std::size_t>(i * k + j)];
            const auto told = static_cast<double>(found.square[static_cast<std::size_t>(i * k + j)]);
            different.insert(index);
            good = good && std::abs(every[i * n + index] - right[i * k + j]) <= 1e-5 * right[i * k + j] &&
                   std::abs(told - right[i * k + j]) <= 1e-5 * right[i * k + j] && index != i;
        }
        wrong += static_cast<std::int64_t>(!good || std::cmp_not_equal(different.size(), k));
    }
    return wrong;
}

}  // namespace

class TestNeighbours : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void by_hand() {
        // 0, 1, 3, 7 on a line.
        const std::vector<float> values{0, 1, 3, 7};
        const auto found = analysis::exact_neighbours(values, 4, 1, 2);
        QCOMPARE(found.index, (std::vector<std::int32_t>{1, 2, 0, 2, 1, 0, 2, 1}));
        QCOMPARE(found.square, (std::vector<float>{1, 9, 1, 4, 4, 9, 16, 36}));
    }

    void all_pairs_data() {
        QTest::addColumn<qint64>("n");
        QTest::addColumn<qint64>("d");
        QTest::addColumn<qint64>("k");
        QTest::newRow("one block") << qint64(500) << qint64(20) << qint64(30);
        QTest::newRow("three blocks, the last one thin") << qint64(4099) << qint64(24) << qint64(90);
        QTest::newRow("one neighbour") << qint64(300) << qint64(5) << qint64(1);
        QTest::newRow("all others") << qint64(40) << qint64(7) << qint64(39);
        QTest::newRow("wide") << qint64(600) << qint64(768) << qint64(90);
    }

    void all_pairs() {
        QFETCH(qint64, n);
        QFETCH(qint64, d);
        QFETCH(qint64, k);
        const auto values = blobs(n, d, 7);
        const auto found = analysis::exact_neighbours(values, n, d, k);
        QCOMPARE(wrong_rows(found, values), std::int64_t{0});
        QCOMPARE(found.repeated, std::int64_t{0});
    }

    void far_off_and_close_together() {
        // Groups that are tiny beside their distance: what fp32 products leave of a distance within a group
        // is noise, as with anchors that have nearly the same values.
        const auto centres = normal(3, 50, 1) * 100;
        const auto values = floats(centres.index_select(0, at::arange(600, at::kLong).remainder(3)) +
                                   normal(600, 50, 2) * 0.01);
        const auto found = analysis::exact_neighbours(values, 600, 50, 30);
        QVERIFY(found.repeated > 300);
        QCOMPARE(wrong_rows(found, values), std::int64_t{0});
    }

    void one_far_point() {
        auto values = blobs(400, 20, 3);
        for (std::size_t j = 0; j < 20; ++j) values[j] = 1e6F;
        QCOMPARE(wrong_rows(analysis::exact_neighbours(values, 400, 20, 25), values), std::int64_t{0});
    }

    void equal_points_choose_by_chance() {
        // 400 equal points and 100 others: nobody among the equal ones is everybody's neighbour.
        auto values = blobs(500, 10, 2);
        for (std::size_t i = 1; i < 400; ++i) std::copy_n(values.begin(), 10, values.begin() + 10 * i);
        const auto found = analysis::exact_neighbours(values, 500, 10, 30);
        std::vector<int> chosen(500, 0);
        for (std::size_t i = 0; i < 400; ++i)
            for (std::size_t j = 0; j < 30; ++j) {
                QCOMPARE(found.square[i * 30 + j], 0.0F);
                ++chosen[static_cast<std::size_t>(found.index[i * 30 + j])];
            }
        QVERIFY(*std::max_element(chosen.begin(), chosen.end()) < 90);
    }

    void fewer_than_asked_for() {
        const auto none = analysis::exact_neighbours(std::vector<float>{1, 2}, 1, 2, 0);
        QVERIFY(none.index.empty() && none.rows == 1);
    }

    void the_same_twice() {
        const auto values = blobs(2500, 16, 9);
        const auto a = analysis::exact_neighbours(values, 2500, 16, 60);
        const auto b = analysis::exact_neighbours(values, 2500, 16, 60);
        QVERIFY(a.index == b.index && a.square == b.square);
    }

    void refusals() {
        const std::vector<float> values(20, 1);
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, (void)analysis::exact_neighbours(values, 10, 2, 10));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, (void)analysis::exact_neighbours(values, 9, 2, 3));
        auto bad = values;
        bad[3] = std::numeric_limits<float>::quiet_NaN();
        QVERIFY_THROWS_EXCEPTION(Error, (void)analysis::exact_neighbours(bad, 10, 2, 3));
    }

    void cancelled() {
        std::stop_source stop;
        const auto values = blobs(6000, 8, 3);
        // After the first blocks.
        int calls = 0;
        const auto listen = [&](const Progress&) {
            if (++calls == 2) stop.request_stop();
        };
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, (void)analysis::exact_neighbours(values, 6000, 8, 10, listen, stop.get_token()));
        QCOMPARE(calls, 2);
    }

    void progress_reaches_all_points() {
        std::int64_t last = -1, total = 0;
        bool forward = true;
        (void)analysis::exact_neighbours(blobs(5000, 4, 3), 5000, 4, 5, [&](const Progress& p) {
            forward = forward && p.done >= last;
            last = p.done;
            total = p.total;
        });
        QVERIFY(forward && last > 3000 && last < 5000);
        QCOMPARE(total, std::int64_t{5000});
    }
};

TEST_MAIN_WITHOUT_GUI(TestNeighbours)
#include "test_neighbours.moc"
