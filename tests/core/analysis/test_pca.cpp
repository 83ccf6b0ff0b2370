// Principal components against cases worked out by hand, a rotation, and LibTorch's SVD.
#include <cmath>

#include <QtTest>

#include <torch/torch.h>

#include "analysis/pca.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;

class TestPca : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cross_by_hand();
    void more_columns_than_rows_by_hand();
    void rotation_changes_the_axes_alone();
    void matches_svd_data();
    void matches_svd();
    void a_small_component_beside_a_large_one();
    void many_rows_in_blocks();
    void offset_does_not_matter();
    void no_variance();
    void ratios_alone_are_the_same();
    void layout_of_three_kinds();
    void layout_is_the_pca_of_all_rows();
    void layout_without_prompts();
    void orientation_is_kept();
    void refusals();
    void cancelled();
    void progress_goes_on_to_the_end_data();
    void progress_goes_on_to_the_end();
    void cancelled_while_it_works();
};

namespace {

std::vector<float> as_floats(const at::Tensor& t) {
    const auto c = t.to(at::kFloat).contiguous();
    return {c.data_ptr<float>(), c.data_ptr<float>() + c.numel()};
}

at::Tensor matrix(const std::vector<double>& values, std::int64_t rows) {
    return at::tensor(values, at::kDouble).view({rows, -1});
}

at::Tensor some_rows(std::int64_t n, std::int64_t d, std::uint64_t seed = 1) {
    auto generator = at::make_generator<at::CPUGeneratorImpl>(seed);
    // Columns of different size, so that the components are well apart.
    return at::randn({n, d}, generator, at::kDouble) *
           at::pow(at::full({d}, 0.8, at::kDouble), at::arange(d, at::kDouble));
}

bool close(double a, double b, double tolerance = 1e-9) { return std::abs(a - b) <= tolerance; }

}  // namespace

void TestPca::cross_by_hand() {
    // (±3, 0), (0, ±1) moved to (5, −2): variances 18/3 and 2/3 along x and y.
    const std::vector<float> values{8, -2, 2, -2, 5, -1, 5, -3};
    const auto p = analysis::pca(values, 4, 2, 2);
    QVERIFY(close(p.mean[0], 5) && close(p.mean[1], -2));
    QVERIFY(close(p.variance[0], 6) && close(p.variance[1], 2.0 / 3));
    QVERIFY(close(p.variance_ratio[0], 0.9) && close(p.variance_ratio[1], 0.1));
    const std::vector<double> axes{1, 0, 0, 1}, points{3, 0, -3, 0, 0, 1, 0, -1};
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(close(p.axes[i], axes[i]));
    for (std::size_t i = 0; i < 8; ++i) QVERIFY(close(p.points[i], points[i]));
}

void TestPca::more_columns_than_rows_by_hand() {
    // Two rows differ by (2, −4, 4): one axis −(1, −2, 2)/3 or its opposite; of the two equally large
    // loadings the first decides the sign. |difference| = 6, so points ±3, variance 18.
    const std::vector<float> values{1, 1, 1, 3, -3, 5};
    const auto p = analysis::pca(values, 2, 3, 3);
    QVERIFY(close(p.variance[0], 18) && p.variance[1] == 0 && p.variance[2] == 0);
    QVERIFY(close(p.variance_ratio[0], 1) && p.variance_ratio[1] == 0);
    QVERIFY(close(std::abs(p.axes[0]), 1.0 / 3) && close(std::abs(p.axes[1]), 2.0 / 3));
    QVERIFY(close(p.axes[0] * -2, p.axes[1]) && close(p.axes[1], -p.axes[2]));
    for (std::size_t i = 3; i < 9; ++i) QCOMPARE(p.axes[i], 0.0);
    QVERIFY(close(std::abs(p.points[0]), 3) && close(p.points[0], -p.points[3]));
    QCOMPARE(p.points[1], 0.0);
}

void TestPca::rotation_changes_the_axes_alone() {
    const auto x = some_rows(50, 2);
    const double a = 0.7;
    const auto turn = matrix({std::cos(a), std::sin(a), -std::sin(a), std::cos(a)}, 2);
    const auto before = analysis::pca(as_floats(x), 50, 2, 2);
    const auto after = analysis::pca(as_floats(at::mm(x, turn)), 50, 2, 2);
    const auto turned = at::mm(matrix(before.axes, 2), turn);
    for (std::int64_t c = 0; c < 2; ++c) {
        QVERIFY(close(before.variance[static_cast<std::size_t>(c)],
                      after.variance[static_cast<std::size_t>(c)], 1e-6));
        const double cosine = turned[c].dot(matrix(after.axes, 2)[c]).item<double>();
        QVERIFY(close(std::abs(cosine), 1, 1e-9));
    }
}

