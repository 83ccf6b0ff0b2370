// Nearest neighbours against all distances in float64, and where rounding would hide them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include <QtTest>

#include <ATen/Parallel.h>

#include "analysis/neighbours.h"
#include "analysis/projected_neighbours.h"
#include "core/analysis/tsne_fixture.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using namespace casp::test;

class TestNeighbours : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void by_hand();
    void all_pairs_data();
    void all_pairs();
    void device_way_is_the_same();
    void far_off_and_close_together();
    void one_far_point();
    void equal_points_choose_by_chance();
    void fewer_than_asked_for();
    void the_same_twice();
    void refusals();
    void cancelled();
    void progress_reaches_all_points();
    void by_bounds_data();
    void by_bounds();
    void bounds_only_where_faster();
    void equal_points_by_bounds();
    void ties_by_bounds();
    void cancelled_by_bounds();
};

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

void TestNeighbours::by_hand() {
    // 0, 1, 3, 7 on a line.
    const std::vector<float> values{0, 1, 3, 7};
    const auto found = analysis::exact_neighbours(values, 4, 1, 2);
    QCOMPARE(found.index, (std::vector<std::int32_t>{1, 2, 0, 2, 1, 0, 2, 1}));
    QCOMPARE(found.square, (std::vector<float>{1, 9, 1, 4, 4, 9, 16, 36}));
}

void TestNeighbours::all_pairs_data() {
    QTest::addColumn<qint64>("n");
    QTest::addColumn<qint64>("d");
    QTest::addColumn<qint64>("k");
    QTest::newRow("one block") << qint64(500) << qint64(20) << qint64(30);
    QTest::newRow("three blocks, the last one thin") << qint64(4099) << qint64(24) << qint64(90);
    QTest::newRow("one neighbour") << qint64(300) << qint64(5) << qint64(1);
    QTest::newRow("all others") << qint64(40) << qint64(7) << qint64(39);
    QTest::newRow("wide") << qint64(600) << qint64(768) << qint64(90);
}

void TestNeighbours::all_pairs() {
    QFETCH(qint64, n);
    QFETCH(qint64, d);
    QFETCH(qint64, k);
    const auto values = blobs(n, d, 7);
    const auto found = analysis::exact_neighbours(values, n, d, k);
    QCOMPARE(wrong_rows(found, values), std::int64_t{0});
    QCOMPARE(found.repeated, std::int64_t{0});
}

void TestNeighbours::device_way_is_the_same() {
    const auto values = blobs(1500, 30, 5);
    const auto a = analysis::exact_neighbours(values, 1500, 30, 45);
    const auto b = analysis::exact_neighbours_on("cpu", values, 1500, 30, 45);
    QCOMPARE(a.index, b.index);
    QCOMPARE(a.square, b.square);
}

void TestNeighbours::far_off_and_close_together() {
    // Groups that are tiny beside their distance: what fp32 products leave of a distance within a group is
    // noise, as with anchors that have nearly the same values.
    const auto centres = normal(3, 50, 1) * 100;
    const auto values =
        floats(centres.index_select(0, at::arange(600, at::kLong).remainder(3)) + normal(600, 50, 2) * 0.01);
    const auto found = analysis::exact_neighbours(values, 600, 50, 30);
    QVERIFY(found.repeated > 300);
    QCOMPARE(wrong_rows(found, values), std::int64_t{0});
    const auto by_rows = analysis::exact_neighbours_on("cpu", values, 600, 50, 30);
    QVERIFY(by_rows.repeated > 300);
    QCOMPARE(wrong_rows(by_rows, values), std::int64_t{0});
}

void TestNeighbours::one_far_point() {
    auto values = blobs(400, 20, 3);
    for (std::size_t j = 0; j < 20; ++j) values[j] = 1e6F;
    QCOMPARE(wrong_rows(analysis::exact_neighbours(values, 400, 20, 25), values), std::int64_t{0});
}

