// Runs compared over the series of a collection: against SciPy and numpy (tests/oracle/make_evidence.py), and
// the section of comparisons.md.

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>

#include <QtTest>

#include "evidence/batch_tables.h"
#include "evidence/series_comparison.h"
#include "evidence_test.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/safetensors.h"
#include "test_program.h"

using namespace casp;
using namespace casp::evidence;
using casp::test::contains;
using casp::test::content;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::vector<double> golden(const std::string& name) {
    static const store::SafetensorsFile file(std::string(CASP_SOURCE_DIR) +
                                             "/tests/golden/evidence.safetensors");
    const auto& view = file.at(name);
    std::vector<double> values(view.nbytes / sizeof(double));
    store::read_bytes(view, std::as_writable_bytes(std::span(values)));
    return values;
}

/// The same as in make_evidence.py.
std::pair<std::vector<double>, std::vector<double>> large_scores() {
    std::pair<std::vector<double>, std::vector<double>> scores;
    for (std::int64_t i = 0; i < 20000; ++i) {
        scores.first.push_back(1 + static_cast<double>(i * 7919 % 1009) / 64);
        scores.second.push_back(scores.first.back() + static_cast<double>(i * 104729 % 2003 - 990) / 4096);
    }
    return scores;
}

bool relatively_close(double a, double b, double relative) {
    return std::abs(a - b) <= relative * std::abs(b);
}

SeriesRun series_run(std::vector<double> smape, std::vector<double> mase) {
    return {"abc", {"Y1", "Y2", "Y3"}, {std::move(smape), std::move(mase)}};
}

store::ResultRow series_row(const std::string& run, const std::string& batch_size, std::int64_t seed) {
    store::ResultRow row;
    row.run = run;
    row.state = store::RunState::finished;
    row.data = "M4-Yearly";
    row.horizon = 6;
    row.seed = seed;
    row.test_mse = row.test_mae = 1;
    row.test_smape = row.test_mase = row.test_owa = 1;
    row.swept = {{"train.batch_size", batch_size}, {"train.seed", std::to_string(seed)}};
    return row;
}

/// run.h5 and arrays.h5 of a run on three series.
void write_series_run(const std::filesystem::path& folder, const SeriesRun& run) {
    std::filesystem::create_directories(folder);
    store::ArraysWriter arrays(folder);
    arrays.begin_forecast("test", 1, 1, 0);
    const std::vector<float> values(run.ids.size(), 1);
    const std::vector<std::int64_t> start(run.ids.size(), -3);
    arrays.append_forecast("test", std::ssize(run.ids), values, values, values, values, start, {});
    arrays.write_series("test", run.ids, run.scores);
    arrays.finish();
    store::RunRecord record;
    record.attributes.dataset_sha256 = run.dataset_sha256;
    record.data.series = run.ids;
    store::write_run_file(folder, record);
}

}  // namespace