void TestPca::matches_svd_data() {
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("d");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("tall") << 300 << 20 << 1e-9;
    QTest::newRow("wide") << 20 << 300 << 1e-9;
    QTest::newRow("square") << 60 << 60 << 1e-9;
    // Large enough for leading_eigen's own way; strips that do not divide the width.
    QTest::newRow("large wide") << 260 << 768 << 1e-9;
    QTest::newRow("large tall, few rows") << 500 << 333 << 1e-9;
    // Products of float32.
    QTest::newRow("large tall") << 1100 << 333 << 3e-7;
}

void TestPca::matches_svd() {
    QFETCH(int, n);
    QFETCH(int, d);
    QFETCH(double, tolerance);
    const auto values = as_floats(some_rows(n, d, 7));
    const auto p = analysis::pca(values, n, d, 5);
    const auto x = at::from_blob(const_cast<float*>(values.data()), {n, d}).to(at::kDouble);
    const auto centred = x - x.mean(0);
    const auto [u, s, vt] = at::linalg_svd(centred, false);
    const auto whole = s.square().sum().item<double>();
    for (std::int64_t c = 0; c < 5; ++c) {
        const auto i = static_cast<std::size_t>(c);
        const double singular = s[c].item<double>();
        QVERIFY(close(p.variance[i], singular * singular / (n - 1), tolerance));
        QVERIFY(close(p.variance_ratio[i], singular * singular / whole, tolerance));
        const auto axis = matrix(p.axes, 5)[c];
        QVERIFY(close(std::abs(axis.dot(vt[c]).item<double>()), 1, tolerance));
        QVERIFY(axis[axis.abs().argmax().item<std::int64_t>()].item<double>() > 0);
    }
    const auto expected = at::mm(centred, matrix(p.axes, 5).t());
    QVERIFY((expected - matrix(p.points, n)).abs().max().item<double>() < 1e-9);
}

void TestPca::a_small_component_beside_a_large_one() {
    // One column a hundred times as wide as the next: of what float32 sums round, a ten thousandth of the
    // variance would feel it, so the sums are made in float64.
    const std::int64_t n = 1100, d = 333;
    auto x = some_rows(n, d, 9);
    x.select(1, 0).mul_(100);
    const auto values = as_floats(x + 5);
    const auto centred = at::from_blob(const_cast<float*>(values.data()), {n, d}).to(at::kDouble);
    const auto eigenvalues = at::linalg_eigvalsh(at::cov(centred.t())).flip(0);
    const auto p = analysis::pca(values, n, d, 5);
    for (std::size_t i = 0; i < 5; ++i) {
        const double expected = eigenvalues[static_cast<std::int64_t>(i)].item<double>();
        QVERIFY2(close(p.variance[i] / expected, 1, 1e-10),
                 qPrintable(QString::number(p.variance[i] / expected, 'g', 17)));
    }
}

void TestPca::many_rows_in_blocks() {
    // More rows than are held in float64 at once.
    const std::int64_t n = 5000;
    const auto values = as_floats(some_rows(n, 8, 3) + 2);
    const auto p = analysis::pca(values, n, 8, 2);
    const auto x = at::from_blob(const_cast<float*>(values.data()), {n, 8}).to(at::kDouble);
    const auto covariance = at::mm((x - x.mean(0)).t(), x - x.mean(0)) / (n - 1);
    const auto eigenvalues = at::linalg_eigvalsh(covariance);
    QVERIFY(close(p.variance[0], eigenvalues[7].item<double>()));
    QVERIFY((at::mm(x - x.mean(0), matrix(p.axes, 2).t()) - matrix(p.points, n)).abs().max().item<double>() <
            1e-9);
}

void TestPca::offset_does_not_matter() {
    // A mean of 4096 beside deviations of 1: sums of squares that were not centred would lose them in
    // float32.
    auto generator = at::make_generator<at::CPUGeneratorImpl>(std::uint64_t{5});
    const auto x = at::randint(-8, 8, {200, 6}, generator, at::kDouble);
    const auto near_zero = analysis::pca(as_floats(x), 200, 6, 3);
    const auto far = analysis::pca(as_floats(x + 4096), 200, 6, 3);
    for (std::size_t i = 0; i < 3; ++i) QVERIFY(close(near_zero.variance[i], far.variance[i], 1e-9));
}

