// Tests over the windows of a series: against numpy and SciPy (tests/oracle/make_evidence.py), and how often
// they reject for forecasts of equal skill. With CASP_REPLICATIONS=4000, measures the table of
// docs/guide/compare.md.

#include <cmath>
#include <cstdio>
#include <random>

#include <QtTest>

#include "evidence/batch_tables.h"
#include "evidence/periods.h"
#include "evidence_test.h"
#include "store/run_file.h"
#include "store/safetensors.h"
#include "test_program.h"

using namespace casp;
using namespace casp::evidence;
using casp::test::contains;
using casp::test::content;

namespace {

std::vector<double> golden(const std::string& name) {
    static const store::SafetensorsFile file(std::string(CASP_SOURCE_DIR) +
                                             "/tests/golden/evidence.safetensors");
    const auto& view = file.at(name);
    std::vector<double> values(view.nbytes / sizeof(double));
    store::read_bytes(view, std::as_writable_bytes(std::span(values)));
    return values;
}

/// Errors of two forecasters of one series: AR(1) with variances 1 and `ratio`, correlated.
struct Forecasters {
    double phi = 0, ratio = 1, correlation = 0;

    /// Differences of the windows' mean squared errors, stride 1.
    std::vector<double> differences(std::mt19937_64& random, std::int64_t horizon,
                                    std::int64_t windows) const {
        std::normal_distribution<double> normal;
        const double noise = std::sqrt(1 - phi * phi);
        const double other_noise = std::sqrt(1 - correlation * correlation);
        double base = normal(random), other = correlation * base + other_noise * normal(random);
        std::vector<double> steps, means;
        double sum = 0;
        for (std::int64_t i = 0; i < windows + horizon - 1; ++i) {
            const double shock = normal(random);
            base = phi * base + noise * shock;
            other = phi * other + noise * (correlation * shock + other_noise * normal(random));
            steps.push_back(ratio * other * other - base * base);
            sum += steps.back();
            if (i < horizon - 1) continue;
            means.push_back(sum / static_cast<double>(horizon));
            sum -= steps[static_cast<std::size_t>(i + 1 - horizon)];
        }
        return means;
    }
};

/// Per cent of the replications.
struct Shares {
    double rejected = 0, covered = 0;
};

Shares simulate(const Forecasters& forecasters, std::int64_t horizon, std::int64_t windows,
                int replications) {
    std::mt19937_64 random(7);
    Shares shares;
    const double mean = forecasters.ratio - 1, share = 100.0 / replications;
    for (int i = 0; i < replications; ++i) {
        const auto test = test_periods(forecasters.differences(random, horizon, windows), horizon);
        if (test.p < significance_level) shares.rejected += share;
        if (test.blocks.low <= mean && mean <= test.blocks.high) shares.covered += share;
    }
    return shares;
}

/// A finished run of model `model` with horizon 2 and two channels, whose windows from row `first` of the
/// targets on have these errors; none: without arrays.h5.
store::ResultRow write_run(const std::filesystem::path& batch, const std::string& model, std::int64_t seed,
                           const std::vector<double>& errors, std::int64_t first = 0,
                           const std::string& data = "A", std::int64_t lookback = 4) {
    store::ResultRow row;
    row.run = model + "-" + data + "-" + std::to_string(seed);
    row.state = store::RunState::finished;
    row.data = data;
    row.model = model;
    row.lookback = lookback;
    row.horizon = 2;
    row.seed = seed;
    row.test_mse = row.test_mae = store::statistic_of(errors).mean;
    if (errors.empty()) row.test_mse = row.test_mae = 1;
    row.swept = {{"model.name", model}, {"train.seed", std::to_string(seed)}};
    std::filesystem::create_directories(batch / row.run);
    if (errors.empty()) return row;
    store::ArraysWriter arrays(batch / row.run);
    arrays.begin_forecast("test", 2, 2, 0);
    for (std::int64_t w = 0; w < std::ssize(errors); ++w) {
        const auto error = static_cast<float>(errors[static_cast<std::size_t>(w)]);
        const std::vector<float> mse{error / 2, error * 3 / 2};  // by channel
        arrays.append_forecast("test", 1, std::vector<float>(4, 0), std::vector<float>(4, 0), mse, mse,
                               std::vector<std::int64_t>{first + w - lookback}, {});
    }
    arrays.finish();
    return row;
}

const std::vector<double> base_errors{4, 4, 5, 3, 4, 5, 6, 4, 3, 5, 4, 6, 5, 4};

/// base_errors + these, window by window.
std::vector<double> more(const std::vector<double>& differences) {
    auto sums = base_errors;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += differences[i];
    return sums;
}

const std::vector<double> slight{0.5, 0, 1, 0.5, -0.5, 0, 1, 0.5, 0.5, 0, 1, 0.5, 0, 0.5};

}  // namespace

