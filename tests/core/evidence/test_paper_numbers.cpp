// Numbers of the paper's text in its tables: counts of best cells, degraded anchors, signs over seeds, and
// the tests over strata.

#include <array>
#include <cmath>
#include <iterator>
#include <map>

#include <QtTest>

#include "evidence/paper_table_text.h"
#include "paper_table_test.h"
#include "test_program.h"

using namespace casp;
using namespace casp::evidence;
using namespace casp::test;

namespace {

/// Runs with the printed errors of a table as theirs; `seeds` equal ones of each configuration.
std::vector<PaperRun> printed_runs(const PaperTable& table, std::int64_t seeds) {
    std::map<std::size_t, PaperRun> of_need;
    for (const auto& cell : table.cells) {
        if (!cell || cell->runs.size() != 1 || !cell->base.empty()) continue;
        const auto need = cell->runs.front();
        auto run = of_need.try_emplace(need, run_of(table.needs[need].preset, {}, 2021, 0)).first;
        run->second.config = table.needs[need].config;
        if (cell->metric == "test_mse") run->second.row.test_mse = cell->paper();
        if (cell->metric == "test_mae") run->second.row.test_mae = cell->paper();
    }
    std::vector<PaperRun> runs;
    for (auto& [need, run] : of_need)
        for (std::int64_t seed = 2021; seed < 2021 + seeds; ++seed) {
            run.config.train.seed = run.row.seed = seed;
            runs.push_back(run);
        }
    return runs;
}

}  // namespace