void TestNeighbours::equal_points_choose_by_chance() {
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

void TestNeighbours::fewer_than_asked_for() {
    const auto none = analysis::exact_neighbours(std::vector<float>{1, 2}, 1, 2, 0);
    QVERIFY(none.index.empty() && none.rows == 1);
}

void TestNeighbours::the_same_twice() {
    const auto values = blobs(2500, 16, 9);
    const auto a = analysis::exact_neighbours(values, 2500, 16, 60);
    const auto b = analysis::exact_neighbours(values, 2500, 16, 60);
    QVERIFY(a.index == b.index && a.square == b.square);
}

void TestNeighbours::refusals() {
    const std::vector<float> values(20, 1);
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, (void)analysis::exact_neighbours(values, 10, 2, 10));
    QVERIFY_THROWS_EXCEPTION(std::invalid_argument, (void)analysis::exact_neighbours(values, 9, 2, 3));
    auto bad = values;
    bad[3] = std::numeric_limits<float>::quiet_NaN();
    QVERIFY_THROWS_EXCEPTION(Error, (void)analysis::exact_neighbours(bad, 10, 2, 3));
}

void TestNeighbours::cancelled() {
    std::stop_source stop;
    const auto values = blobs(6000, 8, 3);
    // After the first blocks.
    int calls = 0;
    const auto listen = [&](const Progress&) {
        if (++calls == 2) stop.request_stop();
    };
    QVERIFY_THROWS_EXCEPTION(Cancelled,
                             (void)analysis::exact_neighbours(values, 6000, 8, 10, listen, stop.get_token()));
    QCOMPARE(calls, 2);
}

