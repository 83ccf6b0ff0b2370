// The search of hyperparameters from finished runs: stages, the choice by validation MSE, and its table.
#include <cmath>

#include <QtTest>

#include "config/experiment.h"
#include "evidence/tuning.h"
#include "test_program.h"

using namespace casp;
using namespace casp::evidence;

namespace {

/// A finished run of ETTh1-336, whose initial lengths are 24 and 24, the paper's λ_sim 0.1, λ_cov 0.1, K 8,
/// 96 and 12.
SettledRun run_of(double lambda_sim, double lambda_cov, int top_k, int trend, int seasonal, double val,
                  double test, const std::vector<std::string>& further = {}) {
    SettledRun run;
    auto sets = further;
    sets.push_back("loss.lambda_sim=" + std::to_string(lambda_sim));
    sets.push_back("loss.lambda_cov=" + std::to_string(lambda_cov));
    sets.push_back("model.top_k=" + std::to_string(top_k));
    sets.push_back("model.trend_length=" + std::to_string(trend));
    sets.push_back("model.seasonal_length=" + std::to_string(seasonal));
    run.config = config::load_text("preset = \"etth1-336\"", "test", {}, sets).base;
    run.row.state = store::RunState::finished;
    run.row.val_mse = val;
    run.row.test_mse = test;
    run.row.backbone = "openai-gpt2-small";
    return run;
}

std::vector<SettledRun> search_runs() {
    return {
        run_of(0.05, 0.1, 8, 24, 24, 0.70, 0.40),
        run_of(0.01, 0.05, 4, 24, 24, 0.68, 0.45),   // the first stage's best
        run_of(0.1, 0.15, 16, 24, 24, 0.69, 0.30),   // a better test error does not count
        run_of(0.01, 0.05, 4, 96, 48, 0.672, 0.44),  // the choice
        run_of(0.01, 0.05, 4, 192, 12, 0.675, 0.41),
        run_of(0.1, 0.15, 16, 96, 48, 0.5, 0.2),   // other weights than the first stage's best
        run_of(0.01, 0.05, 4, 20, 48, 0.5, 0.2),   // not in the grid
        run_of(0.01, 0.0, 4, 24, 24, 0.5, 0.2),    // likewise: λ_cov = 0
        run_of(0.1, 0.1, 8, 96, 12, 0.671, 0.39),  // the paper's setting
        run_of(0.01, 0.05, 4, 96, 48, 0.1, 0.1),   // an equal run again
    };
}

TuningCell cell_of(const std::vector<SettledRun>& runs) {
    return tuning_of("etth1-336", config::load_text("preset = \"etth1-336\"", "test", {}).base, runs);
}

const TuningCell& cell_of(const TuningTable& table) {
    return *std::find_if(table.cells.begin(), table.cells.end(),
                         [](const auto& cell) { return cell.preset == "etth1-336"; });
}

}  // namespace

class TestTuning : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stages_and_choice() {
        const auto runs = search_runs();
        const auto cell = cell_of(runs);
        QCOMPARE(cell.weights.size(), std::size_t{3});
        QCOMPARE(cell.best_weights, &runs[1]);
        QCOMPARE(cell.lengths.size(), std::size_t{3});  // 24 and 24 are in the second grid, too
        QCOMPARE(cell.paper_run, &runs[8]);
        QCOMPARE(cell.ranked,
                 (std::vector<const SettledRun*>{&runs[3], &runs[4], &runs[1], &runs[2], &runs[0]}));
        QCOMPARE(cell.wanted, 48 + 20 - 1);
    }

    void initial_lengths_outside_the_grid() {
        const auto cell =
            tuning_of("ettm1-96", config::load_text("preset = \"ettm1-96\"", "test", {}).base, {});
        QCOMPARE(initial_lengths("ettm1-96").model.trend_length, 144);
        QCOMPARE(cell.wanted, 48 + 20);
        QVERIFY(cell.best_weights == nullptr && cell.ranked.empty());
    }

    void other_settings_are_other_searches() {
        auto runs = search_runs();
        runs.push_back(run_of(0.01, 0.01, 2, 24, 24, 0.1, 0.1, {"train.epochs=3"}));
        runs.push_back(run_of(0.01, 0.01, 2, 24, 24, 0.1, 0.1, {"train.seed=2022"}));
        runs.push_back(run_of(0.01, 0.01, 2, 24, 24, 0.1, 0.1));
        runs.back().row.state = store::RunState::finished_early;
        QCOMPARE(cell_of(runs).ranked.size(), std::size_t{5});
        // The table has the larger of two searches.
        const auto table = tuning_table(runs);
        QCOMPARE(cell_of(table).ranked.size(), std::size_t{5});
        QCOMPARE(cell_of(table).ranked[0]->row.val_mse, 0.672);
        runs.erase(runs.begin(), runs.begin() + 10);
        runs.push_back(run_of(0.05, 0.01, 2, 24, 24, 0.2, 0.1, {"train.epochs=3"}));
        const auto shorter = tuning_table(runs);
        QCOMPARE(cell_of(shorter).ranked.size(), std::size_t{2});
        QVERIFY(tuning_markdown(shorter).find("other than the paper's: train.epochs = 3.") !=
                std::string::npos);
    }

    /// 0.675 / 0.672 = +0.45 %; 0.675 is within one per cent, 0.68 is not.
    void table_shows_both_choices() {
        const auto texts = tuning_texts(tuning_table(search_runs()));
        const auto& markdown = texts.at("tuning.md");
        const auto has = [&](const std::string& words) { return markdown.find(words) != std::string::npos; };
        const QString plain = QString::fromStdString(markdown).replace(QRegularExpression(" +"), " ");
        QVERIFY2(
            plain.contains("| ETTh1 | 336 | search | 0.01 | 0.05 | 4 | 96 | 48 | 0.6720 | 0.4400 | 5 of 67 "
                           "| +0.45 % | 1 |"),
            qPrintable(plain));
        QVERIFY(plain.contains("| ETTh1 | 336 | paper | 0.1 | 0.1 | 8 | 96 | 12 | 0.6710 | 0.3900 | | | |"));
        QVERIFY(plain.contains("| Weather | 96 | paper | 0.1 | 0.15 | 2 | 96 | 48 | – | – | | | |"));
        QVERIFY(has("validation MSE only") && has("960 combinations") && has("GPT-2, as in the paper"));
        QVERIFY(texts.at("tuning.csv").find("etth1-336,search,0.01,0.05,4,96,48,0.672,0.44,5,67,0.675,1,") !=
                std::string::npos);
        QVERIFY(texts.at("tuning.tex").find("\\resizebox{") != std::string::npos);
        QCOMPARE(tuning_table({}).cells.size(), std::size_t{24});
    }
};

TEST_MAIN_WITHOUT_GUI(TestTuning)
#include "test_tuning.moc"
