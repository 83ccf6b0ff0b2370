// Components of rows that come in parts, against those of pca() and explained_variance() of the same rows.
#include <cmath>
#include <limits>

#include <QtTest>

#include <torch/torch.h>

#include "analysis/streamed_pca.h"
#include "analysis_test.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using casp::test::near;

class TestStreamedPca : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cross_by_hand();
    void is_the_pca_of_all_rows_data();
    void is_the_pca_of_all_rows();
    void parts_do_not_matter();
    void more_rows_may_follow();
    void points_of_other_rows();
    void few_rows();
    void refusals();
};

namespace {

/// Columns of different size, so that the components are well apart.
std::vector<float> offset_rows(std::int64_t n, std::int64_t d, double offset) {
    auto generator = at::make_generator<at::CPUGeneratorImpl>(3);
    const auto t = (at::randn({n, d}, generator, at::kDouble) *
                        at::pow(at::full({d}, 0.8, at::kDouble), at::arange(d, at::kDouble)) +
                    offset)
                       .to(at::kFloat)
                       .contiguous();
    return {t.data_ptr<float>(), t.data_ptr<float>() + t.numel()};
}

}  // namespace

void TestStreamedPca::cross_by_hand() {
    // (±3, 0), (0, ±1) moved to (5, −2): variances 18/3 and 2/3 along x and y. About zero: products
    // [[118, −40], [−40, 18]], eigenvalues 68 ± √(50² + 40²).
    analysis::StreamedPca sums(2);
    sums.add(std::vector<float>{8, -2, 2, -2});
    sums.add(std::vector<float>{5, -1, 5, -3});
    const auto p = sums.axes(2);
    QCOMPARE(p.rows, std::int64_t{4});
    QVERIFY(near(p.mean[0], 5, 1e-12) && near(p.mean[1], -2, 1e-12));
    QVERIFY(near(p.shares.centred[0], 0.9, 1e-12) && near(p.shares.centred[1], 0.1, 1e-12));
    const double root = std::sqrt(4100.0);
    QVERIFY(near(p.shares.uncentred[0], (68 + root) / 136, 1e-12));
    QVERIFY(near(p.shares.uncentred[1], (68 - root) / 136, 1e-12));
    const std::vector<double> axes{1, 0, 0, 1};
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(near(p.axes[i], axes[i], 1e-12));
}

void TestStreamedPca::is_the_pca_of_all_rows_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<double>("offset");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("less than a block") << 300 << 24 << 0.3 << 1e-11;
    QTest::newRow("blocks and a rest") << 3500 << 24 << 0.3 << 1e-11;
    QTest::newRow("whole blocks") << 2048 << 24 << 0.3 << 1e-11;
    QTest::newRow("a mean that is large beside the spread") << 3500 << 24 << 3000.0 << 1e-8;
    // There the products of pca() are of float32: right to 1e-5.
    QTest::newRow("as wide as embeddings") << 2500 << 300 << 0.3 << 1e-5;
    QTest::newRow("more columns than rows") << 90 << 130 << 0.3 << 1e-11;
}