class TestPaperNumbers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The numbers of the paper's text are those of its own table. Its text has no count of the best MAE.
    void counts_of_best_cells() {
        const auto printed = paper_table("longterm");
        auto runs = printed_runs(printed, 2);
        QCOMPARE(runs.size(), std::size_t{2 * 8 * 24});
        auto table = fill(printed, runs);
        const auto count = [&](const char* which, const char* error) {
            return cell_of(table, {"All data", which}, {"CASP-LLM", error});
        };
        QCOMPARE(count("best", "MSE").value, 14.0);
        QCOMPARE(count("best", "MSE").paper(), 14.0);
        QCOMPARE(count("best or second", "MSE").value, 18.0);
        QCOMPARE(count("best or second", "MSE").paper(), 18.0);
        QCOMPARE(count("best", "MAE").value, 8.0);  // ETTh2-96 among them, equal to S2IP-LLM
        QCOMPARE(count("best or second", "MAE").value, 17.0);
        QCOMPARE(count("best or second", "MAE").paper(), 17.0);
        QCOMPARE(count("best", "MSE").n, 24);
        QCOMPARE(count("best", "MSE").wanted, 24);
        const auto of = [&](const std::string& preset) {
            return std::find_if(runs.begin(), runs.end(),
                                [&](const PaperRun& run) { return run.config.preset == preset; });
        };
        const auto set = [&](const std::string& preset, double mse) {
            for (auto& run : runs)
                if (run.config.preset == preset) run.row.test_mse = mse;
        };
        set("etth1-96", 0.37);  // above DLinear's 0.3682 only
        table = fill(printed, runs);
        QCOMPARE(count("best", "MSE").value, 14.0);
        QCOMPARE(count("best or second", "MSE").value, 19.0);
        set("etth1-96", 0.1);
        table = fill(printed, runs);
        QCOMPARE(count("best", "MSE").value, 15.0);
        runs.erase(of("calf-etth1-96"));  // a single seed left
        table = fill(printed, runs);
        QCOMPARE(count("best", "MSE").value, 14.0);
        QCOMPARE(count("best", "MSE").n, 23);
        QVERIFY(has(paper_table_markdown(table), "14 (23 of 24 cells)"));
        QVERIFY(std::isnan(cell_of(fill(printed, {}), {"All data", "best"}, {"CASP-LLM", "MSE"}).value));
    }

    /// 15 of 16, +1.2 % and +2.6 % of the text, from the printed errors.
    void degraded_anchors() {
        const auto printed = paper_table("anchors");
        const auto table = fill(printed, printed_runs(printed, 1));
        const auto value = [&](const char* row, const char* column) {
            const auto& cell = cell_of(table, {row}, {column});
            return paper_value_text(cell, cell.value);
        };
        QCOMPARE(value("Shuffled anchor", "Degraded"), std::string("7"));
        QCOMPARE(value("Random anchor", "Degraded"), std::string("8"));
        QCOMPARE(value("Both", "Degraded"), std::string("15"));
        QCOMPARE(cell_of(table, {"Both"}, {"Degraded"}).wanted, 16);
        for (const auto& row : {"Shuffled anchor", "Random anchor"}) {
            const auto& cell = cell_of(table, {row}, {"Δ %"});
            QCOMPARE(value(row, "Δ %"), paper_printed_text(cell));
        }
        QCOMPARE(table.missing, 0);
    }

    /// Differences of −1, +2 and −3 thousandths to top-K.
    void signs_over_seeds() {
        std::vector<PaperRun> runs;
        for (std::int64_t i = 0; i < 3; ++i) {
            runs.push_back(run_of("etth1-96", {"loss.lambda_cov=0"}, 2021 + i, 0.5));
            runs.push_back(run_of("etth1-96",
                                  {"coverage.enabled=false", "selection.rule=mmr", "selection.alpha=0.5"},
                                  2021 + i, 0.5 + std::array{-0.001, 0.002, -0.003}[std::size_t(i)]));
        }
        const auto table = fill(paper_table("mmr"), runs);
        QCOMPARE(cell_of(table, {"ETTh1", "96"}, {"α = 0.5", "Lower"}).value, 2.0);
        QCOMPARE(cell_of(table, {"ETTh1", "96"}, {"α = 0.5", "Higher"}).value, 1.0);
        QVERIFY(std::isnan(cell_of(table, {"ETTh1", "96"}, {"α = 0.7", "Lower"}).value));
        QVERIFY(has(paper_table_csv(table), "mmr,ETTh1|96,α = 0.5|Lower,improved,,,,2,,,3,3,"));
    }

    void anchors_and_cosine_of_other_objectives() {
        auto run = run_of("ettm1-96", {"coverage.term=switch"}, 2021, 0.4);
        run.row.distinct_anchors = 314;
        run.row.key_cosine = 0.875;
        const auto table = fill(paper_table("balancing"), {run});
        QCOMPARE(cell_of(table, {"ETTm1", "96", "Anchors"}, {"Load balance"}).value, 314.0);
        const auto& cosine = cell_of(table, {"ETTm1", "96", "Cosine"}, {"Load balance"});
        QCOMPARE(cosine.value, 0.875);
        QCOMPARE(cosine.paper(), 0.91);
        for (const auto& [data, k] : {std::pair{"ETTh1", 8.0}, std::pair{"ETTm1", 4.0}})
            for (const auto* horizon : {"96", "336"})
                QCOMPARE(cell_of(table, {data, horizon, "Anchors"}, {"Entropy reg."}).paper(), k);
    }

    /// Changes of easy windows: 1, −2 and 3 %; of hard ones −1, −4 and −2 %. A fourth pair lacks a value.
    void pooled_strata_by_hand() {
        const std::vector<double> easy{1.01, 0.98, 1.03, std::nan("")}, hard{1.98, 1.92, 1.96, 1};
        std::vector<PaperRun> runs;
        for (std::size_t i = 0; i < easy.size(); ++i) {
            const auto seed = 2021 + static_cast<std::int64_t>(i);
            runs.push_back(run_of("etth1-96", {}, seed, 0.4));
            runs.back().measures = {{"easy_mse", easy[i]}, {"hard_mse", hard[i]}};
            runs.push_back(run_of("etth1-96", {"loss.lambda_cov=0"}, seed, 0.4));
            runs.back().measures = {{"easy_mse", 1}, {"hard_mse", 2}};
        }
        const auto table = fill(paper_table("strata"), runs);
        std::map<std::string, double> values;
        for (const auto& cell : table.cells) {
            if (!cell) continue;
            values[cell->metric] = cell->value;
            QCOMPARE(cell->n, 3);
            QCOMPARE(cell->wanted, 64);
        }
        const auto near = [&](const std::string& metric, double value) {
            return values.contains(metric) && std::abs(values[metric] - value) < 1e-9;
        };
        QVERIFY(near("easy_delta_percent", 2.0 / 3));
        QVERIFY(near("easy_improved", 1) && near("easy_w", 2));
        QVERIFY(near("hard_delta_percent", -7.0 / 3));
        QVERIFY(near("hard_improved", 3) && near("hard_w", 0) && near("hard_p", 0.25));  // 2 of 8 signs
        QVERIFY(near("contrast_delta_percent", -3));                                     // −2, −2, −5
    }

    /// The paper's W = 1005.5 over 64 pairs: ranks 48 … 64, 43 and one of two tied 10.5 are negative.
    void p_of_strata_with_and_without_continuity_correction() {
        auto table = paper_table("strata");
        const auto cell = cell_of(table, {"Easiest 30 %"}, {"p"});
        std::vector<PaperRun> runs;
        const auto add = [&](std::size_t index, std::int64_t seed, double easy) {
            const auto& need = table.needs[index];
            runs.push_back(run_of(need.preset, {}, 2021 + seed, 0.4));
            runs.back().config.loss.lambda_cov = need.config.loss.lambda_cov;
            runs.back().measures = {{"easy_mse", easy}, {"hard_mse", 1}};
        };
        int rank = 0;
        for (std::size_t i = 0; i < cell.runs.size(); ++i)
            for (std::int64_t seed = 0; seed < table.needs[cell.runs[i]].seeds; ++seed) {
                const double size = ++rank == 10 || rank == 11 ? 10.5 : rank;
                const bool negative = rank >= 48 || rank == 43 || rank == 10;
                add(cell.runs[i], seed, 1 + (negative ? -size : size) / 1024);  // percent without rounding
                add(cell.base[i], seed, 1);
            }
        QCOMPARE(rank, 64);
        table = fill(std::move(table), runs);
        QCOMPARE(cell_of(table, {"Easiest 30 %"}, {"W"}).value, 1005.5);
        const auto& corrected = cell_of(table, {"Easiest 30 %"}, {"p"});
        const auto& uncorrected = cell_of(table, {"Easiest 30 %"}, {"p, uncorrected"});
        QVERIFY(std::abs(corrected.value - 0.8201315) < 1e-7);  // scipy.stats.wilcoxon, method="asymptotic"
        QVERIFY(std::abs(uncorrected.value - 0.8175327) < 1e-7);
        QCOMPARE(paper_value_text(corrected, corrected.value), std::string("0.820"));
        QCOMPARE(paper_value_text(uncorrected, uncorrected.value), std::string("0.818"));
        QVERIFY(paper_difference_text(uncorrected).empty());
    }
};

TEST_MAIN_WITHOUT_GUI(TestPaperNumbers)
#include "test_paper_numbers.moc"
