// What the runs of a batch are compared by, their tasks, and the files comparisons.*.

#include <cmath>
#include <stdexcept>

#include <QtTest>

#include "evidence/batch_tables.h"
#include "evidence_test.h"
#include "test_program.h"

using namespace casp;
using namespace casp::evidence;
using casp::test::content;
using casp::test::Settings;

namespace {

store::ResultRow row(Settings swept, double test_mse, const std::string& data = "ETTh1",
                     std::int64_t horizon = 96) {
    store::ResultRow r;
    r.state = store::RunState::finished;
    r.data = data;
    r.horizon = horizon;
    for (const auto& [key, text] : swept)
        if (key == "train.seed")
            r.seed = std::stoll(text);
        else if (key == "loss.lambda_cov")
            r.lambda_cov = std::stod(text);
    r.test_mse = test_mse;
    r.test_mae = test_mse / 2;
    r.swept = std::move(swept);
    return r;
}

/// λ_cov 0 and 0.1 with two seeds, in the order of the sweep.
std::vector<store::ResultRow> small_sweep() {
    std::vector<store::ResultRow> rows;
    for (const char* lambda : {"0", "0.1"})
        for (const char* seed : {"1", "2"})
            rows.push_back(row({{"loss.lambda_cov", lambda}, {"train.seed", seed}},
                               0.5 + std::stod(lambda) * std::stod(seed)));
    return rows;
}

}  // namespace

