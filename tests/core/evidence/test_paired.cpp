// Statistics of paired differences against SciPy and numpy (tests/oracle/make_evidence.py) and analytic
// cases.

#include <cmath>
#include <stdexcept>

#include <QtTest>

#include "evidence/paired.h"
#include "store/safetensors.h"
#include "test_program.h"

using namespace casp::evidence;

namespace {

class Golden {
public:
    [[nodiscard]] bool has(const std::string& name) const {
        for (const auto& view : file_.tensors())
            if (view.name == name) return true;
        return false;
    }
    [[nodiscard]] std::vector<double> get(const std::string& name) const {
        const auto& view = file_.at(name);
        std::vector<double> values(view.nbytes / sizeof(double));
        casp::store::read_bytes(view, std::as_writable_bytes(std::span(values)));
        return values;
    }

private:
    casp::store::SafetensorsFile file_{std::string(CASP_SOURCE_DIR) + "/tests/golden/evidence.safetensors"};
};

/// Ranks 1 … n with a sum of w made negative.
std::vector<double> differences_with(int n, int w) {
    std::vector<double> d(static_cast<std::size_t>(n));
    for (int rank = n; rank > 0; --rank) {
        const bool negative = rank <= w;
        d[static_cast<std::size_t>(rank - 1)] = negative ? -rank : rank;
        if (negative) w -= rank;
    }
    return d;
}

bool close(double a, double b, double limit) { return std::abs(a - b) <= limit; }

}  // namespace

