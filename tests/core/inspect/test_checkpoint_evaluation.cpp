// Checkpoints on other data, without training.
#include <QtTest>

#include "config/experiment.h"
#include "core/train/train_fixture.h"
#include "folder_test.h"
#include "inspect/checkpoint_evaluation.h"
#include "store/results.h"
#include "test_program.h"

using namespace casp;
namespace fs = std::filesystem;

#define VERIFY_SAME_METRICS(a, b)                                    \
    do {                                                             \
        const auto difference = casp::test::metric_difference(a, b); \
        QVERIFY2(difference.empty(), difference.c_str());            \
    } while (false)

namespace {

/// The same tensors without the metadata, as another program would save them.
void strip_metadata(const fs::path& from, const fs::path& to) {
    const store::SafetensorsFile file(from);
    std::vector<store::TensorSpec> specs;
    for (const auto& view : file.tensors()) specs.push_back({view.name, view.dtype, view.shape});
    store::SafetensorsWriter writer(to, specs);
    for (const auto& view : file.tensors()) {
        std::vector<std::byte> bytes(view.nbytes);
        store::read_bytes(view, bytes);
        writer.write(view.name, bytes.data(), bytes.size());
    }
    writer.finish();
}

const std::vector<std::string> shape_settings{
    "data.lookback=48",      "data.horizon=12",       "backbone.layers=1",
    "backbone.width=24",     "backbone.heads=2",      "backbone.vocabulary=100",
    "backbone.positions=32", "model.trend_length=13", "model.seasonal_length=12",
    "model.pool_size=30",    "model.top_k=4",         "train.batch_size=32",
    "run.device=\"cpu\"",    "run.threads=1"};

}  // namespace

