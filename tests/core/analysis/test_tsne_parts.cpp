// Affinities by hand, gradient against differences of the KL divergence, grid against every pair.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <QtTest>

#include "analysis/tsne_descent.h"
#include "analysis/tsne_kernels.h"
#include "core/analysis/tsne_fixture.h"
#include "test_program.h"

using namespace casp;
using namespace casp::test;

namespace {

double entropy(const std::vector<double>& p) {
    double sum = 0;
    for (const double v : p) sum -= v > 0 ? v * std::log(v) : 0;
    return sum;
}

struct Repulsion {
    std::vector<double> force;
    double z = 0;
};

Repulsion every_pair(const at::Tensor& y) {
    const auto columns = doubles(y.t());
    Repulsion r;
    r.force.resize(columns.size());
    r.z = analysis::kernels::repel(columns.data(), y.size(0), static_cast<int>(y.size(1)), 0, y.size(0),
                                   r.force.data());
    return r;
}

}  // namespace

class TestTsneParts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void two_neighbours_by_hand() {
        // Entropy of (2/3, 1/3); the absolute distance must not matter, however far both are.
        const double perplexity = std::exp(std::log(3.0) - 2.0 / 3 * std::log(2.0));
        for (const std::vector<float>& squares :
             {std::vector<float>{1, 4}, {1000, 1001}, {0, 1e-6F}, {7, 1e9F}}) {
            std::vector<double> p(2);
            analysis::conditional_probabilities(squares.data(), 2, perplexity, p.data());
            QVERIFY2(std::abs(p[0] - 2.0 / 3) < 1e-8 && std::abs(p[1] - 1.0 / 3) < 1e-8,
                     std::to_string(p[0]).c_str());
        }
    }

    void perplexity_is_reached() {
        const auto squares = floats(normal(50, 90, 3).square() * at::pow(10, normal(50, 1, 4) * 2));
        for (const double perplexity : {1.5, 5.0, 30.0, 89.0})
            for (std::size_t i = 0; i < 50; ++i) {
                std::vector<double> p(90);
                analysis::conditional_probabilities(squares.data() + 90 * i, 90, perplexity, p.data());
                QVERIFY2(std::abs(entropy(p) - std::log(perplexity)) < 1e-9,
                         std::to_string(entropy(p)).c_str());
            }
    }

    void equally_near() {
        // Five at the same distance cannot be told apart: a perplexity of 3 is not to be had.
        std::vector<float> squares(10, 2.0F);
        std::fill(squares.begin() + 5, squares.end(), 3.0F);
        std::vector<double> p(10);
        analysis::conditional_probabilities(squares.data(), 10, 3, p.data());
        for (std::size_t j = 0; j < 10; ++j) QVERIFY(std::abs(p[j] - (j < 5 ? 0.2 : 0.0)) < 1e-9);
        std::fill(squares.begin(), squares.end(), 0.0F);
        analysis::conditional_probabilities(squares.data(), 10, 3, p.data());
        for (const double v : p) QCOMPARE(v, 0.1);
    }

    void affinities_by_hand() {
        // 0 and 1 choose each other, 2 chooses 1: p01 = (1 + 1)/6, p12 = (1 + 0)/6.
        analysis::Neighbours n;
        n.rows = 3;
        n.count = 1;
        n.index = {1, 0, 1};
        n.square = {1, 1, 4};
        const auto a = analysis::tsne_affinities(n, 1);
        std::map<std::pair<int, int>, float> p;
        for (int i = 0; i < 3; ++i)
            for (auto e = a.first[static_cast<std::size_t>(i)]; e < a.first[static_cast<std::size_t>(i) + 1];
                 ++e)
                p[{i, a.column[static_cast<std::size_t>(e)]}] += a.p[static_cast<std::size_t>(e)];
        const auto is = [&](int i, int j, double expected) {
            return std::abs(static_cast<double>(p[{i, j}]) - expected) < 1e-7;
        };
        QVERIFY(is(0, 1, 1.0 / 3) && is(1, 0, 1.0 / 3) && is(1, 2, 1.0 / 6) && is(2, 1, 1.0 / 6));
        QVERIFY(is(0, 0, 0) && is(0, 2, 0) && is(1, 1, 0) && is(2, 2, 0));
        QCOMPARE(a.first, (std::vector<std::int64_t>{0, 16, 32, 48}));
    }

    void affinities_are_symmetric() {
        const auto a = affinities(300, 10);
        auto dense = at::zeros({300, 300}, at::kDouble);
        auto cells = dense.accessor<double, 2>();
        for (int i = 0; i < 300; ++i)
            for (auto e = a.first[static_cast<std::size_t>(i)]; e < a.first[static_cast<std::size_t>(i) + 1];
                 ++e) {
                cells[i][a.column[static_cast<std::size_t>(e)]] +=
                    static_cast<double>(a.p[static_cast<std::size_t>(e)]);
                QVERIFY(a.p[static_cast<std::size_t>(e)] >= 0);
            }
        QVERIFY(at::equal(dense, dense.t()));
        QVERIFY(std::abs(dense.sum().item<double>() - 1) < 1e-6);
        QCOMPARE(dense.diagonal().sum().item<double>(), 0.0);
    }

    void divergence_by_hand() {
        // Two points with p = 1/2 each way: q is the same wherever they are, so KL = 0. Three points in a row
        // at distance 1, p only between neighbours, each of four 1/4: K = 1/2, 1/2, 1/5, Z = 2 (1/2 + 1/2 +
        // 1/5).
        analysis::Neighbours two;
        two.rows = 2;
        two.count = 1;
        two.index = {1, 0};
        two.square = {1, 1};
        analysis::TsneDescent pair(analysis::tsne_affinities(two, 1), 2, true);
        pair.set({0, 0, 3, 4});
        QVERIFY(std::abs(pair.kl()) < 1e-7);
        analysis::TsneAffinities chain;
        chain.first = {0, 16, 32, 48};
        chain.column.assign(48, 0);
        chain.p.assign(48, 0);
        chain.column[0] = 1;
        chain.column[17] = 2;
        std::fill(chain.column.begin() + 18, chain.column.begin() + 32, 1);
        chain.column[32] = 1;
        std::fill(chain.column.begin() + 33, chain.column.end(), 2);
        for (const std::size_t e : {0, 16, 17, 32}) chain.p[e] = 0.25F;
        const double expected = std::log(0.25 / (0.5 / 2.4));
        for (const bool exact : {true, false}) {
            analysis::TsneDescent descent(chain, 2, exact);
            descent.set({-1, 0, 0, 0, 1, 0});
            QVERIFY2(std::abs(descent.kl() - expected) < (exact ? 1e-7 : 1e-4),
                     std::to_string(descent.kl()).c_str());
        }
    }

    void gradient_is_that_of_the_divergence_data() {
        QTest::addColumn<int>("components");
        QTest::addColumn<double>("size");
        QTest::newRow("plane") << 2 << 3.0;
        QTest::newRow("space") << 3 << 2.0;
        QTest::newRow("close together") << 2 << 0.1;
    }

    void gradient_is_that_of_the_divergence() {
        QFETCH(int, components);
        QFETCH(double, size);
        const std::int64_t n = 60;
        analysis::TsneDescent descent(affinities(n, 8), components, true);
        const auto points = doubles(normal(n, components, 5) * size);
        descent.set(points);
        const auto gradient = descent.gradient(1);
        std::vector<double> measured(gradient.size());
        const double h = 1e-5 * size;
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            const auto moved = [&](double by) {
                auto other = points;
                other[i] += by;
                descent.set(std::move(other));
                return descent.kl();
            };
            measured[i] = (moved(h) - moved(-h)) / (2 * h) / 4;
        }
        const double error = relative(gradient, measured);
        QVERIFY2(error < 1e-5, std::to_string(error).c_str());
    }

    void grid_equals_all_pairs_data() {
        QTest::addColumn<int>("components");
        QTest::addColumn<qint64>("n");
        QTest::addColumn<double>("size");
        QTest::newRow("plane, tiny") << 2 << qint64(1500) << 1e-4;
        QTest::newRow("plane, as wide as the kernel") << 2 << qint64(1500) << 0.3;
        QTest::newRow("plane") << 2 << qint64(1500) << 10.0;
        QTest::newRow("plane, few") << 2 << qint64(3) << 1.0;
        QTest::newRow("space, tiny") << 3 << qint64(700) << 1e-4;
        QTest::newRow("space") << 3 << qint64(700) << 2.0;
    }

    void grid_equals_all_pairs() {
        QFETCH(int, components);
        QFETCH(qint64, n);
        QFETCH(double, size);
        const auto y =
            normal(n, components, 6) * size * at::tensor({1.0, 0.4, 0.7}).slice(0, 0, components) + 3;
        const auto exact = every_pair(y);
        analysis::RepulsionGrid grid(components);
        std::vector<double> force(exact.force.size());
        const auto points = doubles(y);
        for (int time = 0; time < 2; ++time) {  // once more with what the first time left behind
            const double z = grid.repel(points.data(), n, force.data());
            const double error = relative(force, exact.force);
            QVERIFY2(error < 1e-3, std::to_string(error).c_str());
            QVERIFY2(std::abs(z / exact.z - 1) < 1e-4, std::to_string(z / exact.z - 1).c_str());
        }
        // Another layout on the same grid.
        const auto other = every_pair(y * 0.97);
        const auto others = doubles(y * 0.97);
        (void)grid.repel(others.data(), n, force.data());
        const double error = relative(force, other.force);
        QVERIFY2(error < 1e-3, std::to_string(error).c_str());
    }

    void wide_layouts_in_space_data() {
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("spacing");
        QTest::addColumn<double>("limit");
        QTest::newRow("36 wide") << 36.0 << 0.3 << 1e-3;
        QTest::newRow("50 wide") << 50.0 << 0.3 * std::numbers::sqrt2 << 4e-3;
        QTest::newRow("70 wide") << 70.0 << 0.6 << 2e-2;
    }

    void wide_layouts_in_space() {
        // The grid has a most number of nodes in 3-D: what is wider gets a wider spacing, and loses
        // precision.
        QFETCH(double, width);
        QFETCH(double, spacing);
        QFETCH(double, limit);
        const std::int64_t n = 4000;
        auto y = normal(n, 3, 6) * at::tensor({1.0, 0.4, 0.5});
        y = y * (width / (y.select(1, 0).max() - y.select(1, 0).min()).item<double>());
        const auto exact = every_pair(y);
        analysis::RepulsionGrid grid(3);
        std::vector<double> force(exact.force.size());
        const double z = grid.repel(doubles(y).data(), n, force.data());
        QVERIFY(std::abs(grid.shape().spacing - spacing) < 1e-12);
        const double error = relative(force, exact.force);
        qInfo("force off by %.2g, Z by %.2g", error, std::abs(z / exact.z - 1));
        QVERIFY2(error < limit, std::to_string(error).c_str());
        QVERIFY2(std::abs(z / exact.z - 1) < limit / 10, std::to_string(z / exact.z - 1).c_str());
    }

    void step_by_hand() {
        using analysis::kernels::descend;
        // Rising gain against the gradient, falling gain along it, and a step cut to 5.
        std::vector<double> y{0, 0, 0, 0}, velocity{-1, 1, 0, 0}, gains{1, 1, 1, 1}, gradient{2, 2, 300, 400};
        std::vector<double> sum(2, 0.0);
        descend({0.1, 0.5}, gradient.data(), 2, 0, 2, y.data(), velocity.data(), gains.data(), sum.data());
        const std::vector<double> expected_gains{1.2, 0.81, 1.2, 1.2};
        const std::vector<double> expected{-0.5 - 0.1 * 1.2 * 2, 0.5 - 0.1 * 0.81 * 2, -3, -4};
        QVERIFY(relative(gains, expected_gains) < 1e-12);
        QVERIFY(relative(velocity, expected) < 1e-12);
        QVERIFY(relative(y, expected) < 1e-12);
        QVERIFY(relative(sum, {expected[0] - 3, expected[1] - 4}) < 1e-12);
    }
};

TEST_MAIN_WITHOUT_GUI(TestTsneParts)
#include "test_tsne_parts.moc"
