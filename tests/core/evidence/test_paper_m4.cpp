// Averages over M4's frequencies in the paper's table.
#include <QtTest>

#include <cmath>

#include "config/experiment.h"
#include "evidence/paper_table.h"
#include "test_program.h"

using namespace casp;
using evidence::PaperRun;
using evidence::PaperTable;

namespace {

const std::vector<std::string> all{"yearly", "quarterly", "monthly", "weekly", "daily", "hourly"};
const std::vector<double> counts{23000, 24000, 48000, 359, 4227, 414};

PaperRun m4_run(const std::string& preset, std::int64_t seed, double smape) {
    PaperRun run;
    run.config = config::load_text("preset = \"" + preset + "\"", "test", {}).base;
    run.config.train.seed = seed;
    run.row.state = store::RunState::finished;
    run.row.data = run.config.data.path.substr(8);
    run.row.seed = seed;
    run.row.backbone = "none";
    run.row.test_smape = smape;
    run.row.test_mase = smape / 4;
    run.row.test_owa = smape / 10;
    run.measures = {{"naive2_smape", 2 * smape}, {"naive2_mase", smape}};
    return run;
}

double ours(const PaperTable& table, const std::string& frequency, const std::string& metric,
            const std::string& model = "DLinear") {
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            if (table.rows[row] == std::vector{frequency, metric} && table.columns[column].front() == model)
                return table.cell(row, column)->value;
    return std::nan("");
}

bool has_row(const PaperTable& table, const std::string& frequency) {
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [&](const auto& row) { return row.front() == frequency; });
}

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

}  // namespace

class TestPaperM4 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void an_average_weighs_by_the_number_of_series() {
        std::vector<PaperRun> runs;
        double sum = 0;
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::int64_t seed = 2021; seed < 2024; ++seed) {
                const double smape = 10 + static_cast<double>(i) + static_cast<double>(seed - 2022);
                runs.push_back(m4_run("dlinear-m4-" + all[i], seed, smape));
                sum += counts[i] * smape / 3;
            }
        const auto table = fill(evidence::paper_table("m4"), runs);
        QVERIFY(is_near(ours(table, "Average", "sMAPE"), sum / 100000));
        QVERIFY(is_near(ours(table, "Average", "MASE"), sum / 400000));
        // (1/2 + 1/4) / 2, whatever the frequency: of averages, not an average of the frequencies' values.
        QVERIFY(is_near(ours(table, "Average", "OWA"), 0.375));
        QVERIFY(is_near(ours(table, "Weekly", "sMAPE"), 13));
        QVERIFY(!has_row(table, "Average of Yearly, Hourly"));
        const double others = (359 * 13.0 + 4227 * 14.0 + 414 * 15.0) / 5000;
        QVERIFY(is_near(ours(table, "Others", "sMAPE"), others));
        QVERIFY(is_near(ours(table, "Others", "MASE"), others / 4));
        QCOMPARE(std::count_if(table.rows.begin(), table.rows.end(),
                               [](const auto& row) { return row.front() == "Others"; }),
                 3);
    }

    void a_missing_frequency_leaves_the_average_empty() {
        std::vector<PaperRun> runs;
        for (const char* frequency : {"yearly", "hourly"}) {
            runs.push_back(m4_run(std::string("dlinear-m4-") + frequency, 2021, 10));
            runs.push_back(m4_run(std::string("patchtst-m4-") + frequency, 2021, 20));
        }
        runs.push_back(m4_run("itransformer-m4-yearly", 2021, 30));
        const auto table = fill(evidence::paper_table("m4"), runs);
        QVERIFY(std::isnan(ours(table, "Average", "sMAPE")));
        QVERIFY(is_near(ours(table, "Average of Yearly, Hourly", "sMAPE"), 10));
        QVERIFY(is_near(ours(table, "Average of Yearly, Hourly", "sMAPE", "PatchTST"), 20));
        QVERIFY(std::isnan(ours(table, "Average of Yearly, Hourly", "sMAPE", "iTransformer")));
        QVERIFY(!has_row(table, "Others"));
        QVERIFY(!has_row(table, "Weekly"));  // no number of the paper, none of ours
        QVERIFY(has_row(table, "Hourly"));
    }

    /// A seed that lacks a frequency is not in the average.
    void seeds_are_averaged_one_by_one() {
        std::vector<PaperRun> runs;
        for (const auto& frequency : all) runs.push_back(m4_run("dlinear-m4-" + frequency, 2021, 10));
        runs.push_back(m4_run("dlinear-m4-yearly", 2022, 1000));
        const auto table = fill(evidence::paper_table("m4"), runs);
        QVERIFY(is_near(ours(table, "Average", "sMAPE"), 10));
        QVERIFY(is_near(ours(table, "Yearly", "sMAPE"), 505));
    }

    void runs_that_stopped_on_the_test_values_are_named() {
        auto run = m4_run("dlinear-m4-yearly", 2021, 10);
        run.config.data.m4_stopping = "paper";
        run.row.data = "M4-Yearly (stopped on test)";
        const auto table = fill(evidence::paper_table("m4"), {run});
        QVERIFY(is_near(ours(table, "Yearly", "sMAPE"), 10));
        QVERIFY(std::find(table.deviations.begin(), table.deviations.end(), "data.m4_stopping = \"paper\"") !=
                table.deviations.end());
    }
};

TEST_MAIN_WITHOUT_GUI(TestPaperM4)
#include "test_paper_m4.moc"