class TestSeriesComparison : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbers_are_those_of_scipy_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("400 series, some without a score") << "small";
        QTest::newRow("20,000 series") << "large";
    }

    void numbers_are_those_of_scipy() {
        QFETCH(QString, name);
        const auto of = "series." + name.toStdString() + ".";
        auto scores = large_scores();
        if (name == "small") scores = {golden(of + "base"), golden(of + "other")};
        const auto row = compare_series(scores.first, scores.second, "test_smape");
        const auto result = golden(of + "result"), interval = golden(of + "interval");
        QCOMPARE(static_cast<double>(row.n), result[0]);
        QCOMPARE(static_cast<double>(row.improved), result[1]);
        QVERIFY(relatively_close(row.mean_base, result[2], 1e-12) &&
                relatively_close(row.mean_other, result[3], 1e-12));
        QVERIFY(relatively_close(row.delta, result[4], 1e-9));
        QCOMPARE(row.test.w, result[5]);
        QVERIFY2(relatively_close(row.test.p, result[6], 1e-9),
                 qPrintable(QString::number(row.test.p, 'g', 12)));
        QVERIFY(!row.test.exact);
        QVERIFY(std::abs(row.interval.low - interval[0]) < 5 * interval[2]);
        QVERIFY(std::abs(row.interval.high - interval[1]) < 5 * interval[3]);
    }

    void resamples() {
        QCOMPARE(resamples_over(10000), std::int64_t{10000});
        QCOMPARE(resamples_over(10001), std::int64_t{1000});
    }

    void series_without_a_score_do_not_count() {
        const auto row = compare_series(std::vector<double>{1, unknown, 3},
                                        std::vector<double>{2, 1, unknown}, "test_mase");
        QCOMPARE(row.n, std::int64_t{1});
        QCOMPARE(row.delta, 1.0);
        QVERIFY(std::isnan(row.test.p));
        QCOMPARE(compare_series(std::vector<double>{unknown}, std::vector<double>{1}, "test_mase").n,
                 std::int64_t{0});
        QVERIFY_EXCEPTION_THROWN((void)compare_series(std::vector<double>{1}, {}, "test_mase"),
                                 std::invalid_argument);
    }

    void only_the_same_series_are_compared() {
        const auto a = series_run({1, 2, 3}, {1, 2, 3});
        QCOMPARE(series_mismatch(a, a), std::string());
        auto other = a;
        other.dataset_sha256 = "def";
        QVERIFY(contains(series_mismatch(a, other), "data sets"));
        other = a;
        std::swap(other.ids[0], other.ids[1]);
        QVERIFY(contains(series_mismatch(a, other), "series differ"));
        other = a;
        other.scores.mase.pop_back();
        QVERIFY(contains(series_mismatch(a, other), "series differ"));
        other.scores = {};
        QVERIFY(contains(series_mismatch(other, a), "not stored"));
    }

    void means_over_seeds() {
        QCOMPARE(mean_scores({{1, 4}, {3, 8}}), (std::vector<double>{2, 6}));
        QVERIFY(std::isnan(mean_scores({{1, 4}, {unknown, 8}})[0]));
    }

    void words() {
        const auto [base, other] = large_scores();
        const auto row = compare_series(base, other, "test_smape");
        QCOMPARE(verdict(row), std::string("20,000 series: higher by 0.03 % (p = 0.0086)"));
        auto equal = row;
        equal.test.p = 0.34;
        equal.interval.low = -equal.interval.high;
        QCOMPARE(verdict(equal), std::string("20,000 series: no consistent difference (p = 0.34)"));
        QCOMPARE(pairs_for_stated_effect(equal), std::int64_t{0});
    }

    void a_batch_has_a_section_over_series() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        write_series_run(folder / "a1", series_run({10, 20, 30}, {1, unknown, 3}));
        write_series_run(folder / "a2", series_run({12, 22, 32}, {1, unknown, 3}));
        write_series_run(folder / "b1", series_run({9, 21, 27}, {2, unknown, 3}));
        write_series_run(folder / "b2", series_run({9, 21, 27}, {2, unknown, 3}));
        const std::vector<store::ResultRow> rows{series_row("a1", "16", 1), series_row("a2", "16", 2),
                                                 series_row("b1", "32", 1), series_row("b2", "32", 2)};
        const auto found = compare_batch_series(folder, rows, {"train.batch_size", "16"});
        QCOMPARE(found.rows.size(), std::size_t{2});
        QVERIFY(found.remarks.empty());
        const auto& smape = found.rows[0];
        QCOMPARE(smape.seeds, (std::vector<std::int64_t>{1, 2}));
        QCOMPARE(smape.result.n, std::int64_t{3});
        QCOMPARE(smape.result.mean_base, 21.0);  // 11, 21, 31 over the seeds
        QCOMPARE(smape.result.delta, -2.0);
        QCOMPARE(smape.result.improved, std::int64_t{2});
        QCOMPARE(found.rows[1].result.n, std::int64_t{2});

        auto unfinished = rows;
        unfinished.push_back(series_row("c1", "64", 1));
        unfinished.back().state = store::RunState::running;
        const auto later = compare_batch_series(folder, unfinished, {"train.batch_size", "16"});
        QVERIFY(later.rows.empty());
        QCOMPARE(later.remarks.size(), std::size_t{1});

        const auto comparisons = write_batch_tables(folder, rows).comparisons;
        const auto text = content(folder / "comparisons.md");
        QVERIFY(text.starts_with(comparisons_markdown(comparisons)));
        QVERIFY2(contains(text, "## Over series") && contains(text, "A test over series asks whether"),
                 text.c_str());
        QVERIFY(contains(content(folder / "comparisons.csv"), "M4-Yearly-6,test_smape,16,32,2,"));

        // A run that cannot be read is named, and the rest is written.
        std::ofstream(folder / "b2" / "arrays.h5", std::ios::trunc) << "damaged";
        QCOMPARE(write_batch_tables(folder, rows).comparisons.size(), comparisons.size());
        const auto without = content(folder / "comparisons.md");
        QVERIFY2(contains(without, "M4-Yearly-6: 32 and 16 are not compared over series: "), without.c_str());
    }

    void batch_without_collections_has_no_series_section() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        auto a = series_row("a", "16", 1), b = series_row("b", "32", 1);
        for (auto* row : {&a, &b}) row->test_smape = row->test_mase = row->test_owa = unknown;
        QCOMPARE(write_batch_tables(folder, {a, b}).comparisons.size(), std::size_t{2});
        QVERIFY(!contains(content(folder / "comparisons.md"), "Over series"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestSeriesComparison)
#include "test_series_comparison.moc"