void TestPca::no_variance() {
    const std::vector<float> same{1, 2, 1, 2, 1, 2};
    const auto p = analysis::pca(same, 3, 2, 2);
    QVERIFY(std::isnan(p.variance_ratio[0]) && p.variance[0] == 0 && p.points[0] == 0);
    const auto none = analysis::pca({}, 0, 2, 2);
    QVERIFY(none.points.empty() && std::isnan(none.variance_ratio[1]));
    const auto one = analysis::pca(std::vector<float>{3, 4}, 1, 2, 1);
    QVERIFY(one.points == std::vector<double>{0} && one.mean == (std::vector<double>{3, 4}));
}

void TestPca::ratios_alone_are_the_same() {
    for (const auto& [n, d] : {std::pair{90, 11}, std::pair{11, 90}}) {
        const auto values = as_floats(some_rows(n, d, 9));
        const auto alone = analysis::explained_variance(values, n, d, 4).centred;
        const auto whole = analysis::pca(values, n, d, 4).variance_ratio;
        for (std::size_t i = 0; i < 4; ++i) QVERIFY(close(alone[i], whole[i], 1e-12));
    }
    QVERIFY(std::isnan(analysis::explained_variance(std::vector<float>{1, 2}, 1, 2, 1).centred[0]));
}

void TestPca::layout_of_three_kinds() {
    // Anchors vary along x only, series along y only; the prompts are one point.
    const std::vector<float> anchors{-4, 0, 4, 0, 0, 0}, series{0, 1, 0, -1}, prompts{0, 0};
    const auto l = analysis::joint_layout(anchors, series, prompts, 2, 2);
    QCOMPARE(l.components, std::int64_t{2});
    QVERIFY(l.kind == (std::vector<std::int32_t>{0, 0, 0, 1, 1, 2}));
    QVERIFY(l.row == (std::vector<std::int32_t>{0, 1, 2, 0, 1, 0}));
    const std::vector<float> points{-4, 0, 4, 0, 0, 0, 0, 1, 0, -1, 0, 0};
    for (std::size_t i = 0; i < points.size(); ++i) QVERIFY(close(l.points[i], points[i], 1e-6));
    QCOMPARE(l.variance_ratio.size(), std::size_t{6});
    QVERIFY(close(l.variance_ratio[0], 1) && l.variance_ratio[1] == 0);
    QVERIFY(close(l.variance_ratio[2], 1) && l.variance_ratio[3] == 0);  // series by itself, not along x
    QVERIFY(std::isnan(l.variance_ratio[4]));
}

void TestPca::layout_is_the_pca_of_all_rows() {
    for (const std::int64_t d : {5, 70}) {  // with more and with fewer rows than columns
        const auto a = as_floats(some_rows(20, d, 1) + 3), s = as_floats(some_rows(12, d, 2)),
                   p = as_floats(some_rows(12, d, 3) - 1);
        auto all = a;
        all.insert(all.end(), s.begin(), s.end());
        all.insert(all.end(), p.begin(), p.end());
        const auto layout = analysis::joint_layout(a, s, p, d, 3);
        const auto whole = analysis::pca(all, 44, d, 3);
        for (std::size_t i = 0; i < layout.points.size(); ++i)
            QVERIFY(close(layout.points[i], whole.points[i], 1e-5));
        QCOMPARE(layout.explained.size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(close(layout.explained[i], whole.variance_ratio[i], 1e-12));
        const auto by_itself = analysis::explained_variance(s, 12, d, 3).centred;
        for (std::size_t i = 0; i < 3; ++i) QVERIFY(close(layout.variance_ratio[3 + i], by_itself[i], 1e-12));
    }
}

void TestPca::layout_without_prompts() {
    const auto l = analysis::joint_layout({}, as_floats(some_rows(6, 4)), {}, 4, 3);
    QCOMPARE(l.kind.size(), std::size_t{6});
    QVERIFY(std::isnan(l.variance_ratio[0]) && l.variance_ratio[3] > 0 && std::isnan(l.variance_ratio[6]));
}

void TestPca::orientation_is_kept() {
    store::EmbeddingLayout before, now;
    before.components = now.components = 2;
    before.points = {1, 2, 3, -4};
    now.points = {-1.1F, 2, -2.9F, -4.2F};
    analysis::keep_orientation(now, before);
    QVERIFY(now.points == (std::vector<float>{1.1F, 2, 2.9F, -4.2F}));
    auto longer = before;
    longer.points = {-1, -2, -3, 4, 5, 6};
    const auto copy = longer.points;
    analysis::keep_orientation(longer, before);
    QVERIFY(longer.points == copy);
}

void TestPca::refusals() {
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(analysis::pca(std::vector<float>{1, 2, 3}, 2, 2, 1)),
                             std::invalid_argument);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(analysis::pca(std::vector<float>{1, 2}, 1, 2, 0)),
                             std::invalid_argument);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(analysis::pca(std::vector<float>{1, NAN, 3, 4}, 2, 2, 1)),
                             Error);
}

