// Ranks of models over tasks, and the files ranks.*.

#include <cmath>
#include <filesystem>
#include <stdexcept>

#include <QTemporaryDir>
#include <QtTest>

#include "evidence/batch_tables.h"
#include "evidence/ranks.h"
#include "evidence_test.h"
#include "test_program.h"

using namespace casp;
using namespace casp::evidence;
using casp::test::contains;
using casp::test::content;

namespace {

store::ResultRow run(const std::string& model, const std::string& data, std::int64_t seed, double mse) {
    store::ResultRow row;
    row.state = store::RunState::finished;
    row.model = model;
    row.data = data;
    row.horizon = 96;
    row.seed = seed;
    row.test_mse = mse;
    row.test_mae = -mse;  // the other order
    row.seconds = 10 * mse;
    row.peak_memory = 1000 * seed;
    row.swept = {{"preset", model + "-" + data}, {"train.seed", std::to_string(seed)}};
    return row;
}

/// Three models, two tasks, two seeds; "c" has no run in the second task.
std::vector<store::ResultRow> runs() {
    return {run("a", "X", 1, 0.3), run("a", "X", 2, 0.5), run("b", "X", 1, 0.3), run("b", "X", 2, 0.3),
            run("c", "X", 1, 0.9), run("a", "Y", 1, 0.1), run("b", "Y", 1, 0.2)};
}

/// A run of a case, which sets the model.
store::ResultRow case_run(const std::string& model, const std::string& label, double mse) {
    auto row = run(model, "X", 1, mse);
    row.case_label = label;
    row.swept = {{store::case_key, label}};
    return row;
}

std::vector<std::string> names_of(const RankTable& table) {
    std::vector<std::string> names;
    for (const auto& row : table.rows) names.push_back(row.model);
    return names;
}

const RankRow& row_of(const RankTable& table, const std::string& model) {
    for (const auto& row : table.rows)
        if (row.model == model) return row;
    throw std::invalid_argument(model);
}

}  // namespace