class TestPeriods : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void p_is_that_of_kiefer_and_vogelsang() {
        // Critical values of Kiefer & Vogelsang (2005), table 1, Bartlett kernel, for b = 1: cubic
        // polynomials fitted to their simulation, for tails of 10, 5, 2.5 and 1 %.
        const double tails[] = {0.1, 0.05, 0.025, 0.01};
        const double critical[] = {1.2816 + 1.3040 + 0.5135 - 0.3386, 1.6449 + 2.1859 + 0.3142 - 0.3427,
                                   1.9600 + 2.9694 + 0.4160 - 0.5324, 2.3263 + 4.1618 + 0.5368 - 0.9060};
        for (int i = 0; i < 4; ++i) {
            const double p = fixed_b_p(critical[i]);
            QVERIFY2(std::abs(p / (2 * tails[i]) - 1) < 0.1, qPrintable(QString::number(p)));
        }
        QCOMPARE(fixed_b_p(0), 1.0);
        QVERIFY(fixed_b_p(1e300) == 0 && std::isnan(fixed_b_p(std::nan(""))));
        const auto t = golden("periods.p.t"), p = golden("periods.p.p");
        QVERIFY(t.size() > 5);
        for (std::size_t i = 0; i < t.size(); ++i) {
            QVERIFY(std::abs(fixed_b_p(t[i]) - p[i]) <= 1e-9);
            QCOMPARE(fixed_b_p(-t[i]), fixed_b_p(t[i]));
        }
    }

    void statistic_and_interval_are_numpys() {
        for (int i = 0; i < 3; ++i) {
            const auto name = "periods." + std::to_string(i);
            const auto expected = golden(name + ".result"), bounds = golden(name + ".interval");
            const auto d = golden(name + ".d");
            const auto test = test_periods(d, static_cast<std::int64_t>(expected[0]));
            QCOMPARE(test.windows, std::ssize(d));
            QVERIFY(std::abs(test.delta - expected[1]) < 1e-12 && std::abs(test.error - expected[2]) < 1e-12);
            QVERIFY(std::abs(test.dm - expected[3]) < 1e-9 && std::abs(test.p - expected[4]) < 1e-9);
            // Mean and deviation over repetitions with another generator.
            QVERIFY2(std::abs(test.blocks.low - bounds[0]) < 5 * bounds[2] &&
                         std::abs(test.blocks.high - bounds[1]) < 5 * bounds[3],
                     qPrintable(QString("%1 %2").arg(test.blocks.low).arg(test.blocks.high)));
        }
    }

    void overlap_is_counted_in_target_rows() {
        const std::vector<std::int64_t> rows{10, 11, 12, 13, 20, 24, 28};
        QCOMPARE(overlap_of(rows, 1), std::int64_t{1});
        QCOMPARE(overlap_of(rows, 3), std::int64_t{3});
        QCOMPARE(overlap_of(rows, 8), std::int64_t{4});
        QCOMPARE(overlap_of(rows, 100), std::int64_t{7});
        QCOMPARE(overlap_of({}, 3), std::int64_t{0});
    }

    void no_test_without_independent_periods() {
        std::vector<double> d(359, 0.5);
        d[7] = 1;
        const auto few = test_periods(d, 60);
        QCOMPARE(few.windows, std::int64_t{359});
        QVERIFY(std::isnan(few.dm) && std::isnan(few.p) && std::isnan(few.blocks.low));
        QCOMPARE(few.why.english(),
                 std::string("359 windows, of which 60 overlap, are 6.0 independent periods, fewer than 6"));
        d.push_back(0.5);
        QVERIFY(std::isfinite(test_periods(d, 60).p));
        const std::vector<double> equal(20, 0.5);
        QVERIFY(std::isnan(test_periods(equal, 1).p) && !test_periods(equal, 1).why.empty());
        QVERIFY(!test_periods({}, 1).why.empty());
    }

    void pooled_as_if_tasks_moved_together() {
        const std::vector<double> d{1, 3, 2, 5, 4, 2, 1, 3}, larger{3, 9, 6, 15, 12, 6, 3, 9};
        const auto a = test_periods(d, 1), b = test_periods(larger, 1);
        const PeriodTest none{.windows = 3};
        // Two tasks with the same differences, one three times as large: no more certain than one.
        const auto pooled = pooled_periods({{&a, &none}, {&b}, {&none}});
        QVERIFY(std::abs(pooled.dm - a.dm) < 1e-12 && std::abs(pooled.p - a.p) < 1e-12);
        QVERIFY(std::abs(pooled.delta - 2 * a.delta) < 1e-12);
        QVERIFY(std::abs(pooled.blocks.low - 2 * a.blocks.low) < 1e-12);
        QVERIFY(pooled.cells == 2 && pooled.windows == 16);
        // Tasks of one cell are averaged first.
        QVERIFY(std::abs(pooled_periods({{&a, &b}, {&a}}).delta - 1.5 * a.delta) < 1e-12);
        QVERIFY(std::isnan(pooled_periods({{&none}}).p) && !pooled_periods({}).why.empty());
    }

    void a_batch_tests_common_windows_over_mean_errors() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        auto second = slight;
        for (auto& value : second) value *= 3;
        // The second model begins a window later, by its target rows, and has the last windows alone.
        const std::vector<store::ResultRow> rows{write_run(folder, "naive", 1, base_errors),
                                                 write_run(folder, "naive", 2, base_errors),
                                                 write_run(folder, "ridge", 1, more(slight), 1, "A", 6),
                                                 write_run(folder, "ridge", 2, more(second), 1, "A", 6)};
        std::vector<double> wanted;
        for (std::size_t i = 1; i < base_errors.size(); ++i)
            wanted.push_back(base_errors[i - 1] + 2 * slight[i - 1] - base_errors[i]);
        const auto test = test_periods(wanted, 2);
        const auto compared = write_batch_tables(folder, rows).comparisons;
        QCOMPARE(compared.size(), std::size_t{2});
        const auto& found = compared[0].periods.value();
        QVERIFY(std::isfinite(test.p) && std::abs(found.dm - test.dm) < 1e-9);
        QVERIFY(std::abs(found.p - test.p) < 1e-9 && std::abs(found.blocks.low - test.blocks.low) < 1e-9);
        QCOMPARE(found.windows, std::int64_t{13});
        const auto csv = content(folder / "comparisons.csv");
        QVERIFY2(contains(csv, ",method,dm,p_dm,block_low,block_high,windows\n") && contains(csv, ",13\n"),
                 csv.c_str());
        const auto text = content(folder / "comparisons.md");
        QVERIFY2(contains(text, "## Over periods") && contains(text, "over periods: "), text.c_str());
        QVERIFY(contains(text, "Tests over periods ask whether these trained models differ in the same way"));
        QVERIFY(contains(content(folder / "comparisons.tex"), "$p$ (periods)"));

        auto waiting = rows;
        waiting.push_back(rows[0]);
        waiting.back().state = store::RunState::queued;
        QCOMPARE(period_verdict(batch_tables(folder, waiting).comparisons.at(0)),
                 Phrase("no test over periods: a run is queued or running"));
        QVERIFY(!contains(batch_tables(folder, rows, false).texts["comparisons.csv"], "dm"));
    }

    void one_pair_and_several_tasks() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        std::vector<store::ResultRow> rows;
        for (const char* data : {"A", "B"}) {
            rows.push_back(write_run(folder, "naive", 1, base_errors, 0, data));
            rows.push_back(write_run(folder, "ridge", 1, more(slight), 0, data));
        }
        rows.push_back(write_run(folder, "naive", 1, base_errors, 0, "C"));
        rows.push_back(write_run(folder, "ridge", 1, {}, 0, "C"));
        const auto tables = batch_tables(folder, rows);
        const auto& compared = tables.comparisons;
        QCOMPARE(compared.size(), std::size_t{8});
        const auto& one = compared[0];
        const auto& all = compared[3];
        QCOMPARE(all.task, std::string(all_tasks));
        // The same differences twice are one: as if both tasks moved together.
        QVERIFY(std::abs(all.periods->dm - one.periods->dm) < 1e-12);
        QCOMPARE(period_verdict(all).english(),
                 std::string("over periods of 2 tasks: higher by 8.9 % (p = 0.0032, 28 windows)"));
        QCOMPARE(
            period_verdict(compared[2]).english(),
            std::string("no test over periods: the errors of the test windows of ridge-C-1 are not stored "
                        "(run.store_forecasts)"));
        const auto text = comparisons_text(compared);
        QVERIFY2(contains(text, "1 pair: says nothing about seed noise; over periods: higher by 8.9 % (p = "),
                 text.c_str());
        QVERIFY(contains(tables.texts.at("comparisons.csv"), ",,,,,\n"));
    }

    void sizes() {
        const auto wanted = qEnvironmentVariableIntValue("CASP_REPLICATIONS");
        const int replications = wanted > 0 ? wanted : 150;
        const std::pair<std::int64_t, std::int64_t> cases[] = {{96, 2785}, {192, 2689}, {336, 2545},
                                                               {24, 170},  {60, 170},   {1, 60}};
        for (const auto& [horizon, windows] : cases)
            for (const double phi : {0.0, 0.5, 0.9}) {
                const auto found = simulate({phi}, horizon, windows, replications);
                if (wanted > 0) {
                    const auto close = simulate({phi, 0.95, 0}, horizon, windows, replications);
                    const auto related = simulate({phi, 0.95, 0.9}, horizon, windows, replications);
                    std::printf(
                        "H %3d, %4d windows, phi %.1f: rejects %.1f %%, interval covers %.1f %%, "
                        "detects 5 %%: %.1f %%, of correlated errors %.1f %%\n",
                        static_cast<int>(horizon), static_cast<int>(windows), phi, found.rejected,
                        found.covered, close.rejected, related.rejected);
                }
                if (horizon == 60)
                    QVERIFY(found.rejected == 0 && found.covered == 0);
                else if (horizon > 1)  // four standard deviations for 150 replications
                    QVERIFY2(std::abs(found.rejected - 5) < (wanted > 0 ? 2 : 7.1) &&
                                 std::abs(found.covered - 95) < (wanted > 0 ? 3 : 7.1),
                             qPrintable(QString("%1 %2").arg(found.rejected).arg(found.covered)));
            }
    }
};

TEST_MAIN_WITHOUT_GUI(TestPeriods)
#include "test_periods.moc"