void TestPca::cancelled() {
    std::stop_source source;
    source.request_stop();
    const auto values = as_floats(some_rows(10, 3));
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(analysis::pca(values, 10, 3, 2, source.get_token())),
                             Cancelled);
    QVERIFY_EXCEPTION_THROWN(
        static_cast<void>(analysis::joint_layout(values, values, {}, 3, 2, source.get_token())), Cancelled);
}

namespace {

/// Keeps all reports.
struct Listener {
    std::vector<Progress> reports;
    [[nodiscard]] ProgressFn function() {
        return [this](const Progress& p) { reports.push_back(p); };
    }
    /// Of one total, never going back, complete at the end.
    [[nodiscard]] bool goes_on_to_the_end() const {
        for (std::size_t i = 1; i < reports.size(); ++i)
            if (reports[i].done < reports[i - 1].done || reports[i].total != reports[0].total) return false;
        return !reports.empty() && reports.front().done < reports.front().total &&
               reports.back().done == reports.back().total;
    }
};

}  // namespace

void TestPca::progress_goes_on_to_the_end_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::addColumn<int>("components");
    QTest::newRow("many rows, few columns") << 3000 << 8 << 2;
    QTest::newRow("products of float32") << 1100 << 260 << 2;
    // 0.8^40: so small a component is computed once more in float64.
    QTest::newRow("float32 does not do") << 1100 << 260 << 40;
    QTest::newRow("more columns than rows") << 40 << 90 << 3;
}

void TestPca::progress_goes_on_to_the_end() {
    QFETCH(const int, rows);
    QFETCH(const int, columns);
    QFETCH(const int, components);
    const auto values = as_floats(some_rows(rows, columns));
    Listener pca, layout, explained;
    const auto told = analysis::pca(values, rows, columns, components, {}, pca.function());
    QVERIFY(pca.goes_on_to_the_end());
    // Three passes at least, in blocks of 1,024 rows: nobody waits for long without a word.
    QVERIFY(std::cmp_greater_equal(pca.reports.size(), 3 * ((rows + 1023) / 1024)));
    QCOMPARE(QString::fromStdString(pca.reports.front().stage), QStringLiteral("Principal components"));
    QCOMPARE(QString::fromStdString(pca.reports.front().unit), QStringLiteral("rows read"));
    QVERIFY(told.points == analysis::pca(values, rows, columns, components).points);
    static_cast<void>(analysis::joint_layout(values, values, {}, columns, components, {}, layout.function()));
    QVERIFY(layout.goes_on_to_the_end());
    QCOMPARE(layout.reports.back().total, 2 * pca.reports.back().total);
    static_cast<void>(
        analysis::explained_variance(values, rows, columns, components, {}, explained.function()));
    QVERIFY(explained.goes_on_to_the_end());
}

void TestPca::cancelled_while_it_works() {
    const auto values = as_floats(some_rows(5000, 6));
    // At each of its reports but the last.
    for (const std::int64_t at : {1024, 5000, 7048, 12000}) {
        std::stop_source source;
        std::int64_t reached = 0;
        const auto stop_there = [&](const Progress& p) {
            reached = p.done;
            if (p.done >= at) source.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(analysis::pca(values, 5000, 6, 2, source.get_token(), stop_there)), Cancelled);
        QVERIFY2(reached >= at && reached < at + 1024, qPrintable(QString::number(reached)));
    }
}

TEST_MAIN_WITHOUT_GUI(TestPca)
#include "test_pca.moc"
