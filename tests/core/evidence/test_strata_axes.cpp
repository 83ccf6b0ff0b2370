// The tables strata:AXIS: names, agreement of labelers and pooled pairs, by hand.
#include <cmath>

#include <QtTest>

#include "config/experiment.h"
#include "evidence/paper_table_text.h"
#include "evidence/strata_axes.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using namespace casp::evidence;

namespace {

/// A finished run of ETTh1-96 with errors in the strata of `axis`.
PaperRun run_of(std::int64_t seed, bool coverage, const std::string& axis, double easy, double hard) {
    PaperRun run;
    const std::vector<std::string> sets(coverage ? 0 : 1, "loss.lambda_cov=0");
    run.config = config::load_text("preset = \"etth1-96\"", "test", {}, sets).base;
    run.config.train.seed = seed;
    run.row.state = store::RunState::finished;
    run.row.data = "ETTh1";
    run.row.horizon = 96;
    run.row.seed = seed;
    run.row.backbone = "openai-gpt2-small";
    run.measures = {{"easy_mse@" + axis, easy}, {"hard_mse@" + axis, hard}};
    return run;
}

/// Changes of the lower stratum: 1, −2 and 3 %; of the upper −1, −4 and −2 %. A fourth pair has one group.
std::vector<PaperRun> pairs_of(const std::string& axis) {
    const std::vector<double> easy{1.01, 0.98, 1.03, std::nan("")}, hard{1.98, 1.92, 1.96, std::nan("")};
    std::vector<PaperRun> runs;
    for (std::size_t i = 0; i < easy.size(); ++i) {
        const auto seed = 2021 + static_cast<std::int64_t>(i);
        runs.push_back(run_of(seed, true, axis, easy[i], hard[i]));
        runs.push_back(run_of(seed, false, axis, 1, 2));
    }
    return runs;
}

std::string message_of(const char* name) {
    try {
        (void)paper_table(name);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

class TestStrataAxes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tables_have_the_runs_of_strata() {
        const auto strata = fill(paper_table("strata"), {});
        QCOMPARE(strata_axis_tables().size(), std::size_t{3});
        for (const auto& name : strata_axis_tables()) {
            const auto table = fill(paper_table(name), {});
            QCOMPARE(table.missing, strata.missing);
            QCOMPARE(table.missing, 128);
            QCOMPARE(table.rows.size(), std::size_t{name == "strata:trend-change" ? 30U : 3U});
            for (const auto& cell : table.cells) QVERIFY(!cell || cell->printed.empty());
        }
    }

    void unknown_axes_name_the_nearest() {
        const auto foo = message_of("strata:foo");
        for (const auto& name : strata_axis_tables())
            QVERIFY2(foo.find(name) != std::string::npos, foo.c_str());
        QVERIFY2(foo.find("Nearest name: strata:") != std::string::npos, foo.c_str());
        QVERIFY(message_of("strata:low").find("Nearest name: strata:low-frequency.") != std::string::npos);
        QVERIFY(message_of("strata:trend-change-union").find("Nearest name: strata:trend-change.") !=
                std::string::npos);
        QVERIFY(message_of("starta").find("Nearest name: strata.") != std::string::npos);
    }

    void pairs_of_one_axis_by_hand() {
        const auto table = fill(paper_table("strata:trend-change"), pairs_of("trend-change-union:4"));
        int filled = 0;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const bool own = table.rows[row][0] == "Union of channels" && table.rows[row][1] == "4";
            const auto value = [&](std::size_t column) { return table.cell(row, column)->value; };
            QCOMPARE(value(0), own ? 3.0 : 0.0);
            QCOMPARE(std::isfinite(value(1)), own);
            if (!own) continue;
            ++filled;
            const auto& stratum = table.rows[row][2];
            const bool with = stratum == "With a change", without = stratum == "Without";
            // Changes in per cent, improved pairs, W and p (2 of 8 signs) of −1, −4, −2; 1, −2, 3; −2, −2,
            // −5.
            QVERIFY(std::abs(value(1) - (with ? -7.0 / 3 : without ? 2.0 / 3 : -3)) < 1e-9);
            QCOMPARE(value(2), without ? 1.0 : 3.0);
            QCOMPARE(value(3), without ? 2.0 : 0.0);
            if (with) QCOMPARE(value(4), 0.25);
            QCOMPARE(table.cell(row, 0)->wanted, 64);
        }
        QCOMPARE(filled, 3);
    }

    void label_means_are_over_cells_with_labels() {
        auto runs = pairs_of("trend-change:2");
        for (auto& run : runs) run.measures["with_percent@trend-change:2"] = 40;
        const auto table = fill(paper_table("strata:trend-change"), runs);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const auto& labels = table.rows[row];
            const auto& cell = table.cell(row, 5);
            if (labels[0] != "Channel average" || labels[1] != "2" || labels[2] != "With a change") {
                QVERIFY(!cell || std::isnan(cell->value));
                continue;
            }
            QCOMPARE(cell->value, 40.0);
            QCOMPARE(cell->n, 1);
            QCOMPARE(cell->wanted, 20);
        }
    }

    /// 1 1 0 0 against 1 0 0 0: three of four agree; by chance ½ · ¼ + ½ · ¾ = ½, so κ = (¾ − ½) / ½.
    void agreement_by_hand() {
        const std::vector<double> a{2, 1, 0, 0}, b{1, 0, 0, 0}, none{0, 0, 0, 0};
        QCOMPARE(agreement_of(a, b).percent, 75.0);
        QCOMPARE(agreement_of(a, b).kappa, 0.5);
        QCOMPARE(agreement_of(a, a).kappa, 1.0);
        QCOMPARE(agreement_of(none, none).percent, 100.0);
        QVERIFY(std::isnan(agreement_of(none, none).kappa));
        QCOMPARE(agreement_of(a, none).kappa, 0.0);
    }

    void as_many_of_the_strongest() {
        const std::vector<double> strength{0.5, 0.9, 0.5, 0.1}, two{0, 0, 3, 1}, none{0, 0, 0, 0};
        QCOMPARE(strongest(strength, two), (std::vector<double>{0, 1, 1, 0}));
        QCOMPARE(strongest(strength, none), none);
    }

    void texts() {
        const auto table = fill(paper_table("strata:trend-strength"), pairs_of("trend-strength"));
        const auto text = paper_table_markdown(table);
        const auto has = [&](const char* words) { return text.find(words) != std::string::npos; };
        QVERIFY2(has("| Highest tenth       | ours | 3 of 64 | −2.33 |        3 | 0.0 | 0.2500 |"),
                 text.c_str());
        QVERIFY(!has("| paper") && !has("difference"));
        QVERIFY(has("Backbone of the runs: GPT-2") && has("never read the target"));
        QVERIFY(
            has("120 runs are missing. Command: caspstudio --batch paper:strata; caspstudio --batch "
                "paper:seeds"));
        std::vector<std::string> files;
        for (const auto& [file, content] : paper_table_texts(table)) files.push_back(file);
        std::sort(files.begin(), files.end());
        QCOMPARE(files, (std::vector<std::string>{"strata-trend-strength.csv", "strata-trend-strength.md",
                                                  "strata-trend-strength.tex"}));
    }
};

TEST_MAIN_WITHOUT_GUI(TestStrataAxes)
#include "test_strata_axes.moc"