class TestCheckpointEvaluation : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        csv_ = test::write_csv(folder("series.csv"), test::small_rows, test::small_channels);
        other_csv_ = test::write_csv(folder("other.csv"), 280, 2, -0.01);
        fs::create_directories(folder("batch"));
        auto config = settings();
        config.run.store_embeddings = true;
        trained_ = test::run_in(folder("batch") / "single", config);
    }

    void own_data_gives_the_runs_own_metrics() {
        const auto row = evaluate(folder("batch") / "single", csv_);
        QCOMPARE(QString::fromStdString(row.run), QString("batch-single_series"));
        QVERIFY(row.state == store::RunState::finished);
        QVERIFY(test::same_bits(row.test_mse, trained_.test_mse));
        QVERIFY(test::same_bits(row.test_mae, trained_.test_mae));
        QVERIFY(test::same_bits(row.val_mse, trained_.val_mse));
        QCOMPARE(QString::fromStdString(row.backbone), QString("untrained"));
        const auto run = test::record_of(folder("batch") / "single"), found = record(row);
        VERIFY_SAME_METRICS(*found.test, *run.test);
        VERIFY_SAME_METRICS(*found.val, *run.val);
        QVERIFY(found.anchors.usage_test == run.anchors.usage_test);
        QVERIFY(found.steps.step.empty());
        // What a run stores of the test windows is stored here, too.
        const auto place = folder("out") / "evaluations" / row.run / "run.h5";
        const auto mine = store::read_forecast(place, "test");
        const auto theirs = store::read_forecast(folder("batch") / "single" / "run.h5", "test");
        QVERIFY(test::same_bits(mine.prediction, theirs.prediction));
        QVERIFY(mine.retrieved == theirs.retrieved);
        QVERIFY(test::same_bits(store::read_embedding(place, "test").series,
                                store::read_embedding(folder("batch") / "single" / "run.h5", "test").series));
        QVERIFY(fs::exists(folder("out") / "evaluations" / row.run / "config.toml"));
        QVERIFY(fs::exists(folder("out") / "evaluations" / row.run / "run.json"));
        // The data may be left out: it is the run's.
        QVERIFY(test::same_bits(evaluate(folder("batch") / "single" / "", "").test_mse, trained_.test_mse));
    }

    void omitted_frozen_weights_are_made_again() {
        auto config = settings();
        config.run.frozen_weights = "omit";
        const auto row = test::run_in(folder("batch") / "omitted", config);
        QVERIFY(test::same_bits(row.test_mse, trained_.test_mse));
        QVERIFY(test::same_bits(evaluate(folder("batch") / "omitted", csv_).test_mse, trained_.test_mse));
    }

    void another_file() {
        const auto row = evaluate(folder("batch") / "single", other_csv_);
        QCOMPARE(QString::fromStdString(row.data), QString("other"));
        QVERIFY(row.test_mse > 0 && std::isfinite(row.test_mse));
        QVERIFY(row.test_mse != trained_.test_mse);
        const auto found = record(row);
        QCOMPARE(found.test->mse_per_channel.size(), std::size_t{2});
        // The scaler is that of the other file's training rows (196 of 280).
        double mean = 0;
        for (int r = 0; r < 196; ++r) mean += test::cell(r, 1, -0.01) / 196;
        QVERIFY(std::abs(found.data.mean[1] - mean) < 1e-5);  // the file has five decimals
        // 280 rows: 196, 28 and 56, so 45 test windows.
        QCOMPARE(
            store::read_forecast_shape(folder("out") / "evaluations" / row.run / "arrays.h5", "test").windows,
            std::int64_t{45});
    }

    /// Files of one name in two folders, and two settings of one file, do not replace each other's results.
    void different_evaluations_have_separate_folders() {
        fs::create_directories(folder("two"));
        const auto csv =
            test::write_csv(folder("two/series.csv"), test::small_rows + 20, test::small_channels);
        const auto first = evaluate(folder("batch") / "single", csv_);
        QCOMPARE(QString::fromStdString(first.run), QString("batch-single_series"));
        const auto second = evaluate(folder("batch") / "single", csv);
        QCOMPARE(QString::fromStdString(second.run), QString("batch-single_series-2"));
        QVERIFY(second.test_mse != first.test_mse);
        QVERIFY(test::same_bits(record(first).test->mse, first.test_mse));
        QVERIFY(test::same_bits(record(second).test->mse, second.test_mse));
        // The same again takes its former place.
        QCOMPARE(evaluate(folder("batch") / "single", csv).run, second.run);
        QCOMPARE(evaluate(folder("batch") / "single", csv_).run, first.run);
        // Also where a run.json is lost: run.h5 knows which one it is.
        fs::remove(folder("out") / "evaluations" / first.run / "run.json");
        QCOMPARE(evaluate(folder("batch") / "single", csv).run, second.run);
        QVERIFY(test::same_bits(record(first).test->mse, first.test_mse));
        QCOMPARE(evaluate(folder("batch") / "single", csv_).run, first.run);
        QVERIFY(fs::exists(folder("out") / "evaluations" / first.run / "run.json"));
    }

    void former_result_stays_until_the_new_one_is_whole() {
        const auto row = evaluate(folder("batch") / "single", csv_);
        const auto place = folder("out") / "evaluations" / row.run;
        std::ofstream(place / "marks.json") << "{}";
        const auto content = [&] {
            std::map<std::string, std::string> files;
            for (const auto& entry : fs::recursive_directory_iterator(place))
                if (entry.path().filename() != ".lock")
                    files[entry.path().filename().string()] =
                        entry.is_regular_file() ? test::bytes_of(entry.path()) : "a folder";
            return files;
        };
        const auto before = content();
        QCOMPARE(before.size(), std::size_t{5});
        test::Probe probe;
        train::StopControl stop;
        probe.at_progress = [&](const Progress& progress) {
            if (progress.stage == StageOf(Stage::evaluating, "test")) stop.ask(train::StopRequest::interrupt);
        };
        const auto error = test::error_of([&] {
            (void)inspect::evaluate_checkpoint({folder("batch") / "single", csv_, folder("out"), {}}, probe,
                                               stop);
        });
        QVERIFY(error.kind() == ErrorKind::interrupted);
        QVERIFY(content() == before);
        QVERIFY(test::same_bits(evaluate(folder("batch") / "single", csv_).test_mse, row.test_mse));
        const auto after = content();
        QCOMPARE(after.size(), before.size());
        QVERIFY(after.at("marks.json") == "{}");
        QVERIFY2(after.at("run.json") != before.at("run.json"), "it was not made anew");
    }

    void unused_tensors_are_reported() {
        // Our own file of two blocks, read as one of one: the second block is not used.
        auto config = settings();
        config.backbone.layers = 2;
        config.train.max_steps = 1;
        test::run_in(folder("batch") / "deeper", config);
        const auto told = [&](const std::vector<std::string>& sets) {
            test::Probe probe;
            train::StopControl stop;
            (void)inspect::evaluate_checkpoint({folder("batch") / "deeper", csv_, folder("out"), sets}, probe,
                                               stop);
            for (const auto& text : probe.messages)
                if (text.find("that this model does not have") != std::string::npos) return text;
            return std::string();
        };
        QCOMPARE(QString::fromStdString(told({})), QString());
        const auto text = told({"backbone.layers=1"});
        QVERIFY2(text.find("12 tensors") != std::string::npos &&
                     text.find("gpt2.h.1.") != std::string::npos &&
                     text.find("and 9 more") != std::string::npos,
                 text.c_str());
    }

    void odd_file_names() {
        const auto csv = test::write_csv(folder("a \"b\" \\ ü.csv"), test::small_rows, test::small_channels);
        QVERIFY(test::same_bits(evaluate(folder("batch") / "single", csv).test_mse, trained_.test_mse));
    }

    void checkpoint_file_contains_its_configuration() {
        fs::copy_file(folder("batch") / "single" / "best.safetensors", folder("alone.safetensors"));
        const auto row = evaluate(folder("alone.safetensors"), csv_);
        QCOMPARE(QString::fromStdString(row.run), QString("alone_series"));
        QVERIFY(test::same_bits(row.test_mse, trained_.test_mse));
        QCOMPARE(QString::fromStdString(row.backbone), QString("untrained"));
    }

    void file_without_metadata_takes_settings() {
        const auto bare = folder("bare.safetensors");
        strip_metadata(folder("batch") / "single" / "best.safetensors", bare);
        const auto row = evaluate(bare, csv_, shape_settings);
        QVERIFY(test::same_bits(row.test_mse, trained_.test_mse));
        QCOMPARE(QString::fromStdString(row.backbone), QString("unknown-checkpoint"));
        // Nobody's defaults: without any word on what it is, the file is named and what it lacks.
        for (const auto& sets : {std::vector<std::string>{},
                                 std::vector<std::string>{"run.device=\"cpu\"", "train.batch_size=32"}}) {
            const auto refused = test::error_of([&] { (void)evaluate(bare, csv_, sets); });
            QVERIFY(refused.kind() == ErrorKind::input);
            QVERIFY2(test::says(refused, "bare.safetensors: it carries no settings") &&
                         test::says(refused, "--set data.lookback="),
                     refused.what());
        }
        // Without data there is nothing to evaluate on.
        const auto error = test::error_of([&] { (void)evaluate(bare, "", shape_settings); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, "--data"));
    }

    void wrong_shape_is_named() {
        const auto bare = folder("bare.safetensors");
        auto sets = shape_settings;
        sets.emplace_back("model.pool_size=31");
        const auto pool = test::error_of([&] { (void)evaluate(bare, csv_, sets); });
        QVERIFY(pool.kind() == ErrorKind::input);
        QVERIFY(test::says(pool, "prompt_pool.text_prototype_linear.weight") &&
                test::says(pool, "[30, 100]") && test::says(pool, "[31, 100]"));
        sets = shape_settings;
        sets.emplace_back("backbone.vocabulary=101");
        const auto table = test::error_of([&] { (void)evaluate(bare, csv_, sets); });
        QVERIFY(table.kind() == ErrorKind::input);
        QVERIFY(test::says(table, "wte.weight") && test::says(table, "[100, 24]"));
        sets = shape_settings;
        sets.emplace_back("data.horizon=10");
        const auto head = test::error_of([&] { (void)evaluate(bare, csv_, sets); });
        QVERIFY(head.kind() == ErrorKind::input);
        QVERIFY(test::says(head, "out_layer.weight"));
        sets = shape_settings;
        sets.emplace_back("backbone.layers=2");
        const auto block = test::error_of([&] { (void)evaluate(bare, csv_, sets); });
        QVERIFY(block.kind() == ErrorKind::input);
        QVERIFY(test::says(block, "h.1."));
    }

    void folder_without_weights() {
        fs::create_directories(folder("empty"));
        const auto error = test::error_of([&] { (void)evaluate(folder("empty"), csv_); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, "best.safetensors"));
        const auto missing = test::error_of([&] { (void)evaluate(folder("no.safetensors"), csv_); });
        QVERIFY(missing.kind() == ErrorKind::input);
        QVERIFY(test::says(missing, "no.safetensors"));
    }

    void single_channel_run() {
        auto config = settings();
        config.data.batching = "single-channel";
        config.train.epochs = 1;
        const auto row = test::run_in(folder("batch") / "single_channel", config);
        QVERIFY(test::same_bits(evaluate(folder("batch") / "single_channel", csv_).test_mse, row.test_mse));
    }

    void settings_change_the_split() {
        const auto row = evaluate(folder("batch") / "single", csv_, {"data.split=[210, 30, 30]"});
        QCOMPARE(
            store::read_forecast_shape(folder("out") / "evaluations" / row.run / "arrays.h5", "test").windows,
            std::int64_t{19});
        // The first 19 of the run's own test windows.
        const auto fewer = store::read_forecast(folder("out") / "evaluations" / row.run / "run.h5", "test");
        const auto whole = store::read_forecast(folder("batch") / "single" / "run.h5", "test", 0, 19);
        QVERIFY(fewer.start == whole.start);
        for (std::size_t i = 0; i < fewer.prediction.size(); ++i)
            QVERIFY(std::abs(fewer.prediction[i] - whole.prediction[i]) < 1e-5F);
    }

    void split_and_batching_of_a_preset_are_for_its_file() {
        auto config = settings();
        config.preset = "electricity-96";
        config.data.split.rule = "ratio";
        config.data.batching = "single-channel";
        config.train.epochs = 1;
        const auto run = folder("batch") / "of_preset";
        test::run_in(run, config);
        const auto used = [&](const fs::path& checkpoint, const std::string& data,
                              const std::vector<std::string>& sets = {}) {
            const auto row = evaluate(checkpoint, data, sets);
            return config::load_text(record(row).attributes.config, "run.h5", {}).base.data;
        };
        const auto other = used(run, other_csv_);
        QCOMPARE(other.batching, std::string("auto"));
        QCOMPARE(other.split.rule, std::string("auto"));
        const auto given = used(run, other_csv_, {"data.batching=multi-channel"});
        QCOMPARE(given.batching, std::string("multi-channel"));
        QCOMPARE(given.split.rule, std::string("auto"));
        // A renamed copy of the run's data keeps them, also with the checkpoint file alone.
        const auto copy = folder("renamed.csv");
        fs::copy_file(csv_, copy);
        QCOMPARE(used(run, copy.string()).batching, std::string("single-channel"));
        QCOMPARE(used(run / "best.safetensors", copy.string()).split.rule, std::string("ratio"));
        QCOMPARE(used(run / "best.safetensors", other_csv_).batching, std::string("auto"));
        // What the experiment gave itself stays.
        config.data.split = {"rows", {180, 28, 70}};
        test::run_in(folder("batch") / "of_preset_and_rows", config);
        const auto rows = used(folder("batch") / "of_preset_and_rows", other_csv_);
        QCOMPARE(rows.split.rule, std::string("rows"));
        QCOMPARE(rows.batching, std::string("auto"));
        // A preset named on the command line: its split needs 14,400 rows.
        auto sets = shape_settings;
        sets.emplace_back("preset=etth1-96");
        QVERIFY(
            test::same_bits(evaluate(folder("bare.safetensors"), csv_, sets).test_mse, trained_.test_mse));
    }

private:
    [[nodiscard]] config::Config settings() const { return test::small_config(csv_); }
    [[nodiscard]] store::ResultRow evaluate(const fs::path& checkpoint, const std::string& data,
                                            const std::vector<std::string>& sets = {}) const {
        test::Probe probe;
        train::StopControl stop;
        return inspect::evaluate_checkpoint({checkpoint, data, folder("out"), sets}, probe, stop);
    }
    [[nodiscard]] store::RunRecord record(const store::ResultRow& row) const {
        return test::record_of(folder("out") / "evaluations" / row.run);
    }

    std::string csv_, other_csv_;
    store::ResultRow trained_;
};

TEST_MAIN_WITHOUT_GUI(TestCheckpointEvaluation)
#include "test_checkpoint_evaluation.moc"