void TestStreamedPca::is_the_pca_of_all_rows() {
    QFETCH(const int, rows);
    QFETCH(const int, columns);
    QFETCH(const double, offset);
    QFETCH(const double, tolerance);
    const auto values = offset_rows(rows, columns, offset);
    analysis::StreamedPca sums(columns);
    sums.add(values);
    const auto found = sums.axes(3);
    const auto whole = analysis::pca(values, rows, columns, 3);
    const auto shares = analysis::explained_variance(values, rows, columns, 3);
    QCOMPARE(found.rows, std::int64_t{rows});
    for (std::size_t i = 0; i < 3; ++i) {
        QVERIFY2(near(found.shares.centred[i], shares.centred[i], tolerance),
                 qPrintable(QString::number(found.shares.centred[i] - shares.centred[i])));
        QVERIFY2(near(found.shares.uncentred[i], shares.uncentred[i], tolerance),
                 qPrintable(QString::number(found.shares.uncentred[i] - shares.uncentred[i])));
    }
    for (std::size_t i = 0; i < whole.mean.size(); ++i)
        QVERIFY(near(found.mean[i], whole.mean[i], 1e-9 * (1 + offset)));
    const auto points = found.points(values);
    QCOMPARE(points.size(), whole.points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        QVERIFY(near(points[i], whole.points[i], 100 * tolerance));
}

void TestStreamedPca::parts_do_not_matter() {
    const std::int64_t d = 12;
    const auto values = offset_rows(5000, d, 1);
    analysis::StreamedPca at_once(d), in_parts(d);
    at_once.add(values);
    for (std::size_t row = 0, count = 1; row < 5000; row += count, count = 1 + (count * 7) % 1500)
        in_parts.add(std::span(values).subspan(
            row * d, std::min<std::size_t>(count, 5000 - row) * static_cast<std::size_t>(d)));
    const auto a = at_once.axes(2), b = in_parts.axes(2);
    QCOMPARE(b.rows, std::int64_t{5000});
    QVERIFY(a.mean == b.mean && a.axes == b.axes);  // to the last bit
    QVERIFY(a.shares.centred == b.shares.centred && a.shares.uncentred == b.shares.uncentred);
}

void TestStreamedPca::more_rows_may_follow() {
    const auto values = offset_rows(2500, 6, 1);
    analysis::StreamedPca sums(6), whole(6);
    sums.add(std::span(values).first(1300 * 6));
    const auto before = sums.axes(2);
    QCOMPARE(before.rows, std::int64_t{1300});
    QVERIFY(sums.axes(2).shares.centred == before.shares.centred);
    sums.add(std::span(values).subspan(1300 * 6));
    whole.add(values);
    QVERIFY(sums.axes(2).shares.centred == whole.axes(2).shares.centred);
    QVERIFY(sums.axes(2).shares.centred != before.shares.centred);
}

void TestStreamedPca::points_of_other_rows() {
    analysis::StreamedPca sums(2);
    sums.add(std::vector<float>{8, -2, 2, -2, 5, -1, 5, -3});
    const auto axes = sums.axes(1);
    QCOMPARE(axes.points(std::vector<float>{6, 40, 5, 0}), (std::vector<double>{1, 0}));
}

void TestStreamedPca::few_rows() {
    analysis::StreamedPca sums(3);
    const auto none = sums.axes(2);
    QVERIFY(none.rows == 0 && std::isnan(none.shares.centred[0]) && std::isnan(none.shares.uncentred[1]));
    sums.add(std::vector<float>{1, 2, 2});
    const auto one = sums.axes(2);
    QVERIFY(std::isnan(one.shares.centred[0]));
    QVERIFY(near(one.shares.uncentred[0], 1, 1e-12) && one.shares.uncentred[1] == 0);
    sums.add(std::vector<float>{1, 2, 2});
    const auto equal = sums.axes(2);  // no variance at all
    QVERIFY(std::isnan(equal.shares.centred[0]));
    QVERIFY(equal.axes == std::vector<double>(6, 0.0));
}

void TestStreamedPca::refusals() {
    QVERIFY_EXCEPTION_THROWN(analysis::StreamedPca(0), std::invalid_argument);
    analysis::StreamedPca sums(3);
    QVERIFY_EXCEPTION_THROWN(sums.add(std::vector<float>{1, 2}), std::invalid_argument);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(sums.axes(0)), std::invalid_argument);
    sums.add(std::vector<float>{1, 2, std::numeric_limits<float>::quiet_NaN()});
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(sums.axes(1)), Error);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(analysis::PrincipalAxes{}.points({})), std::invalid_argument);
}

TEST_MAIN_WITHOUT_GUI(TestStreamedPca)
#include "test_streamed_pca.moc"
