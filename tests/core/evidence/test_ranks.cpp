// Ranks of models over tasks, and the files ranks.*.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <QTemporaryDir>
#include <QtTest>

#include "evidence/ranks.h"

using namespace casp;
using namespace casp::evidence;

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

const RankRow& row_of(const RankTable& table, const std::string& model) {
    for (const auto& row : table.rows)
        if (row.model == model) return row;
    throw std::invalid_argument(model);
}

std::string content(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
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
        QVERIFY(std::abs(a.seconds - 10 * (0.3 + 0.5 + 0.1) / 3) < 1e-12);
        QCOMPARE(a.peak_memory, std::int64_t{2000});
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
    }

    void lines() {
        const auto lines = rank_lines(ranks_of(runs(), "test_mse"));
        QCOMPARE(lines.size(), std::size_t{4});
        QCOMPARE(lines[0],
                 (std::vector<std::string>{"model", "X-96", "Y-96", "mean rank", "seconds", "peak memory"}));
        QCOMPARE(lines[2][0], std::string("a"));
        QCOMPARE(lines[2][1], std::string("0.4000 ± 0.1414 (2)"));
        QCOMPARE(lines[2][2], std::string("0.1000 (1)"));
        QCOMPARE(lines[3][2], std::string("–"));
    }

    void unfinished_runs_do_not_count() {
        auto rows = runs();
        rows[2].state = rows[3].state = store::RunState::finished_early;
        const auto table = ranks_of(rows, "test_mse");
        QCOMPARE(row_of(table, "a").cells[0].rank, 1.0);
        QCOMPARE(row_of(table, "b").cells[0].n, std::int64_t{0});
    }

    void a_case_that_names_a_model_is_no_task() {
        std::vector<store::ResultRow> rows{run("a", "X", 1, 0.1), run("b", "X", 1, 0.2)};
        for (auto& row : rows) {
            row.case_label = "model " + row.model;
            row.swept = {{store::case_key, row.case_label}};
        }
        QCOMPARE(ranks_of(rows, "test_mse").tasks, std::vector<std::string>{"X-96"});
        rows.push_back(run("a", "X", 1, 0.3));
        rows.back().case_label = "another";
        rows.back().swept = {{store::case_key, "another"}};
        QCOMPARE(ranks_of(rows, "test_mse").tasks.size(), std::size_t{3});
    }

    void files() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        write_ranks(folder, runs());
        const auto csv = content(folder / "ranks.csv");
        QVERIFY(csv.starts_with(
            "metric,model,task,n,mean,rank,seconds,peak_memory,sd\ntest_mse,b,X-96,2,0.3,1,,,0\n"));
        QVERIFY(csv.find("\ntest_mse,b,all,1,0.3,1,") != std::string::npos);
        QVERIFY(csv.find("\ntest_mse,c,Y-96,0,nan,nan,,,nan\n") != std::string::npos);
        const auto text = content(folder / "ranks.md");
        QVERIFY(text.find("**0.3000 ± 0.0000 (1)**") != std::string::npos);
        QVERIFY(text.find("<u>0.4000 ± 0.1414 (2)</u>") != std::string::npos);
        QVERIFY(text.find("1 of 2 tasks") != std::string::npos);
        const auto latex = content(folder / "ranks.tex");
        QVERIFY(latex.find("\\textbf{0.3000 $\\pm$ 0.0000 (1)}") != std::string::npos);
        QVERIFY(latex.find("\\underline{0.4000") != std::string::npos);
        // One model: nothing to rank.
        write_ranks(folder, {run("a", "X", 1, 0.3), run("a", "Y", 1, 0.3)});
        QVERIFY(!std::filesystem::exists(folder / "ranks.csv"));
        QVERIFY(!std::filesystem::exists(folder / "ranks.md"));
        QVERIFY(!std::filesystem::exists(folder / "ranks.tex"));
    }
};

QTEST_GUILESS_MAIN(TestRanks)
#include "test_ranks.moc"