class TestPaired : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_exact_value_up_to_25_pairs() {
        const Golden golden;
        const auto n = golden.get("exact.n"), w = golden.get("exact.w"), p = golden.get("exact.p");
        QVERIFY(n.size() > 1400);
        for (std::size_t i = 0; i < n.size(); ++i) {
            auto d = differences_with(static_cast<int>(n[i]), static_cast<int>(w[i]));
            const auto test = signed_rank(d);
            QVERIFY(test.exact && test.zeros == 0 && test.pairs == static_cast<std::int64_t>(n[i]));
            QCOMPARE(test.w, w[i]);
            QVERIFY2(close(test.p, p[i], 1e-12), qPrintable(QString("n %1 W %2").arg(n[i]).arg(w[i])));
            for (auto& value : d) value = -value;
            QCOMPARE(signed_rank(d).p, test.p);  // two-sided
        }
    }

    void values_of_the_paper() {
        const Golden golden;
        const auto n = golden.get("paper.n"), w = golden.get("paper.w"), p = golden.get("paper.p");
        QCOMPARE(n.size(), std::size_t{9});
        for (std::size_t i = 0; i < n.size(); ++i) {
            const auto test = signed_rank(differences_with(static_cast<int>(n[i]), static_cast<int>(w[i])));
            QCOMPARE(test.w, w[i]);
            QCOMPARE(std::round(test.p * 1000) / 1000, p[i]);
            QCOMPARE(test.exact, n[i] <= 50);
            QCOMPARE(std::isnan(test.p_uncorrected), test.exact);
        }
    }

    void ties_zeros_and_many_pairs() {
        const Golden golden;
        int cases = 0;
        for (; golden.has("ties." + std::to_string(cases) + ".d"); ++cases) {
            const auto name = "ties." + std::to_string(cases);
            const auto expected = golden.get(name + ".wp");
            const auto test = signed_rank(golden.get(name + ".d"));
            QVERIFY2(!test.exact, name.c_str());
            QCOMPARE(test.w, expected[0]);
            QVERIFY2(close(test.p, expected[1], 1e-12), name.c_str());
            QVERIFY2(close(test.p_uncorrected, expected[2], 1e-12), name.c_str());
        }
        QCOMPARE(cases, 12);
    }

    void nothing_to_rank() {
        const auto none = signed_rank({});
        QVERIFY(none.pairs == 0 && std::isnan(none.w) && std::isnan(none.p));
        const auto equal = signed_rank(std::vector<double>{0, -0.0, 0});
        QVERIFY(equal.pairs == 3 && equal.zeros == 3 && std::isnan(equal.w) && std::isnan(equal.p));
        const auto one = signed_rank(std::vector<double>{-0.5});
        QVERIFY(one.exact && one.w == 0 && one.p == 1);
        QVERIFY_EXCEPTION_THROWN((void)signed_rank(std::vector<double>{1, std::nan("")}),
                                 std::invalid_argument);
    }

    void fifty_pairs_are_exact_and_fifty_one_are_not() {
        QVERIFY(signed_rank(differences_with(50, 300)).exact);
        QVERIFY(!signed_rank(differences_with(51, 300)).exact);
        // Half of all signs: the largest counts.
        const auto middle = signed_rank(differences_with(50, 637));
        QVERIFY(middle.p > 0.99 && middle.p <= 1);
        QCOMPARE(signed_rank(differences_with(50, 0)).p, std::ldexp(1.0, -49));
    }

    void fewest_pairs_for_a_level() {
        QCOMPARE(smallest_p(0), 1.0);
        QCOMPARE(smallest_p(1), 1.0);
        QCOMPARE(smallest_p(5), 0.0625);
        QCOMPARE(smallest_p(8), 0.0078125);
        QCOMPARE(fewest_pairs(0.05), std::int64_t{6});
        QCOMPARE(fewest_pairs(0.01), std::int64_t{8});
        for (int n = 1; n < 12; ++n) QCOMPARE(signed_rank(differences_with(n, 0)).p, smallest_p(n));
    }

    void holm_adjustment() {
        const Golden golden;
        int cases = 0;
        for (; golden.has("holm." + std::to_string(cases) + ".p"); ++cases) {
            const auto name = "holm." + std::to_string(cases);
            const auto expected = golden.get(name + ".adjusted");
            const auto adjusted = holm(golden.get(name + ".p"));
            QCOMPARE(adjusted.size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i)
                QVERIFY2(close(adjusted[i], expected[i], 1e-15), name.c_str());
        }
        QCOMPARE(cases, 5);
        const auto some = holm(std::vector<double>{0.02, std::nan(""), 0.03});
        QVERIFY(some[0] == 0.04 && std::isnan(some[1]) && some[2] == 0.04);
        QVERIFY(holm({}).empty());
    }

    /// The golden bounds are means over 40 repetitions with other random numbers, with the standard deviation
    /// of one repetition: ours is one more, so within four of them.
    void bootstrap_intervals() {
        const Golden golden;
        for (int i = 0; i < 4; ++i) {
            const auto name = "bootstrap." + std::to_string(i);
            const auto d = golden.get(name + ".d"), expected = golden.get(name + ".interval");
            const auto interval = bootstrap_interval(d);
            QVERIFY2(close(interval.low, expected[0], 4 * expected[2] + 1e-12), name.c_str());
            QVERIFY2(close(interval.high, expected[1], 4 * expected[3] + 1e-12), name.c_str());
            const auto again = bootstrap_interval(d);
            QVERIFY(again.low == interval.low && again.high == interval.high);
        }
        const auto d = golden.get("bootstrap.3.d");
        QVERIFY(bootstrap_interval(d, {0.95, 10000, 1}).low != bootstrap_interval(d).low);
        const auto narrow = bootstrap_interval(d, {0.5, 10000, 2021}), wide = bootstrap_interval(d);
        QVERIFY(narrow.low > wide.low && narrow.high < wide.high);
    }

    /// Resampled sums of thirteen zeros and thirteen ones are binomial (26, ½), with quantiles 8 and 18.
    void bootstrap_of_a_binomial() {
        std::vector<double> d(26, 0.0);
        std::fill(d.begin() + 13, d.end(), 1.0);
        const auto interval = bootstrap_interval(d);
        QVERIFY(close(interval.low * 26, 8, 1e-9) && close(interval.high * 26, 18, 1e-9));
        const auto constant = bootstrap_interval(std::vector<double>{2, 2, 2});
        QVERIFY(constant.low == 2 && constant.high == 2);
        QVERIFY(std::isnan(bootstrap_interval(std::vector<double>{1}).low));
        QVERIFY_EXCEPTION_THROWN((void)bootstrap_interval(d, {1.0, 10, 1}), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)bootstrap_interval(d, {0.95, 0, 1}), std::invalid_argument);
    }

    void pairs_for_an_effect() {
        // (1.959964 + 0.841621)² · π/3 = 8.2194
        QCOMPARE(pairs_needed(1, 1), std::int64_t{9});
        QCOMPARE(pairs_needed(-0.1, 1), std::int64_t{822});
        QCOMPARE(pairs_needed(5, 1), std::int64_t{6});
        QCOMPARE(pairs_needed(1, 1, 0.05, 0.9), std::int64_t{12});  // 10.507 · π/3 = 11.003
        QCOMPARE(pairs_needed(0, 1), std::int64_t{0});
        QCOMPARE(pairs_needed(1, 0), std::int64_t{0});
        QCOMPARE(pairs_needed(1, std::nan("")), std::int64_t{0});
        QCOMPARE(pairs_needed(1e-300, 1), std::int64_t{0});
    }
};

TEST_MAIN_WITHOUT_GUI(TestPaired)
#include "test_paired.moc"
