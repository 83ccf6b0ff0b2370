// Runs whose losses and errors are over some channels (data.targets), against runs whose channels were
// selected.
#include <QtTest>

#include "core/train/train_fixture.h"
#include "data/prepared.h"
#include "data/series_collection.h"
#include "folder_test.h"
#include "inspect/window_embeddings.h"
#include "run/preparation.h"
#include "store/run_file.h"
#include "test_program.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

double relative(double a, double b) { return std::abs(a - b) / std::abs(b); }

}  // namespace

class TestTargets : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        csv_ = test::write_csv(folder("series.csv"), test::small_rows, test::small_channels);
    }

    void all_channels_named_are_all_channels() {
        const auto record = run("named", settings("casp-llm", {"c2", "c0", "c1"}));
        run("none_named", settings("casp-llm", {}));
        VERIFY_SAME_RUN(folder("named"), folder("none_named"));
        QVERIFY(record.data.input_names.empty());
        QCOMPARE(record.data.channel_names, (Names{"c0", "c1", "c2"}));
    }

    void a_model_of_single_channels_is_trained_on_the_target_data() {
        test::name_rows("model", {"dlinear", "ridge", "naive", "seasonal-naive"});
    }

    /// It forecasts each channel alone: reading others changes nothing but the rounding.
    void a_model_of_single_channels_is_trained_on_the_target() {
        QFETCH(QString, model);
        auto config = settings(model.toStdString());
        const auto targets = run("target_" + model.toStdString(), config);
        config.data.targets.clear();
        config.data.columns = {"c2"};
        const auto columns = run("column_" + model.toStdString(), config);
        QCOMPARE(targets.steps.forecast.size(), columns.steps.forecast.size());
        for (std::size_t i = 0; i < targets.steps.forecast.size(); ++i)
            QVERIFY(relative(targets.steps.forecast[i], columns.steps.forecast[i]) < 1e-5);
        QVERIFY2(relative(targets.test->mse, columns.test->mse) < 1e-5,
                 qPrintable(QString("%1 %2").arg(targets.test->mse).arg(columns.test->mse)));
        QVERIFY(relative(targets.test->mae, columns.test->mae) < 1e-5);
        QCOMPARE(targets.test->last_value_mse, columns.test->last_value_mse);
        QVERIFY(relative(targets.val->mse, columns.val->mse) < 1e-5);
    }

    void single_channel_batches_are_windows_of_targets() {
        auto config = settings("casp-llm", {"c0", "c2"});
        config.data.batching = "single-channel";
        const auto targets = run("single_targets", config);
        config.data.columns = std::exchange(config.data.targets, {});
        const auto columns = run("single_columns", config);
        // ⌈2 · 151 / 32⌉ steps in each of two epochs.
        QCOMPARE(targets.steps.step.size(), std::size_t{20});
        QVERIFY(test::same_bits(targets.steps.forecast, columns.steps.forecast));
        QVERIFY(test::same_bits(targets.steps.total, columns.steps.total));
        QVERIFY(relative(targets.test->mse, columns.test->mse) < 1e-5);
        QCOMPARE(targets.data.channel_names, columns.data.channel_names);
        QCOMPARE(targets.data.mean, columns.data.mean);
    }

    void a_model_of_all_channels_reads_them_all() {
        auto config = settings("itransformer");
        const auto all = run("reads_all", config);
        // The other channels' values matter ...
        config.data.path =
            test::write_csv(folder("steeper.csv"), test::small_rows, test::small_channels, 0.5);
        {
            std::ifstream first(csv_), second(config.data.path);
            std::ofstream mixed(folder("mixed.csv"));
            for (std::string a, b; std::getline(first, a) && std::getline(second, b);)
                mixed << b.substr(0, b.rfind(',')) << a.substr(a.rfind(',')) << "\n";
        }
        config.data.path = folder("mixed.csv").string();
        const auto other = run("reads_others", config);
        QCOMPARE(other.data.mean, all.data.mean);
        QCOMPARE(other.test->last_value_mse, all.test->last_value_mse);
        QVERIFY(relative(other.steps.forecast[0], all.steps.forecast[0]) > 1e-5);
        // ... and what is lost on them does not: the loss is that of a slice of the forecast.
        QVERIFY(relative(all.steps.forecast[0], run("all", settings("itransformer", {})).steps.forecast[0]) >
                1e-3);
        QCOMPARE(all.test->mse_per_channel.size(), std::size_t{1});
        QVERIFY(relative(all.test->mse_per_channel[0], all.test->mse) < 1e-12);
    }

    void every_model_runs_data() {
        test::name_rows("model", {"casp-llm", "s2ip-llm", "patchtst", "itransformer", "autoformer",
                                  "fedformer", "ofa", "calf", "tempo"});
    }

    void every_model_runs() {
        QFETCH(QString, model);
        auto config = settings(model.toStdString(), {"c0", "c2"});
        config.train.epochs = 1;
        config.train.max_steps = 2;
        config.run.store_forecasts = {"test"};
        config.patchtst.d_model = config.patchtst.d_ff = config.itransformer.d_model = 16;
        config.itransformer.d_ff = 16;
        const auto record = run("every_" + model.toStdString(), config);
        QVERIFY(std::isfinite(record.test->mse) && std::isfinite(record.steps.total.at(0)));
        QCOMPARE(record.test->mse_per_channel.size(), std::size_t{2});
        const auto forecast =
            store::read_forecast(folder("every_" + model.toStdString()) / "arrays.h5", "test");
        QCOMPARE(forecast.channels, std::int64_t{2});
        double mse = 0;
        for (const auto value : forecast.mse) mse += value / static_cast<double>(forecast.mse.size());
        QVERIFY(relative(mse, record.test->mse) < 1e-5);
    }

    void the_files_of_a_run() {
        auto config = settings("casp-llm", {"c2", "c0"});
        config.run.store_forecasts = {"test"};
        config.run.store_embeddings = config.run.store_similarity = true;
        config.run.snapshot_steps = 5;
        const auto row = test::run_in(folder("files"), config);
        QCOMPARE(row.data, std::string("series (2 of 3 channels)"));
        const auto record = test::record_of(folder("files"));
        // In file order, with the scaler of each; what the model reads is beside it.
        QCOMPARE(record.data.channel_names, (Names{"c0", "c2"}));
        QCOMPARE(record.data.input_names, (Names{"c0", "c1", "c2"}));
        QCOMPARE(record.data.mean,
                 (std::vector<double>{record.data.input_mean[0], record.data.input_mean[2]}));
        QCOMPARE(record.data.std, (std::vector<double>{record.data.input_std[0], record.data.input_std[2]}));
        const auto prepared = *data::prepare_data(config);
        QCOMPARE(record.data.input_mean, prepared.scaler.mean);
        const auto sum = [](const auto& values) {
            return std::accumulate(values.begin(), values.end(), std::int64_t{0});
        };
        QCOMPARE(sum(record.anchors.usage_test), test::test_windows * 2 * 4);
        // Training retrieves for all channels that are read.
        QCOMPARE(sum(record.anchors.usage_train), 2 * test::train_windows * 3 * 4);
        const auto arrays = folder("files") / "arrays.h5";
        const auto forecast = store::read_forecast(arrays, "test");
        QCOMPARE(forecast.channels, std::int64_t{2});
        const auto h = static_cast<std::size_t>(config.data.horizon);
        const auto first = static_cast<std::size_t>(prepared.plan.test.target_begin);
        for (std::size_t i = 0; i < h; ++i)
            for (std::size_t t = 0; t < 2; ++t) {
                const auto c = t == 0 ? 0U : 2U;
                const auto truth = static_cast<float>(
                    (prepared.table.columns[c].values[first + i] - prepared.scaler.mean[c]) /
                    prepared.scaler.std[c]);
                QCOMPARE(forecast.truth[i * 2 + t], truth);
            }
        QCOMPARE(test::run_in(folder("one"), settings("naive")).data, std::string("series (c2)"));
    }

    void embeddings_are_those_of_the_targets() {
        inspect::EmbeddingRequest request;
        request.run = folder("files");
        request.device = "cpu";
        const auto e = inspect::compute_embeddings(request);
        const auto arrays = folder("files") / "arrays.h5";
        const auto stored = store::read_embedding(arrays, "test");
        const auto forecast = store::read_forecast(arrays, "test");
        QCOMPARE(e.channels, (std::vector<std::int64_t>{0, 1}));
        QCOMPARE(e.rows, test::test_windows * 2);
        QVERIFY(test::same_bits(e.series, stored.series));
        QVERIFY(test::same_bits(e.prompt, stored.prompt));
        QVERIFY(test::same_bits(e.retrieved, forecast.retrieved));
        QVERIFY(test::same_bits(e.mse, forecast.mse));
        QVERIFY(e.usage == test::record_of(folder("files")).anchors.usage_test);
        // One channel of them, which is the second target and the third that the model reads.
        request.channels = {1};
        const auto one = inspect::compute_embeddings(request);
        QCOMPARE(one.rows, test::test_windows);
        for (std::size_t w = 0; w < static_cast<std::size_t>(test::test_windows); ++w) {
            for (std::size_t i = 0; i < 24; ++i)
                QVERIFY(std::abs(one.series[w * 24 + i] - stored.series[(w * 2 + 1) * 24 + i]) < 1e-4);
            QCOMPARE(one.residual[w], e.residual[w * 2 + 1]);
            QCOMPARE(one.mse[w], e.mse[w * 2 + 1]);
        }
        request.channels = {2};
        QVERIFY(test::says(test::error_of([&] { (void)inspect::compute_embeddings(request); }),
                           "there is no channel 2"));
        // The snapshots of training have the same rows.
        const auto snapshot = store::read_embedding(arrays, "val", "5");
        QCOMPARE(std::ssize(snapshot.channels), std::ptrdiff_t{2});
        QCOMPARE(std::ssize(snapshot.series), std::ssize(snapshot.windows) * 2 * 24);
    }

    void the_settings_are_part_of_the_run() {
        auto other = settings("casp-llm", {"c0"});
        const auto text = run::difference_text(settings("casp-llm", {"c2", "c0"}), other, true, {});
        QVERIFY2(text.find("data.targets was [\"c2\", \"c0\"], is now [\"c0\"]") != std::string::npos,
                 text.c_str());
    }

    void wrong_targets_are_named() {
        const auto error = [&](config::Config config) {
            return test::error_of([&] { (void)data::prepare_data(config); });
        };
        const auto unknown = error(settings("naive", {"c2", "c22"}));
        QVERIFY(test::says(unknown, "data.targets"));
        QVERIFY(test::says(unknown, "there is no channel \"c22\""));
        QVERIFY(test::says(unknown, "The nearest name is \"c2\"."));
        auto config = settings("naive", {"c2"});
        config.data.columns = {"c0", "c1"};
        QVERIFY(test::says(error(config),
                           "there is no channel \"c2\" in " + csv_ + " among those of data.columns"));
        // A channel that is left out for its missing cells.
        {
            std::ifstream whole(csv_);
            std::ofstream holes(folder("holes.csv"));
            int line = 0;
            for (std::string text; std::getline(whole, text);)
                holes << (line++ == 9 ? text.substr(0, text.rfind(',') + 1) : text) << "\n";
        }
        config = settings("naive", {"c2"});
        config.data.path = folder("holes.csv").string();
        config.data.missing = "drop-column";
        QVERIFY(test::says(error(config), "left out for its missing cells"));
        config.data.missing = "interpolate";
        QCOMPARE(data::prepare_data(config)->targets, std::vector<std::int64_t>{2});
        QCOMPARE(data::prepare_targets(config).table.columns.size(), std::size_t{1});
        // A collection has no channels.
        {
            std::ofstream collection(folder("collection.csv"));
            collection << "unique_id,ds,y\n";
            for (int series = 0; series < 3; ++series)
                for (int i = 0; i < 40; ++i)
                    collection << "S" << series << "," << 1950 + i << "," << i % 7 << "\n";
        }
        config = settings("naive", {"c2"});
        config.data.path = folder("collection.csv").string();
        config.data.frequency = "Yearly";
        QVERIFY(test::says(error(config), "data.targets = […] applies to tables"));
    }

private:
    [[nodiscard]] config::Config settings(const std::string& model = "dlinear",
                                          Names targets = {"c2"}) const {
        auto config = test::small_config(csv_);
        config.model.name = model;
        config.data.targets = std::move(targets);
        return config;
    }
    store::RunRecord run(const std::string& name, const config::Config& config) const {
        test::run_in(folder(name), config);
        return test::record_of(folder(name));
    }

    std::string csv_;
};

TEST_MAIN_WITHOUT_GUI(TestTargets)
#include "test_targets.moc"