class TestBatchComparisons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void contrast() {
        const auto found = contrasts_of(small_sweep());
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY(found[0].key == "loss.lambda_cov" && found[0].base == "0");
        auto reversed = small_sweep();
        std::reverse(reversed.begin(), reversed.end());
        QCOMPARE(contrasts_of(reversed).at(0).base, std::string("0.1"));
        QVERIFY(contrasts_of({}).empty());
        QVERIFY(contrasts_of({row({{"train.seed", "1"}}, 1), row({{"train.seed", "2"}}, 1)}).empty());
        // What makes a task is not compared; a key with one value neither.
        const auto second = contrasts_of(
            {row({{"data.path", "a"}, {"preset", "x"}, {"model.prompt", "true"}, {"model.top_k", "4"}}, 1),
             row({{"data.path", "b"}, {"preset", "y"}, {"model.prompt", "true"}, {"model.top_k", "8"}}, 1)});
        QVERIFY(second.at(0).key == "model.top_k" && second[0].base == "4");
        // Cases go first, wherever they are; then the first other key.
        const auto cases = contrasts_of({row({{"model.top_k", "4"}, {"case", "plain"}}, 1),
                                         row({{"model.top_k", "8"}, {"case", "plain"}}, 1),
                                         row({{"model.top_k", "4"}, {"case", "other"}}, 1)});
        QCOMPARE(cases.size(), std::size_t{2});
        QVERIFY(cases[0].key == "case" && cases[0].base == "plain");
        QVERIFY(cases[1].key == "model.top_k" && cases[1].base == "4");
        QVERIFY(is_comparable("data.lookback") && is_comparable("model.name") && is_comparable("preset"));
        for (const char* key : {"train.seed", "data.path", "data.horizon", "data.split"})
            QVERIFY2(!is_comparable(key), key);
    }

    void tasks() {
        const std::vector<store::ResultRow> rows{
            row({{"loss.lambda_cov", "0"}, {"model.top_k", "4"}, {"train.epochs", "1"}}, 1),
            row({{"loss.lambda_cov", "0"}, {"model.top_k", "8"}, {"train.epochs", "1"}}, 1),
            row({{"loss.lambda_cov", "0"}, {"model.top_k", "8"}, {"train.epochs", "1"}}, 1, "Weather", 720)};
        QCOMPARE(task_names(rows, "loss.lambda_cov"),
                 (std::vector<std::string>{"ETTh1-96, top_k 4", "ETTh1-96, top_k 8", "Weather-720"}));
        QCOMPARE(task_names(rows, "model.top_k"),
                 (std::vector<std::string>{"ETTh1-96", "ETTh1-96", "Weather-720"}));
        // Names that would be equal.
        const std::vector<store::ResultRow> same{
            row({{"data.path", "a/x.csv"}, {"train.seed", "1"}}, 1, "x"),
            row({{"data.path", "b/x.csv"}, {"train.seed", "1"}}, 1, "x"),
        };
        QCOMPARE(task_names(same, "case"), (std::vector<std::string>{"a/x.csv-96", "b/x.csv-96"}));
        const std::vector<store::ResultRow> seeds{row({{"backbone.seed", "1"}, {"x.seed", "5"}}, 1),
                                                  row({{"backbone.seed", "2"}, {"x.seed", "5"}}, 1)};
        QCOMPARE(task_names(seeds, "case").front(), std::string("ETTh1-96, backbone.seed 1"));
    }

    /// Two presets of one data set and horizon, and one of another.
    void presets_of_models_are_one_task() {
        const auto run = [](const char* preset, const char* model, const char* seed,
                            std::int64_t horizon = 96) {
            return row({{"preset", preset}, {"train.seed", seed}, {"model.name", model}}, 0.5, "ETTh1",
                       horizon);
        };
        std::vector<store::ResultRow> rows;
        for (const char* seed : {"1", "2"}) {
            rows.push_back(run("etth1-96", "casp-llm", seed));
            rows.push_back(run("etth1-192", "casp-llm", seed, 192));
            rows.push_back(run("dlinear-etth1-96", "dlinear", seed));
        }
        auto only_presets = rows;
        for (auto& of_preset : only_presets) of_preset.swept.pop_back();
        for (const auto& [key, base] :
             {std::pair("model.name", "casp-llm"), std::pair("preset", "etth1-96")}) {
            const auto& runs = key == std::string("preset") ? only_presets : rows;
            const auto names = task_names(runs, key);
            QVERIFY(names[0] == "ETTh1-96" && names[1] == "ETTh1-192" && names[2] == "ETTh1-96");
            const auto compared = compare_rows(runs, {key, base}, {"test_mse"});
            QCOMPARE(compared.size(), std::size_t{1});
            QCOMPARE(compared[0].n, std::int64_t{2});
        }
        // Other settings may follow from a preset: it stays part of the task.
        QCOMPARE(task_names(rows, "train.epochs").front(),
                 std::string("ETTh1-96, preset etth1-96, name casp-llm"));
        // So it does where a model has two presets, which only one could be paired with.
        rows.push_back(run("other-etth1-96", "dlinear", "1"));
        QCOMPARE(task_names(rows, "model.name")[2], std::string("ETTh1-96, preset dlinear-etth1-96"));
        QCOMPARE(task_names(rows, "model.name")[1], std::string("ETTh1-192"));
    }

    /// λ_cov 0 and 0.1, each with and without coverage.
    void without_coverage_is_a_value_of_lambda() {
        std::vector<store::ResultRow> rows;
        for (const char* enabled : {"true", "false"})
            for (auto run : small_sweep()) {
                run.swept.insert(run.swept.begin(), {"coverage.enabled", enabled});
                if (enabled[0] == 'f') {
                    run.lambda_cov = store::not_known;
                    run.test_mse = 0.75;
                }
                rows.push_back(std::move(run));
            }
        QCOMPARE(values_of(rows, "loss.lambda_cov"),
                 (std::vector<std::string>{"0", "0.1", "without coverage"}));
        const auto compared = compare_rows(rows, {"loss.lambda_cov", "0"}, {"test_mse"});
        QCOMPARE(compared.size(), std::size_t{2});
        QVERIFY(compared[0].other == "0.1" && compared[0].n == 2 && compared[0].task == "ETTh1-96");
        QVERIFY(compared[1].other == "without coverage" && compared[1].n == 2);
        QCOMPARE(compared[1].mean_other, 0.75);
        // As another setting of the task, λ_cov pairs what has the same value.
        QCOMPARE(compare_rows(rows, {"coverage.enabled", "true"}, {"test_mse"}).size(), std::size_t{2});
    }

    /// λ_cov of CASP-LLM; the other models have none.
    void a_run_without_a_setting_is_paired_with_each_of_its_values() {
        std::vector<store::ResultRow> rows;
        for (const char* seed : {"1", "2"}) {
            for (const char* lambda : {"0", "0.1"}) {
                rows.push_back(row(
                    {{"model.name", "casp-llm"}, {"loss.lambda_cov", lambda}, {"train.seed", seed}}, 0.5));
                rows.back().lambda_cov = std::stod(lambda);
            }
            for (const char* model : {"dlinear", "naive"})
                rows.push_back(row({{"model.name", model}, {"train.seed", seed}}, 0.4));
        }
        const auto tasks = [&](const Contrast& contrast) {
            std::vector<std::string> names;
            for (const auto& compared : compare_rows(rows, contrast, {"test_mse"})) {
                names.push_back(compared.task + ": " + compared.other);
                if (compared.n != 2) names.push_back("not two pairs");
            }
            return names;
        };
        QCOMPARE(tasks({"model.name", "casp-llm"}),
                 (std::vector<std::string>{"ETTh1-96, lambda_cov 0: dlinear", "ETTh1-96, lambda_cov 0: naive",
                                           "ETTh1-96, lambda_cov 0.1: dlinear",
                                           "ETTh1-96, lambda_cov 0.1: naive"}));
        // Neither has λ_cov: one pair of models.
        QCOMPARE(tasks({"model.name", "naive"}),
                 (std::vector<std::string>{"ETTh1-96, lambda_cov 0: casp-llm",
                                           "ETTh1-96, lambda_cov 0.1: casp-llm", "ETTh1-96: dlinear"}));
        QCOMPARE(tasks({"loss.lambda_cov", "0"}), (std::vector<std::string>{"ETTh1-96, name casp-llm: 0.1"}));
        // A single value distinguishes no tasks.
        std::erase_if(rows, [](const auto& one) { return one.swept[1].second == "0.1"; });
        QCOMPARE(tasks({"model.name", "casp-llm"}),
                 (std::vector<std::string>{"ETTh1-96: dlinear", "ETTh1-96: naive"}));
        // Other channels are another task.
        QVERIFY(compare_rows({row({{"data.columns", "OT"}, {"case", "a"}}, 1), row({{"case", "b"}}, 1)},
                             {"case", "a"}, {"test_mse"})
                    .empty());
    }

    void only_finished_runs_count() {
        auto rows = small_sweep();
        rows[3].state = store::RunState::finished_early;
        const auto compared = compare_rows(rows, {"loss.lambda_cov", "0"}, {"test_mse", "test_mae"});
        QCOMPARE(compared.size(), std::size_t{2});
        QVERIFY(compared[0].metric == "test_mse" && compared[1].metric == "test_mae");
        QCOMPARE(compared[0].n, std::int64_t{1});
        QVERIFY(std::abs(compared[0].delta - 0.1) < 1e-12 && std::abs(compared[1].delta - 0.05) < 1e-12);
        QVERIFY_EXCEPTION_THROWN((void)outcomes_of(rows, "loss.lambda_cov", "mse"), std::invalid_argument);
    }

    void unpaired_runs_are_reported() {
        const auto with_lambda = [](const char* lambda, const char* seed, const char* data = "ETTh1") {
            return row({{"loss.lambda_cov", lambda}, {"train.seed", seed}}, 0.5, data);
        };
        const Contrast contrast{"loss.lambda_cov", "0"};
        auto rows = small_sweep();
        QVERIFY(unpaired_runs(rows, contrast, "test_mse").empty());
        for (const char* seed : {"3", "4"}) rows.push_back(with_lambda("0.5", seed));
        QCOMPARE(unpaired_runs(rows, contrast, "test_mse"),
                 (std::vector<Phrase>{"loss.lambda_cov = 0.5: 2 runs are not compared: ETTh1-96: no seed "
                                      "in common with 0 (3, 4 against 1, 2)"}));
        rows.push_back(with_lambda("0.1", "1", "Weather"));
        rows.push_back(with_lambda("0.1", "1", "Traffic"));
        const auto more = unpaired_runs(rows, contrast, "test_mse");
        QCOMPARE(more.size(), std::size_t{2});
        QCOMPARE(more[0], std::string("loss.lambda_cov = 0.1: 2 of 4 runs are not compared: Weather-96: no "
                                      "run with 0; and in 1 more task"));
        // One that failed has no results; one without a value of the key cannot be compared by it.
        rows = small_sweep();
        rows[3].state = store::RunState::failed;
        rows.push_back(row({{"train.seed", "1"}}, 0.5));
        rows.back().lambda_cov = 0.3;
        rows[2].test_mse = std::nan("");
        QCOMPARE(unpaired_runs(rows, contrast, "test_mse"),
                 (std::vector<Phrase>{
                     "loss.lambda_cov = 0.1: 1 run is not compared: ETTh1-96: the metric is unknown",
                     "1 of 4 runs is not compared: no loss.lambda_cov"}));
    }

    void metrics() {
        const auto names = metric_names();
        for (const char* name : {"val_mse", "test_mse", "test_mae", "usage_entropy", "key_cosine"})
            QVERIFY2(std::find(names.begin(), names.end(), name) != names.end(), name);
        for (const char* name : {"run", "epochs", "lambda_cov", "seed"})
            QVERIFY2(std::find(names.begin(), names.end(), name) == names.end(), name);
    }

    void files() {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        const auto rows = write_batch_tables(folder, small_sweep()).comparisons;
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(content(folder / "comparisons.csv"), comparisons_csv(rows));
        QCOMPARE(content(folder / "comparisons.md"), comparisons_markdown(rows));
        QCOMPARE(content(folder / "comparisons.tex"), comparisons_latex(rows));
        // A batch without a pair has none, nor those of an earlier sweep.
        auto unpaired = small_sweep();
        unpaired.erase(unpaired.begin() + 1, unpaired.begin() + 3);
        QVERIFY(write_batch_tables(folder, unpaired).comparisons.empty());
        for (const char* name : {"comparisons.csv", "comparisons.md", "comparisons.tex"})
            QVERIFY2(!std::filesystem::exists(folder / name), name);
    }
};

TEST_MAIN_WITHOUT_GUI(TestBatchComparisons)
#include "test_batch_comparisons.moc"
