// Principal components against cases worked out by hand, a rotation, and LibTorch's SVD.
#include <cmath>

#include <QtTest>

#include <torch/torch.h>

#include "analysis/pca.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;

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
        return !reports.empty() && reports.back().done == reports.back().total;
    }
};

}  // namespace

class TestPca : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cross_by_hand() {
        // (±3, 0), (0, ±1) moved to (5, −2): variances 18/3 and 2/3 along x and y.
        const std::vector<float> values{8, -2, 2, -2, 5, -1, 5, -3};
        const auto p = analysis::principal_axes(values, 4, 2, 2);
        QVERIFY(close(p.mean[0], 5) && close(p.mean[1], -2));
        QVERIFY(close(p.variance[0], 6) && close(p.variance[1], 2.0 / 3));
        QVERIFY(close(p.shares.centred[0], 0.9) && close(p.shares.centred[1], 0.1));
        const auto found = p.points(values);
        const std::vector<double> axes{1, 0, 0, 1}, points{3, 0, -3, 0, 0, 1, 0, -1};
        for (std::size_t i = 0; i < 4; ++i) QVERIFY(close(p.axes[i], axes[i]));
        for (std::size_t i = 0; i < 8; ++i) QVERIFY(close(found[i], points[i]));
    }

    void more_columns_than_rows_by_hand() {
        // Two rows differ by (2, −4, 4): one axis −(1, −2, 2)/3 or its opposite; of the two equally large
        // loadings the first decides the sign. |difference| = 6, so points ±3, variance 18.
        const std::vector<float> values{1, 1, 1, 3, -3, 5};
        const auto p = analysis::principal_axes(values, 2, 3, 3);
        QVERIFY(close(p.variance[0], 18) && p.variance[1] == 0 && p.variance[2] == 0);
        QVERIFY(close(p.shares.centred[0], 1) && p.shares.centred[1] == 0);
        QVERIFY(close(std::abs(p.axes[0]), 1.0 / 3) && close(std::abs(p.axes[1]), 2.0 / 3));
        QVERIFY(close(p.axes[0] * -2, p.axes[1]) && close(p.axes[1], -p.axes[2]));
        for (std::size_t i = 3; i < 9; ++i) QCOMPARE(p.axes[i], 0.0);
        const auto points = p.points(values);
        QVERIFY(close(std::abs(points[0]), 3) && close(points[0], -points[3]));
        QCOMPARE(points[1], 0.0);
    }

    void rotation_changes_the_axes_alone() {
        const auto x = some_rows(50, 2);
        const double a = 0.7;
        const auto turn = matrix({std::cos(a), std::sin(a), -std::sin(a), std::cos(a)}, 2);
        const auto before = analysis::principal_axes(as_floats(x), 50, 2, 2);
        const auto after = analysis::principal_axes(as_floats(at::mm(x, turn)), 50, 2, 2);
        const auto turned = at::mm(matrix(before.axes, 2), turn);
        for (std::int64_t c = 0; c < 2; ++c) {
            QVERIFY(close(before.variance[static_cast<std::size_t>(c)],
                          after.variance[static_cast<std::size_t>(c)], 1e-6));
            const double cosine = turned[c].dot(matrix(after.axes, 2)[c]).item<double>();
            QVERIFY(close(std::abs(cosine), 1, 1e-9));
        }
    }

    void matches_svd_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("d");
        QTest::newRow("tall") << 300 << 20;
        QTest::newRow("wide") << 20 << 300;
        QTest::newRow("square") << 60 << 60;
        // Strips that do not divide the width.
        QTest::newRow("large wide") << 260 << 768;
        QTest::newRow("large tall, few rows") << 500 << 333;
        QTest::newRow("several blocks") << 2500 << 333;
    }

    void matches_svd() {
        QFETCH(int, n);
        QFETCH(int, d);
        constexpr double tolerance = 1e-9;
        const auto values = as_floats(some_rows(n, d, 7));
        const auto p = analysis::principal_axes(values, n, d, 5);
        const auto x = at::from_blob(const_cast<float*>(values.data()), {n, d}).to(at::kDouble);
        const auto centred = x - x.mean(0);
        const auto [u, s, vt] = at::linalg_svd(centred, false);
        const auto whole = s.square().sum().item<double>();
        for (std::int64_t c = 0; c < 5; ++c) {
            const auto i = static_cast<std::size_t>(c);
            const double singular = s[c].item<double>();
            QVERIFY(close(p.variance[i], singular * singular / (n - 1), tolerance));
            QVERIFY(close(p.shares.centred[i], singular * singular / whole, tolerance));
            const auto axis = matrix(p.axes, 5)[c];
            QVERIFY(close(std::abs(axis.dot(vt[c]).item<double>()), 1, tolerance));
            QVERIFY(axis[axis.abs().argmax().item<std::int64_t>()].item<double>() > 0);
        }
        const auto expected = at::mm(centred, matrix(p.axes, 5).t());
        QVERIFY((expected - matrix(p.points(values), n)).abs().max().item<double>() < 1e-9);
    }

    void offset_does_not_matter() {
        // A mean of 4096 beside deviations of 1: sums of squares that were not centred would lose them in
        // float32.
        auto generator = at::make_generator<at::CPUGeneratorImpl>(std::uint64_t{5});
        const auto x = at::randint(-8, 8, {200, 6}, generator, at::kDouble);
        const auto near_zero = analysis::principal_axes(as_floats(x), 200, 6, 3);
        const auto far = analysis::principal_axes(as_floats(x + 4096), 200, 6, 3);
        for (std::size_t i = 0; i < 3; ++i) QVERIFY(close(near_zero.variance[i], far.variance[i], 1e-9));
    }

    void no_variance() {
        const std::vector<float> same{1, 2, 1, 2, 1, 2};
        const auto p = analysis::principal_axes(same, 3, 2, 2);
        QVERIFY(std::isnan(p.shares.centred[0]) && p.variance[0] == 0 && p.points(same)[0] == 0);
        const auto none = analysis::principal_axes({}, 0, 2, 2);
        QVERIFY(none.rows == 0 && std::isnan(none.shares.centred[1]) && std::isnan(none.shares.uncentred[1]));
        const std::vector<float> alone{3, 4};
        const auto one = analysis::principal_axes(alone, 1, 2, 1);
        QVERIFY(one.points(alone) == std::vector<double>{0} && one.mean == (std::vector<double>{3, 4}));
        QVERIFY(std::isnan(one.shares.centred[0]) && close(one.shares.uncentred[0], 1, 1e-12));
    }

    void layout_of_three_kinds() {
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

    void layout_is_the_pca_of_all_rows() {
        for (const std::int64_t d : {5, 70}) {  // with more and with fewer rows than columns
            const auto a = as_floats(some_rows(20, d, 1) + 3), s = as_floats(some_rows(12, d, 2)),
                       p = as_floats(some_rows(12, d, 3) - 1);
            auto all = a;
            all.insert(all.end(), s.begin(), s.end());
            all.insert(all.end(), p.begin(), p.end());
            const auto layout = analysis::joint_layout(a, s, p, d, 3);
            const auto whole = analysis::principal_axes(all, 44, d, 3);
            const auto points = whole.points(all);
            for (std::size_t i = 0; i < layout.points.size(); ++i)
                QVERIFY(close(layout.points[i], points[i], 1e-5));
            QCOMPARE(layout.explained.size(), std::size_t{3});
            for (std::size_t i = 0; i < 3; ++i)
                QVERIFY(close(layout.explained[i], whole.shares.centred[i], 1e-12));
            const auto by_itself = analysis::principal_axes(s, 12, d, 3).shares.centred;
            for (std::size_t i = 0; i < 3; ++i)
                QVERIFY(close(layout.variance_ratio[3 + i], by_itself[i], 1e-12));
        }
    }

    void layout_without_prompts() {
        const auto l = analysis::joint_layout({}, as_floats(some_rows(6, 4)), {}, 4, 3);
        QCOMPARE(l.kind.size(), std::size_t{6});
        QVERIFY(std::isnan(l.variance_ratio[0]) && l.variance_ratio[3] > 0 &&
                std::isnan(l.variance_ratio[6]));
    }

    void orientation_is_kept() {
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

    void refusals() {
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(analysis::principal_axes(std::vector<float>{1, 2, 3}, 2, 2, 1)),
            std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(analysis::principal_axes(std::vector<float>{1, 2}, 1, 2, 0)),
            std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(analysis::principal_axes(std::vector<float>{1, NAN, 3, 4}, 2, 2, 1)), Error);
    }

    void cancelled() {
        std::stop_source source;
        source.request_stop();
        const auto values = as_floats(some_rows(10, 3));
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(analysis::principal_axes(values, 10, 3, 2, source.get_token())), Cancelled);
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(analysis::joint_layout(values, values, {}, 3, 2, source.get_token())),
            Cancelled);
    }

    void progress_reaches_the_total_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("columns");
        QTest::newRow("many rows, few columns") << 3000 << 8;
        QTest::newRow("more columns than rows") << 40 << 90;
    }

    void progress_reaches_the_total() {
        QFETCH(const int, rows);
        QFETCH(const int, columns);
        constexpr int components = 2;
        const auto values = as_floats(some_rows(rows, columns));
        Listener pca, layout;
        const auto told = analysis::principal_axes(values, rows, columns, components, {}, pca.function());
        QVERIFY(pca.goes_on_to_the_end());
        // In blocks of 1,024 rows: nobody waits for long without a word.
        QVERIFY(std::cmp_greater_equal(pca.reports.size(), (rows + 1023) / 1024));
        QCOMPARE(QString::fromStdString(pca.reports.front().stage.text()),
                 QStringLiteral("Principal components"));
        QCOMPARE(QString::fromStdString(pca.reports.front().unit), QStringLiteral("rows read"));
        QVERIFY(told.axes == analysis::principal_axes(values, rows, columns, components).axes);
        static_cast<void>(
            analysis::joint_layout(values, values, {}, columns, components, {}, layout.function()));
        QVERIFY(layout.goes_on_to_the_end());
        QCOMPARE(layout.reports.back().total, 4 * pca.reports.back().total);
    }

    void cancelled_while_it_works() {
        const auto values = as_floats(some_rows(5000, 6));
        // At each of its reports but the last.
        for (const std::int64_t limit : {1024, 2048, 4096}) {
            std::stop_source source;
            std::int64_t reached = 0;
            const auto stop_there = [&](const Progress& p) {
                reached = p.done;
                if (p.done >= limit) source.request_stop();
            };
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(analysis::principal_axes(
                                         values, 5000, 6, 2, source.get_token(), stop_there)),
                                     Cancelled);
            QVERIFY2(reached >= limit && reached < limit + 1024, qPrintable(QString::number(reached)));
        }
    }

    void streamed_by_hand() {
        // (±3, 0), (0, ±1) moved to (5, −2): variances 18/3 and 2/3 along x and y. About zero: products
        // [[118, −40], [−40, 18]], eigenvalues 68 ± √(50² + 40²).
        analysis::StreamedPca sums(2);
        sums.add(std::vector<float>{8, -2, 2, -2});
        sums.add(std::vector<float>{5, -1, 5, -3});
        const auto p = sums.axes(2);
        QCOMPARE(p.rows, std::int64_t{4});
        QVERIFY(close(p.mean[0], 5, 1e-12) && close(p.mean[1], -2, 1e-12));
        QVERIFY(close(p.shares.centred[0], 0.9, 1e-12) && close(p.shares.centred[1], 0.1, 1e-12));
        const double root = std::sqrt(4100.0);
        QVERIFY(close(p.shares.uncentred[0], (68 + root) / 136, 1e-12));
        QVERIFY(close(p.shares.uncentred[1], (68 - root) / 136, 1e-12));
        const std::vector<double> axes{1, 0, 0, 1};
        for (std::size_t i = 0; i < 4; ++i) QVERIFY(close(p.axes[i], axes[i], 1e-12));
        const auto others = p.points(std::vector<float>{6, 40, 5, 0});
        QVERIFY(close(others[0], 1, 1e-12) && close(others[1], 42, 1e-12) && close(others[3], 2, 1e-12));
    }

    void parts_do_not_matter() {
        const std::int64_t d = 12;
        const auto values = as_floats(some_rows(5000, d) + 1);
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

    void more_rows_may_follow() {
        const auto values = as_floats(some_rows(2500, 6) + 1);
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

    void streamed_few_rows() {
        analysis::StreamedPca sums(3);
        const auto none = sums.axes(2);
        QVERIFY(none.rows == 0 && std::isnan(none.shares.centred[0]) && std::isnan(none.shares.uncentred[1]));
        sums.add(std::vector<float>{1, 2, 2});
        const auto one = sums.axes(2);
        QVERIFY(std::isnan(one.shares.centred[0]));
        QVERIFY(close(one.shares.uncentred[0], 1, 1e-12) && one.shares.uncentred[1] == 0);
        sums.add(std::vector<float>{1, 2, 2});
        const auto equal = sums.axes(2);  // no variance at all
        QVERIFY(std::isnan(equal.shares.centred[0]));
        QVERIFY(equal.axes == std::vector<double>(6, 0.0));
    }

    void streamed_refusals() {
        QVERIFY_EXCEPTION_THROWN(analysis::StreamedPca(0), std::invalid_argument);
        analysis::StreamedPca sums(3);
        QVERIFY_EXCEPTION_THROWN(sums.add(std::vector<float>{1, 2}), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(sums.axes(0)), std::invalid_argument);
        sums.add(std::vector<float>{1, 2, std::numeric_limits<float>::quiet_NaN()});
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(sums.axes(1)), Error);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(analysis::PrincipalAxes{}.points({})),
                                 std::invalid_argument);
    }
};

TEST_MAIN_WITHOUT_GUI(TestPca)
#include "test_pca.moc"