class TestRanks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void means_over_seeds_are_ranked_in_each_task() {
        const auto table = ranks_of(runs(), "test_mse");
        QCOMPARE(table.tasks, (std::vector<std::string>{"X-96", "Y-96"}));
        const auto& a = row_of(table, "a");
        QCOMPARE(a.cells[0].n, std::int64_t{2});
        QVERIFY(std::abs(a.cells[0].mean - 0.4) < 1e-12);
        QCOMPARE(a.cells[0].rank, 2.0);
        QCOMPARE(a.cells[1].rank, 1.0);
        QCOMPARE(row_of(table, "b").cells[0].rank, 1.0);
        QCOMPARE(row_of(table, "c").cells[0].rank, 3.0);
        QVERIFY(std::isnan(row_of(table, "c").cells[1].rank));
    }

    void repeated_run_is_counted_once() {
        auto rows = runs();
        auto again = rows[0];
        again.run += "-2";
        rows.push_back(again);
        const auto before = row_of(ranks_of(runs(), "test_mse"), "a").cells[0];
        const auto after = row_of(ranks_of(rows, "test_mse"), "a").cells[0];
        QCOMPARE(after.n, before.n);
        QCOMPARE(after.mean, before.mean);
    }

    void time_and_memory_are_of_common_tasks() {
        auto rows = runs();
        rows[5].peak_memory = 9000;  // "a" in Y, in which "c" has no run
        const auto table = ranks_of(rows, "test_mse");
        QVERIFY(std::abs(row_of(table, "a").seconds - 10 * (0.3 + 0.5) / 2) < 1e-12);
        QCOMPARE(row_of(table, "a").peak_memory, std::int64_t{2000});
        QVERIFY(contains(rank_note(table), "wall time of a run in these tasks."));
        QVERIFY(contains(rank_note(table), "Comparable for runs on the same computer only."));
        rows.erase(rows.begin() + 4);
        rows.push_back(run("c", "Z", 1, 0.9));
        const auto without = ranks_of(rows, "test_mse");
        QCOMPARE(without.common, std::int64_t{0});
        QVERIFY(std::abs(row_of(without, "a").seconds - 10 * (0.3 + 0.5 + 0.1) / 3) < 1e-12);
        QCOMPARE(row_of(without, "a").peak_memory, std::int64_t{9000});
        QVERIFY(contains(rank_note(without), "(without such a task, of all runs)"));
    }

    void mean_ranks_are_over_common_tasks() {
        const auto table = ranks_of(runs(), "test_mse");
        QCOMPARE(table.common, std::int64_t{1});
        QCOMPARE(table.rows[0].model, std::string("b"));  // Y, in which "a" is better, does not count
        QCOMPARE(table.rows[0].mean_rank, 1.0);
        QCOMPARE(table.rows[1].mean_rank, 2.0);
        QCOMPARE(ranks_of(runs(), "test_mae").rows[0].model, std::string("c"));
    }

    void equal_means_share_their_rank() {
        const auto table =
            ranks_of({run("a", "X", 1, 0.5), run("b", "X", 1, 0.5), run("c", "X", 1, 0.4)}, "test_mse");
        QCOMPARE(row_of(table, "a").mean_rank, 2.5);
        QCOMPARE(row_of(table, "b").mean_rank, 2.5);
        QCOMPARE(row_of(table, "c").mean_rank, 1.0);
    }

    void places_and_deviations() {
        const auto table = ranks_of(runs(), "test_mse");
        const auto& a = row_of(table, "a");
        QCOMPARE(a.cells[0].place, std::int64_t{2});
        QCOMPARE(a.cells[1].place, std::int64_t{1});
        QVERIFY(std::abs(a.cells[0].sd - std::sqrt(0.02)) < 1e-12);
        QVERIFY(std::isnan(a.cells[1].sd));
        QCOMPARE(row_of(table, "b").cells[0].place, std::int64_t{1});
        QCOMPARE(row_of(table, "c").cells[0].place, std::int64_t{3});
        QCOMPARE(row_of(table, "c").cells[1].place, std::int64_t{0});
        // Equal means share their place, and a single model has none.
        const auto tied = ranks_of(
            {run("a", "X", 1, 0.5), run("b", "X", 1, 0.4), run("c", "X", 1, 0.4), run("a", "Y", 1, 0.5)},
            "test_mse");
        QCOMPARE(row_of(tied, "b").cells[0].place, std::int64_t{1});
        QCOMPARE(row_of(tied, "c").cells[0].place, std::int64_t{1});
        QCOMPARE(row_of(tied, "a").cells[0].place, std::int64_t{2});
        QCOMPARE(row_of(tied, "a").cells[1].place, std::int64_t{0});
        QVERIFY(std::isnan(row_of(tied, "a").cells[1].rank));
        QCOMPARE(rank_lines(tied)[3][2], std::string("0.5000"));
        QVERIFY(contains(ranks_csv({tied}), "test_mse,a,Y-96,1,0.5,nan,"));
    }

    void lines() {
        const auto lines = rank_lines(ranks_of(runs(), "test_mse"));
        QCOMPARE(lines.size(), std::size_t{4});
        QCOMPARE(lines[0],
                 (std::vector<std::string>{"model", "X-96", "Y-96", "mean rank", "seconds", "peak memory"}));
        QCOMPARE(lines[2][0], std::string("a"));
        QCOMPARE(lines[2][1], std::string("0.4000 ± 0.1414 (2), n = 2"));
        QCOMPARE(lines[2][2], std::string("0.1000 (1), n = 1"));
        QCOMPARE(lines[3][2], std::string("–"));
    }

    void every_cell_has_its_n_where_they_differ() {
        const auto table = ranks_of(runs(), "test_mse");
        const auto lines = rank_lines(table);
        QCOMPARE(lines[1][1], std::string("0.3000 ± 0.0000 (1), n = 2"));
        QCOMPARE(lines[1][2], std::string("0.2000 (2), n = 1"));  // also where a task's are equal
        QCOMPARE(lines[3][1], std::string("0.9000 (3), n = 1"));
        QVERIFY(contains(rank_note(table), " n: number of runs; n = 1 is the value of a single run"));
        QVERIFY(contains(rank_note(table), "over different seeds"));
        const auto singles = rank_note(ranks_of({run("a", "X", 1, 0.3), run("b", "X", 1, 0.4)}, "test_mse"));
        QVERIFY(contains(singles, "Each error is the value of a single run") && !contains(singles, " n: "));
        const std::vector<store::ResultRow> both{run("a", "X", 1, 0.3), run("a", "X", 2, 0.3),
                                                 run("b", "X", 1, 0.4), run("b", "X", 2, 0.4)};
        QVERIFY(!contains(rank_note(ranks_of(both, "test_mse")), "single run"));
        QCOMPARE(rank_lines(ranks_of(both, "test_mse"))[1][1], std::string("0.3000 ± 0.0000 (1)"));
    }

    void unfinished_runs_do_not_count() {
        auto rows = runs();
        rows[2].state = rows[3].state = store::RunState::finished_early;
        const auto table = ranks_of(rows, "test_mse");
        QCOMPARE(row_of(table, "a").cells[0].rank, 1.0);
        QCOMPARE(row_of(table, "b").cells[0].n, std::int64_t{0});
        QVERIFY(contains(rank_note(table), " Omitted: 2 runs finished early."));
        rows[4].state = store::RunState::queued;
        QVERIFY(contains(rank_note(ranks_of(rows, "test_mse")),
                         " Omitted: 2 runs finished early, 1 run not finished."));
        QVERIFY(!contains(rank_note(ranks_of(runs(), "test_mse")), "Omitted"));
    }

    /// The moving average of DLinear, which the persistence forecast does not have.
    void a_setting_that_not_all_models_read() {
        std::vector<store::ResultRow> rows{run("dlinear", "X", 1, 0.4), run("dlinear", "X", 1, 0.2),
                                           run("naive", "X", 1, 0.3)};
        for (auto& row : rows) row.swept = {{"model.name", row.model}};
        rows[0].swept.emplace_back("dlinear.moving_avg", "5");
        rows[1].swept.emplace_back("dlinear.moving_avg", "25");
        const auto table = ranks_of(rows, "test_mse");
        QCOMPARE(table.tasks, std::vector<std::string>{"X-96"});
        QCOMPARE(names_of(table),
                 (std::vector<std::string>{"dlinear, moving_avg 25", "naive", "dlinear, moving_avg 5"}));
        QCOMPARE(row_of(table, "naive").cells[0].n, std::int64_t{1});
        QVERIFY(has_ranks(table));
    }

    /// The runs of a newcomer: coverage weights and a fork beside a baseline, on one data set.
    void swept_settings_of_a_model_are_no_tasks() {
        std::vector<store::ResultRow> rows;
        const auto add = [&](const std::string& lambda, const std::string& parent, std::int64_t seed) {
            rows.push_back(run("casp-llm", "X", seed, 0.3));
            rows.back().swept = {{"loss.lambda_cov", lambda}, {"train.continue_from", parent}};
        };
        for (const int seed : {1, 2}) {
            add("0", "", seed);
            add("0.1", "", seed);
            rows.push_back(run("dlinear", "X", seed, 0.4));
            rows.back().swept = {{"train.continue_from", ""}};
        }
        add("0.1", "/runs/a/single", 1);
        const auto table = ranks_of(rows, "test_mse");
        QCOMPARE(table.tasks, std::vector<std::string>{"X-96"});
        QCOMPARE(table.common, std::int64_t{1});
        QCOMPARE(table.rows.size(), std::size_t{4});
        QCOMPARE(row_of(table, "dlinear").cells[0].n, std::int64_t{2});
        QCOMPARE(row_of(table, "casp-llm, lambda_cov 0.1").cells[0].n, std::int64_t{2});
        QCOMPARE(row_of(table, "casp-llm, lambda_cov 0.1, continue_from single").cells[0].n, std::int64_t{1});
    }

    void few_shot_runs_are_another_task() {
        std::vector<store::ResultRow> rows{run("a", "X", 1, 0.1), run("b", "X", 1, 0.2)};
        rows[0].swept.emplace_back("data.percent", "100");
        rows[1].swept.emplace_back("data.percent", "10");
        const auto table = ranks_of(rows, "test_mse");
        QCOMPARE(table.tasks, (std::vector<std::string>{"X-96, percent 100", "X-96, percent 10"}));
        QVERIFY(!has_ranks(table));
    }

    void different_lookbacks_are_noted() {
        auto rows = runs();
        for (auto& row : rows) row.lookback = row.data == "X" ? 96 : 720;
        QVERIFY(!contains(rank_note(ranks_of(rows, "test_mse")), "look-back"));
        rows[0].lookback = 336;
        const auto table = ranks_of(rows, "test_mse");
        QCOMPARE(table.tasks.size(), std::size_t{2});
        QVERIFY(contains(rank_note(table), "Runs of the same task differ in look-back (96, 336)."));
    }

    void cases_are_no_tasks() {
        std::vector<store::ResultRow> rows{case_run("ofa", "OFA", 0.1),
                                           case_run("naive", "persistence", 0.3)};
        auto table = ranks_of(rows, "test_mse");
        QCOMPARE(table.tasks, std::vector<std::string>{"X-96"});
        QCOMPARE(names_of(table), (std::vector<std::string>{"ofa", "naive"}));
        // Only a model with several cases has a row for each.
        rows.push_back(case_run("ofa", "OFA, attention", 0.2));
        table = ranks_of(rows, "test_mse");
        QCOMPARE(table.tasks, std::vector<std::string>{"X-96"});
        QCOMPARE(names_of(table), (std::vector<std::string>{"ofa, OFA", "ofa, OFA, attention", "naive"}));
        QCOMPARE(table.rows[2].mean_rank, 3.0);
    }

    void a_run_without_a_case() {
        std::vector<store::ResultRow> rows{case_run("ofa", "OFA", 0.1),
                                           case_run("naive", "persistence", 0.3)};
        rows.push_back(run("naive", "Y", 1, 0.5));
        auto table = ranks_of(rows, "test_mse");
        QCOMPARE(table.tasks, (std::vector<std::string>{"X-96", "Y-96"}));
        QCOMPARE(names_of(table), (std::vector<std::string>{"ofa", "naive"}));
        // In the same data and horizon, it is no repetition of the case.
        rows.push_back(run("naive", "X", 1, 0.2));
        rows.back().swept.clear();
        table = ranks_of(rows, "test_mse");
        QCOMPARE(table.tasks[0], std::string("X-96"));
        QCOMPARE(row_of(table, "naive, persistence").cells[0].rank, 3.0);
        QCOMPARE(row_of(table, "naive").cells[0].rank, 2.0);
    }

    void files() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        (void)write_batch_tables(folder, runs());
        const auto csv = content(folder / "ranks.csv");
        QVERIFY(csv.starts_with(
            "metric,model,task,n,mean,rank,seconds,peak_memory,sd\ntest_mse,b,X-96,2,0.3,1,,,0\n"));
        QVERIFY(csv.find("\ntest_mse,b,all,1,0.3,1,") != std::string::npos);
        QVERIFY(csv.find("\ntest_mse,c,Y-96,0,nan,nan,,,nan\n") != std::string::npos);
        auto known = runs();
        for (auto& run : known)
            run.precision = "fp32", run.backbone = run.model == "b" ? "none" : "untrained";
        (void)write_batch_tables(folder, known);
        const auto named = content(folder / "ranks.csv");
        QVERIFY(
            named.starts_with("metric,model,task,n,mean,rank,seconds,peak_memory,sd,precision,backbone\n"
                              "test_mse,b,X-96,2,0.3,1,,,0,fp32,none\n"));
        QVERIFY(named.find(",nan,fp32,untrained\n") != std::string::npos);
        const auto text = content(folder / "ranks.md");
        QVERIFY(text.find("**0.3000 ± 0.0000 (1), n = 2**") != std::string::npos);
        QVERIFY(text.find("<u>0.4000 ± 0.1414 (2), n = 2</u>") != std::string::npos);
        QVERIFY(text.find("1 of 2 tasks") != std::string::npos);
        const auto latex = content(folder / "ranks.tex");
        QVERIFY(latex.find("\\textbf{0.3000 $\\pm$ 0.0000 (1), n = 2}") != std::string::npos);
        QVERIFY(latex.find("\\underline{0.4000") != std::string::npos);
        QVERIFY(latex.starts_with("% Compile with pdflatex; needs \\usepackage{booktabs,graphicx}.\n"));
        QVERIFY(contains(latex, "\\resizebox{\\ifdim\\width>\\linewidth"));
        const auto table_end = latex.find("\\end{tabular}}}\\par");
        QVERIFY(table_end != std::string::npos && latex.find("Metric: test\\_mse. Mean") > table_end);
        // One model: nothing to rank.
        (void)write_batch_tables(folder, {run("a", "X", 1, 0.3), run("a", "Y", 1, 0.3)});
        QVERIFY(!std::filesystem::exists(folder / "ranks.csv"));
        QVERIFY(!std::filesystem::exists(folder / "ranks.md"));
        QVERIFY(!std::filesystem::exists(folder / "ranks.tex"));
        // Nor where two models have no task in common, or one model several cases.
        (void)write_batch_tables(folder, {run("a", "X", 1, 0.3), run("b", "Y", 1, 0.3)});
        QVERIFY(!std::filesystem::exists(folder / "ranks.csv"));
        (void)write_batch_tables(folder, {case_run("a", "with", 0.3), case_run("a", "without", 0.4)});
        QVERIFY(!std::filesystem::exists(folder / "ranks.csv"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestRanks)
#include "test_ranks.moc"