void TestNeighbours::progress_reaches_all_points() {
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

namespace {

/// n points in blobs that lie in different sheets of few directions, with little noise in all others.
std::vector<float> sheets(std::int64_t n, std::int64_t d) {
    const auto which = at::arange(n, at::kLong).remainder(6);
    auto values = normal(6, d, 1).index_select(0, which) * 2 + normal(n, d, 2) * 0.2;
    for (std::int64_t s = 0; s < std::min<std::int64_t>(n, 6); ++s) {
        const auto rows = at::arange(s, n, 6, at::kLong);
        values.index_add_(0, rows,
                          at::mm(normal(rows.size(0), 5, 10 + static_cast<std::uint64_t>(s)),
                                 normal(5, d, 20 + static_cast<std::uint64_t>(s))));
    }
    return floats(values);
}

std::vector<float> points_named(const QString& name, std::int64_t n, std::int64_t d) {
    if (name == "sheets") return sheets(n, d);
    if (name == "isotropic") return floats(normal(n, d, 4));
    if (name == "blobs") return blobs(n, d, 7);
    if (name == "rank one") return floats(at::mm(normal(n, 1, 5), normal(1, d, 6)));
    if (name == "far from the mean")  // rounding of products is larger than distances within a group
        return floats(normal(3, d, 1).index_select(0, at::arange(n, at::kLong).remainder(3)) * 100 +
                      normal(n, d, 2) * 0.01);
    auto values = sheets(n, d);  // one far point
    for (std::int64_t j = 0; j < d; ++j) values[static_cast<std::size_t>(j)] = 1e6F;
    return values;
}

analysis::Neighbours by_bounds_always(const std::vector<float>& values, std::int64_t n, std::int64_t d,
                                      std::int64_t k) {
    return analysis::projected_neighbours(values, n, d, k, analysis::Projected::always).value();
}

}  // namespace

void TestNeighbours::by_bounds_data() {
    QTest::addColumn<QString>("points");
    QTest::addColumn<qint64>("n");
    QTest::addColumn<qint64>("d");
    QTest::addColumn<qint64>("k");
    for (const char* name : {"sheets", "isotropic", "blobs", "rank one", "far from the mean", "far point"})
        QTest::newRow(name) << QString(name) << qint64(2100) << qint64(96) << qint64(30);
    QTest::newRow("several tiles") << QString("sheets") << qint64(4200) << qint64(150) << qint64(90);
    QTest::newRow("wide") << QString("sheets") << qint64(700) << qint64(768) << qint64(90);
    QTest::newRow("all others") << QString("sheets") << qint64(40) << qint64(7) << qint64(39);
    QTest::newRow("two values") << QString("isotropic") << qint64(300) << qint64(2) << qint64(5);
    QTest::newRow("two points") << QString("isotropic") << qint64(2) << qint64(3) << qint64(1);
}

void TestNeighbours::by_bounds() {
    QFETCH(QString, points);
    QFETCH(qint64, n);
    QFETCH(qint64, d);
    QFETCH(qint64, k);
    const auto values = points_named(points, n, d);
    const auto found = by_bounds_always(values, n, d, k);
    QCOMPARE(wrong_rows(found, values), std::int64_t{0});
    const auto again = by_bounds_always(values, n, d, k);
    QVERIFY(found.index == again.index && found.square == again.square);
    const auto threads = at::get_num_threads();
    at::set_num_threads(1);
    const auto alone = by_bounds_always(values, n, d, k);
    at::set_num_threads(threads);
    QVERIFY(found.index == alone.index && found.square == alone.square);
}

void TestNeighbours::bounds_only_where_faster() {
    const std::int64_t n = 9000, d = 256;
    const auto isotropic = floats(normal(n, d, 4)), good = sheets(n, d);
    const auto if_faster = analysis::Projected::if_faster;
    QVERIFY(!analysis::projected_neighbours(isotropic, n, d, 30, if_faster));
    QVERIFY(!analysis::projected_neighbours(std::span(good).first(1000 * 256), 1000, d, 30, if_faster));
    const auto found = analysis::projected_neighbours(good, n, d, 30, if_faster);
    QVERIFY(found.has_value());
    const auto plain = analysis::exact_neighbours_on("cpu", good, n, d, 30);
    QVERIFY(found->index == plain.index && found->square == plain.square);
    QVERIFY(analysis::exact_neighbours(good, n, d, 30).index == found->index);
    auto bad = good;
    bad[3] = std::numeric_limits<float>::infinity();
    QVERIFY_THROWS_EXCEPTION(Error, (void)analysis::exact_neighbours(bad, n, d, 30));
}

void TestNeighbours::equal_points_by_bounds() {
    // Nobody among 1,000 equal points is everybody's neighbour.
    auto values = sheets(2300, 60);
    for (std::size_t i = 1; i < 1000; ++i)
        std::copy_n(values.begin(), 60, values.begin() + static_cast<std::ptrdiff_t>(60 * i));
    const auto found = by_bounds_always(values, 2300, 60, 30);
    std::vector<int> chosen(2300, 0);
    for (std::size_t i = 0; i < 1000; ++i)
        for (std::size_t j = 0; j < 30; ++j) {
            QCOMPARE(found.square[i * 30 + j], 0.0F);
            ++chosen[static_cast<std::size_t>(found.index[i * 30 + j])];
        }
    QVERIFY(*std::max_element(chosen.begin(), chosen.end()) < 90);
    const std::vector<float> same(600 * 20, 3.0F);
    const auto zeros = by_bounds_always(same, 600, 20, 10);
    QVERIFY(std::ranges::all_of(zeros.square, [](float square) { return square == 0; }));
}

void TestNeighbours::ties_by_bounds() {
    // Points of a lattice: of equally near ones, those with the smallest numbers.
    const std::int64_t n = 2401, d = 4, k = 20;
    std::vector<float> values;
    for (std::int64_t i = 0; i < n; ++i)
        for (const auto coordinate : {i % 7, i / 7 % 7, i / 49 % 7, i / 343})
            values.push_back(static_cast<float>(coordinate));
    const auto found = by_bounds_always(values, n, d, k);
    const auto squares = all_squares(values, n).contiguous();
    for (std::int64_t i = 0; i < n; ++i) {
        std::vector<std::pair<double, std::int32_t>> all;
        for (std::int64_t j = 0; j < n; ++j)
            all.emplace_back(squares.const_data_ptr<double>()[i * n + j], static_cast<std::int32_t>(j));
        std::ranges::sort(all);
        for (std::int64_t j = 0; j < k; ++j)
            QCOMPARE(found.index[static_cast<std::size_t>(i * k + j)],
                     all[static_cast<std::size_t>(j)].second);
    }
}

void TestNeighbours::cancelled_by_bounds() {
    const auto values = sheets(6500, 40);
    for (const int after : {1, 3}) {
        std::stop_source stop;
        int calls = 0;
        const auto listen = [&](const Progress&) {
            if (++calls == after) stop.request_stop();
        };
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, (void)analysis::projected_neighbours(values, 6500, 40, 10, analysis::Projected::always,
                                                            listen, stop.get_token()));
        QCOMPARE(calls, after);
    }
}

TEST_MAIN_WITHOUT_GUI(TestNeighbours)
#include "test_neighbours.moc"
