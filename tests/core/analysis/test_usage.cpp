// Anchor usage: against numbers worked out by hand, and what numpy, SciPy and scikit-learn say
// (tests/oracle/make_analysis.py).
#include <cmath>
#include <string>

#include <QtTest>

#include "analysis/usage.h"
#include "core/analysis/analysis_golden.h"
#include "test_program.h"

using namespace casp;
using Counts = std::vector<std::int64_t>;

namespace {
bool close(double a, double b) { return std::abs(a - b) < 1e-14; }
}  // namespace

class TestUsage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void entropy() {
        QVERIFY(close(analysis::usage_entropy(Counts{5, 5, 0, 5, 5}), std::log(4.0)));
        QVERIFY(close(analysis::usage_entropy(Counts{1, 3}), std::log(4.0) - 0.75 * std::log(3.0)));
        QCOMPARE(analysis::usage_entropy(Counts{0, 7, 0}), 0.0);
        QVERIFY(std::isnan(analysis::usage_entropy(Counts{0, 0})));
        QVERIFY(std::isnan(analysis::usage_entropy({})));
    }

    void summary() {
        const auto s = analysis::summarise_usage(Counts{8, 0, 8, 0});
        QCOMPARE(s.retrievals, std::int64_t{16});
        QCOMPARE(s.distinct, std::int64_t{2});
        QVERIFY(close(s.entropy, std::log(2.0)) && close(s.evenness, 0.5) && close(s.effective, 2));
        const auto none = analysis::summarise_usage(Counts{0, 0});
        QVERIFY(none.retrievals == 0 && none.distinct == 0 && std::isnan(none.entropy));
        QVERIFY(std::isnan(none.effective));
        const auto single = analysis::summarise_usage(Counts{3});
        QVERIFY(single.entropy == 0 && std::isnan(single.evenness) && single.effective == 1);
    }

    void concentration() {
        const auto c = analysis::concentration_of(Counts{1, 4, 0, 4, 1});
        QVERIFY(c.anchor == (Counts{1, 3, 0, 4, 2}));
        const std::vector<double> share{0.4, 0.8, 0.9, 1, 1};
        for (std::size_t i = 0; i < 5; ++i) QVERIFY(close(c.share[i], share[i]));
        QCOMPARE(c.share.back(), 1.0);
        QVERIFY(std::isnan(analysis::concentration_of(Counts{0, 0}).share[0]));
        QVERIFY(analysis::concentration_of({}).anchor.empty());
    }

    void top() {
        const Counts counts{1, 4, 0, 4, 1};
        QCOMPARE(analysis::top_share(counts, 2), 0.8);
        QCOMPARE(analysis::top_share(counts, 0), 0.0);
        QCOMPARE(analysis::top_share(counts, 99), 1.0);
        QVERIFY(std::isnan(analysis::top_share(Counts{0}, 1)));
        QVERIFY(std::isnan(analysis::top_share({}, 1)));
        QVERIFY(analysis::most_used(counts, 3) == (Counts{0, 1, 3}));
        QVERIFY(analysis::most_used(counts, 5) == (Counts{0, 1, 3, 4}));  // anchor 2 was never selected
        QVERIFY(analysis::most_used(counts, -1).empty());
    }

    void sets() {
        QCOMPARE(analysis::jaccard(Counts{1, 2, 3}, Counts{3, 4, 2}), 0.5);
        QCOMPARE(analysis::jaccard(Counts{1, 1, 1}, Counts{1}), 1.0);
        QCOMPARE(analysis::jaccard(Counts{1}, Counts{}), 0.0);
        QVERIFY(std::isnan(analysis::jaccard(Counts{}, Counts{})));
    }

    void bands() {
        const auto band = analysis::band_of({{1, 2, 5}, {3, 2}, {5, NAN}});
        QCOMPARE(band.mean.size(), std::size_t{3});
        QVERIFY(close(band.mean[0], 3) && close(band.sd[0], 2) && band.n[0] == 3);
        QVERIFY(close(band.mean[1], 2) && band.sd[1] == 0 && band.n[1] == 2);
        QVERIFY(close(band.mean[2], 5) && std::isnan(band.sd[2]) && band.n[2] == 1);
        QVERIFY(analysis::band_of({}).mean.empty());
    }

    void whole_runs_agree_with_numpy() {
        const test::AnalysisGolden golden;
        const auto agree = [](double x, double y) { return std::abs(x - y) < 1e-12; };
        std::vector<Counts> whole;
        for (const std::string run : {"a", "b"}) {
            const auto at = "usage." + run + ".";
            const auto counts = golden.get<std::int64_t>(at + "training");
            const auto c = analysis::concentration_of(counts);
            QVERIFY(c.anchor == golden.get<std::int64_t>(at + "order"));
            const auto share = golden.doubles(at + "concentration");
            QCOMPARE(c.share.size(), share.size());
            for (std::size_t i = 0; i < share.size(); ++i) QVERIFY(agree(c.share[i], share[i]));
            const auto numbers = golden.doubles(at + "numbers");
            QVERIFY(agree(analysis::usage_entropy(counts), numbers[0]));
            QCOMPARE(static_cast<double>(analysis::distinct_anchors(counts)), numbers[1]);
            QVERIFY(numbers[1] > 20 && numbers[1] < static_cast<double>(counts.size()));  // some never
            QVERIFY(agree(analysis::top_share(counts, 20), numbers[2]) && numbers[2] < 1);
            whole.push_back(counts);
        }
        const auto c = analysis::compare_usage(whole[0], whole[1], 20);
        const auto pair = golden.doubles("usage.pair");
        QVERIFY(agree(c.jaccard, pair[0]) && agree(c.jaccard_top, pair[1]) &&
                agree(c.total_variation, pair[2]));
        for (const double value : pair) QVERIFY(value > 0 && value < 1);
    }
};

TEST_MAIN_WITHOUT_GUI(TestUsage)
#include "test_usage.moc"
