// The pooled test of strata: against SciPy (tests/oracle/make_strata.py) and by hand.
#include <cmath>

#include <QtTest>

#include "core/analysis/analysis_golden.h"
#include "evidence/paired.h"
#include "test_program.h"

using namespace casp;

class TestPooledStrata : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agrees_with_scipy() {
        const test::AnalysisGolden golden("strata.safetensors");
        const auto easiest = golden.doubles("pooled.easiest"), hardest = golden.doubles("pooled.hardest");
        std::vector<evidence::StrataChange> pairs;
        for (std::size_t i = 0; i < easiest.size(); ++i) pairs.push_back({easiest[i], hardest[i]});
        const auto pooled = evidence::pool_strata(pairs);
        QCOMPARE(pooled.n, std::int64_t{24});
        const auto rows = golden.doubles("pooled.rows");
        std::size_t at = 0;
        for (const auto* one : {&pooled.easiest, &pooled.hardest, &pooled.contrast}) {
            QCOMPARE(one->improved, std::llround(rows[at]));
            QVERIFY(std::abs(one->percent - rows[at + 1]) < 1e-12);
            QCOMPARE(one->test.w, rows[at + 2]);
            QVERIFY(one->test.exact && std::abs(one->test.p - rows[at + 3]) < 1e-12);
            at += 4;
        }
        QCOMPARE(at, rows.size());
    }

    void by_hand() {
        const std::vector<evidence::StrataChange> pairs{
            {1, -1}, {-2, -4}, {std::nan(""), 5}, {3, -2}, {7, INFINITY}};
        const auto pooled = evidence::pool_strata(pairs);
        QCOMPARE(pooled.n, std::int64_t{3});
        QCOMPARE(pooled.easiest.improved, std::int64_t{1});
        QVERIFY(std::abs(pooled.easiest.percent - 2.0 / 3) < 1e-12);
        QCOMPARE(pooled.easiest.test.w, 2.0);
        QCOMPARE(pooled.hardest.improved, std::int64_t{3});
        QVERIFY(std::abs(pooled.hardest.percent + 7.0 / 3) < 1e-12);
        QCOMPARE(pooled.hardest.test.w, 0.0);
        QVERIFY(std::abs(pooled.hardest.test.p - 0.25) < 1e-12);  // 2 of 8 signs
        QVERIFY(std::abs(pooled.contrast.percent + 3) < 1e-12);   // −2, −2, −5
    }

    void without_pairs() {
        const auto pooled = evidence::pool_strata({});
        QVERIFY(pooled.n == 0 && std::isnan(pooled.hardest.percent) && std::isnan(pooled.hardest.test.p));
    }

    void changes_are_in_per_cent() {
        analysis::PairedStrata pair;
        pair.easiest.relative = 0.01;
        pair.hardest.relative = -0.2;
        const auto change = evidence::strata_change(pair);
        QCOMPARE(change.easiest, 1.0);
        QCOMPARE(change.hardest, -20.0);
    }
};

TEST_MAIN_WITHOUT_GUI(TestPooledStrata)
#include "test_pooled_strata.moc"
