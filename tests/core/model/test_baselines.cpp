// Models without a backbone: their arithmetic against sums in double. Of every model: its runs, and what
// descriptors promise.
#include <map>
#include <random>

#include <torch/torch.h>
#include <QtTest>

#include "config/experiment.h"
#include "core/train/train_fixture.h"
#include "data/calendar_step.h"
#include "folder_test.h"
#include "golden/model_golden.h"
#include "inspect/window_embeddings.h"
#include "model/decomposition.h"
#include "model/descriptor.h"
#include "model/dlinear.h"
#include "model/factory.h"
#include "store/hdf5_file.h"
#include "test_program.h"

using namespace casp;
using casp::test::run_in;
namespace fs = std::filesystem;

namespace {

at::Tensor random_windows(std::int64_t batch, std::int64_t rows, std::int64_t channels) {
    std::mt19937_64 random(7);
    std::normal_distribution<float> normal;
    auto values = at::empty({batch, rows, channels});
    for (auto* v = values.data_ptr<float>(); v != values.data_ptr<float>() + values.numel(); ++v)
        *v = normal(random);
    return values;
}

at::Tensor tensor_named(const model::Forecaster& model, const std::string& name) {
    for (const auto& tensor : model.trainable())
        if (tensor.name == name) return tensor.value;
    qFatal("no tensor %s", name.c_str());
    return {};
}

config::Config dlinear_settings(std::int64_t lookback, std::int64_t horizon, std::int64_t moving_avg,
                                bool individual = false) {
    config::Config config;
    config.data.lookback = lookback;
    config.data.horizon = horizon;
    config.dlinear = {moving_avg, individual};
    return config;
}

/// DLinear of one row, in double and without LibTorch: moving average with both ends repeated, two dot
/// products.
std::vector<double> dlinear_by_hand(const std::vector<double>& x, std::int64_t length,
                                    const at::Tensor& seasonal_weight, const at::Tensor& seasonal_bias,
                                    const at::Tensor& trend_weight, const at::Tensor& trend_bias) {
    const auto n = static_cast<std::int64_t>(x.size());
    std::vector<double> trend(x.size());
    for (std::int64_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::int64_t j = i - length / 2; j <= i + length / 2; ++j)
            sum += x[static_cast<std::size_t>(std::clamp<std::int64_t>(j, 0, n - 1))];
        trend[static_cast<std::size_t>(i)] = sum / static_cast<double>(length);
    }
    std::vector<double> forecast;
    for (std::int64_t h = 0; h < seasonal_bias.size(0); ++h) {
        double value = seasonal_bias[h].item<double>() + trend_bias[h].item<double>();
        for (std::int64_t i = 0; i < n; ++i) {
            const auto step = static_cast<std::size_t>(i);
            value += seasonal_weight[h][i].item<double>() * (x[step] - trend[step]) +
                     trend_weight[h][i].item<double>() * trend[step];
        }
        forecast.push_back(value);
    }
    return forecast;
}

}  // namespace

class TestBaselines : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        csv_ = test::write_csv(folder("series.csv"), test::small_rows, test::small_channels);
    }

    void dlinear_equals_sums_in_double_data() {
        QTest::addColumn<bool>("individual");
        QTest::addColumn<int>("moving_avg");
        QTest::newRow("shared") << false << 25;
        QTest::newRow("longer than the look-back") << false << 61;
        QTest::newRow("individual") << true << 5;
    }
    void dlinear_equals_sums_in_double() {
        QFETCH(bool, individual);
        QFETCH(int, moving_avg);
        const std::int64_t lookback = 40, horizon = 6, channels = 3, batch = 2;
        model::DLinear model(dlinear_settings(lookback, horizon, moving_avg, individual), channels);
        const torch::NoGradGuard no_gradient;
        torch::manual_seed(3);
        for (const auto& tensor : model.trainable()) tensor.value.normal_();
        const auto windows = random_windows(batch, lookback, channels);
        const auto found = model.forward(windows, nullptr, false).prediction;
        QCOMPARE(found.sizes().vec(), (std::vector<std::int64_t>{batch, horizon, channels}));
        for (std::int64_t b = 0; b < batch; ++b)
            for (std::int64_t m = 0; m < channels; ++m) {
                const auto layer = [&](const std::string& part) {
                    return part + "." + (individual ? std::to_string(m) + "." : "");
                };
                std::vector<double> x;
                for (std::int64_t i = 0; i < lookback; ++i) x.push_back(windows[b][i][m].item<double>());
                const auto expected =
                    dlinear_by_hand(x, moving_avg, tensor_named(model, layer("Linear_Seasonal") + "weight"),
                                    tensor_named(model, layer("Linear_Seasonal") + "bias"),
                                    tensor_named(model, layer("Linear_Trend") + "weight"),
                                    tensor_named(model, layer("Linear_Trend") + "bias"));
                for (std::int64_t h = 0; h < horizon; ++h)
                    QVERIFY(std::abs(found[b][h][m].item<double>() - expected[static_cast<std::size_t>(h)]) <
                            2e-5);
            }
    }

    /// DLinear computes one product; its gradients are those of the two layers on trend and season.
    void dlinear_trains_both_layers() {
        for (const std::int64_t lookback : {1, 2, 7, 40})
            for (const std::int64_t moving_avg : {1, 3, 25}) {
                model::DLinear model(dlinear_settings(lookback, 6, moving_avg), 3);
                torch::manual_seed(4);
                std::map<std::string, at::Tensor> own;
                for (const auto& tensor : model.trainable()) {
                    tensor.value.data().normal_();
                    own[tensor.name] = tensor.value.detach().clone().set_requires_grad(true);
                }
                const auto windows = random_windows(2, lookback, 3);
                const auto [trend, season] = model::moving_average_parts(windows.transpose(1, 2), moving_avg);
                const auto expected =
                    at::linear(season, own.at("Linear_Seasonal.weight"), own.at("Linear_Seasonal.bias")) +
                    at::linear(trend, own.at("Linear_Trend.weight"), own.at("Linear_Trend.bias"));
                expected.square().mean().backward();
                model.forward(windows, nullptr, false).prediction.square().mean().backward();
                for (const auto& tensor : model.trainable())
                    QVERIFY2(at::allclose(tensor.value.grad(), own.at(tensor.name).grad(), 1e-4, 1e-6),
                             tensor.name.c_str());
            }
    }

    void dlinear_begins_as_the_public_code() {
        const model::DLinear model(dlinear_settings(50, 4, 25), 1);
        QVERIFY(tensor_named(model, "Linear_Seasonal.weight").eq(1.0F / 50).all().item<bool>());
        QVERIFY(tensor_named(model, "Linear_Trend.weight").eq(1.0F / 50).all().item<bool>());
        const auto bias = tensor_named(model, "Linear_Seasonal.bias");
        QVERIFY(bias.abs().max().item<double>() <= 1 / std::sqrt(50.0) &&
                bias.abs().max().item<double>() > 0);
        QVERIFY(!at::equal(bias, tensor_named(model, "Linear_Trend.bias")));
        QCOMPARE(model.trainable().size(), std::size_t{4});
    }

    void seasons_of_frequencies() {
        const std::pair<double, std::int64_t> expected[] = {
            {60, 1440},        {600, 144},         {900, 96},          {3600, 24},
            {86400, 7},        {7 * 86400.0, 52},  {30 * 86400.0, 12}, {31 * 86400.0, 12},
            {91 * 86400.0, 4}, {365 * 86400.0, 1}, {7 * 3600.0, 0},    {0, 0}};
        for (const auto& [seconds, rows] : expected) QCOMPARE(data::season_of({seconds}), rows);
    }

    /// The estimate's number of parameters is that of the model it describes, for every model.
    void estimates_count_the_parameters() {
        for (const auto& descriptor : model::descriptors()) {
            if (descriptor.name == "python") continue;  // the user's file: test_python_model
            auto config = test::small_config(csv_);
            config.model.name = descriptor.name;
            for (const bool individual : {false, true}) {
                config.dlinear.individual = individual;
                const auto made = model::make_model(config, {.channels = 3, .step = {3600}});
                const auto e = model::estimate(config, {.rows = 3, .channels = 3});
                QCOMPARE(e.parameters_trainable, model::count_elements(made->trainable()));
                QCOMPARE(e.parameters_total, e.parameters_trainable + model::count_elements(made->frozen()));
                const auto has = descriptor.capabilities(config);
                QCOMPARE(has.anchors, made->anchors() != nullptr);
                QCOMPARE(has.trains, !made->trainable().empty() && made->closed_form() == nullptr);
                QCOMPARE(has.embeddings, made->embedding_width() > 0);
            }
        }
        config::Config etth1;
        etth1.model.name = "dlinear";
        QCOMPARE(model::estimate(etth1, {.rows = 7, .channels = 7}).parameters_trainable, 98496);
        etth1.model.name = "ofa";
        QCOMPARE(model::estimate(etth1, {.rows = 7, .channels = 7}).parameters_trainable, 5538144);
        for (const auto* name : {"casp-llm", "s2ip-llm"}) {
            etth1.model.name = name;
            QCOMPARE(model::estimate(etth1, {.rows = 7, .channels = 7}).parameters_trainable, 52871600);
        }
    }

    void every_model_runs_data() {
        QTest::addColumn<QString>("name");
        for (const auto& descriptor : model::descriptors())
            if (descriptor.name != "python")  // the user's file: test_python_model
                QTest::newRow(descriptor.name.data()) << QString::fromUtf8(descriptor.name.data());
    }
    void every_model_runs() {
        QFETCH(QString, name);
        const auto config = settings(name.toStdString());
        const auto has = model::capabilities(config);
        const auto place = folder("every") / name.toStdString();
        fs::create_directories(place.parent_path());
        const auto row = run_in(place, config);
        QCOMPARE(row.state, store::RunState::finished);
        QCOMPARE(row.model, name.toStdString());
        QCOMPARE(row.backbone, std::string(has.backbone ? "untrained" : "none"));
        QCOMPARE(row.steps, has.trains ? 10 : 0);
        QVERIFY(row.test_mse > 0 && row.val_mse > 0);
        QCOMPARE(std::isnan(row.usage_entropy), !has.anchors);
        QCOMPARE(std::isnan(row.lambda_cov), !has.coverage);
        const auto record = test::record_of(place);
        QCOMPARE(record.steps.terms.size(), has.anchors ? std::size_t{1} + std::size_t{has.coverage}
                                                        : model::descriptor(config).terms.size());
        QCOMPARE(record.anchors.usage_test.empty(), !has.anchors);
        QVERIFY(row.last_value_mse == record.test->last_value_mse);
        if (name == "naive") QCOMPARE(row.test_mse, row.last_value_mse);
        // Readers of run.h5 find the terms of the paper's model in every run.
        const auto file = store::Hdf5File::open(place / "run.h5");
        QVERIFY(file.exists("/history/step/similarity") && file.exists("/history/step/coverage"));
        // A finished run is left alone, and the resolved settings read back.
        QCOMPARE(run_in(place, config).test_mse, row.test_mse);
        const auto written = config::load_text(test::bytes_of(place / "config.toml"), "config.toml", {}).base;
        for (const auto& difference :
             config::differences(written, config))  // sections of other models are not written
            QVERIFY2(!model::reads(config, *config::find_option(difference.key)), difference.key.c_str());
        const auto again = folder("again") / name.toStdString();
        fs::create_directories(again.parent_path());
        run_in(again, config);
        VERIFY_SAME_RUN(again, place);
    }

    /// Dropout acts in training only, and is that of seed and step. A forecast does not depend on the other
    /// windows of its batch, nor on other channels unless the model mixes them.
    void forecasts_repeat_data() { every_model_runs_data(); }
    void forecasts_repeat() {
        QFETCH(QString, name);
        const auto config = settings(name.toStdString());
        const auto has = model::capabilities(config);
        const auto model = model::make_model(config, {.channels = 3, .step = {3600}});
        const auto windows = random_windows(2, config.data.lookback, 3);
        const auto target = random_windows(2, config.data.horizon, 3);
        const torch::NoGradGuard no_gradient;
        const auto evaluate = [&](const at::Tensor& some) {
            return model->forward(some, nullptr, false).prediction;
        };
        const auto evaluated = evaluate(windows);
        QVERIFY(at::equal(evaluated, evaluate(windows)));
        const auto compare = [&](const at::Tensor& alone, const at::Tensor& among_others) {
            QVERIFY(at::allclose(alone, among_others, 1e-4, 1e-5));
            test::compare_golden("alone", alone, among_others, 1e-5);
        };
        compare(evaluate(windows.slice(0, 1)), evaluated.slice(0, 1));
        if (!has.mixes_channels) compare(evaluate(windows.slice(2, 1, 2)), evaluated.slice(2, 1, 2));
        const auto train = [&](std::uint64_t seed, std::int64_t number) {
            const model::TrainingStep step{seed, number, target};
            return model->forward(windows, &step, false).prediction;
        };
        const bool drops = has.trains && name != "dlinear";
        const auto trained = train(1, 0);
        QVERIFY(at::equal(trained, train(1, 0)));
        QCOMPARE(at::equal(trained, evaluated), !drops);
        QCOMPARE(at::equal(trained, train(1, 1)), !drops);
        QCOMPARE(at::equal(trained, train(2, 0)), !drops);
    }

    void seasonal_naive_needs_a_season() {
        auto config = settings("seasonal-naive");
        config.data.lookback = 20;
        QVERIFY(test::says(test::error_of([&] { run_in(folder("short"), config); }), "24 rows does not fit"));
        QVERIFY(test::says(test::error_of([&] { (void)model::make_model(config, {.channels = 1}); }),
                           "no time column"));
        QVERIFY(!fs::exists(folder("short")));
    }

    void individual_layers_need_all_channels() {
        auto config = settings("dlinear");
        config.dlinear.individual = true;
        config.data.batching = "single-channel";
        QVERIFY(test::says(test::error_of([&] { run_in(folder("single"), config); }), "multi-channel"));
    }

    void interrupted_runs_resume_to_the_same_bits() {
        for (const std::string name : {"dlinear", "patchtst", "itransformer", "autoformer", "fedformer",
                                       "calf", "ofa", "naive", "ridge"}) {
            auto config = settings(name);
            if (name == "ofa") {
                config.ofa.network = "points";
                config.ofa.d_model = 16;
                config.ofa.d_ff = 8;
                config.backbone.positions = 64;
                config.loss.forecast = "smape";
            }
            run_in(folder("whole-" + name), config);
            test::Probe probe;
            probe.at_step = [&](const train::StepReport& report) {
                if (report.step == 7) probe.stop.ask(train::StopRequest::interrupt);
            };
            probe.at_progress = [&](const Progress& progress) {
                if (progress.stage == (name == "ridge" ? Stage::fitting : Stage::validating) &&
                    name != "dlinear")
                    probe.stop.ask(train::StopRequest::interrupt);
            };
            const auto cut = folder("cut-" + name);
            const auto row = probe.run(cut, config);
            QCOMPARE(row.state, store::RunState::interrupted);
            QCOMPARE(run_in(cut, config, true).state, store::RunState::finished);
            VERIFY_SAME_RUN(cut, folder("whole-" + name));
        }
    }

    /// Dates reach the model in training and evaluation.
    void itransformer_reads_the_dates() {
        auto config = settings("itransformer");
        const auto with = run_in(folder("with dates"), config);
        config.data_csv.time_column = "none";
        const auto without = run_in(folder("without dates"), config);
        QCOMPARE(without.state, store::RunState::finished);
        QVERIFY(without.val_mse != with.val_mse && without.test_mse != with.test_mse);
    }

    /// Errors of some windows and one channel, computed again from the weights, are those of the evaluation.
    void itransformer_is_inspected_with_its_dates() {
        const auto place = folder("inspected");
        run_in(place, settings("itransformer"));
        inspect::EmbeddingRequest request;
        request.run = place;
        request.device = "cpu";
        const auto stored = inspect::compute_embeddings(request);
        fs::remove(place / "arrays.h5");
        request.windows = 5;
        request.channels = {2};
        const auto found = inspect::compute_embeddings(request);
        QCOMPARE(found.mse.size(), std::size_t{5});
        for (std::size_t i = 0; i < found.mse.size(); ++i) {
            const auto expected =
                stored.mse.at(static_cast<std::size_t>(found.windows[i] * test::small_channels + 2));
            QVERIFY(std::abs(found.mse[i] - expected) < 1e-4F * expected);
        }
    }

    void settings_of_other_models_are_refused() {
        const auto load = [](const std::string& toml) { return config::load_text(toml, "x.toml", {}); };
        const auto error = test::error_of([&] { (void)load("[dlinear]\nmoving_avg = 5\n"); });
        QVERIFY(test::says(error, "x.toml:2:1") && test::says(error, "setting of the model \"dlinear\"") &&
                test::says(error, "model.name = \"casp-llm\""));
        QVERIFY(test::says(
            test::error_of([&] { (void)load("[model]\nname=\"dlinear\"\n[dlinear]\nmoving_avg = 4\n"); }),
            "an odd integer"));
        // One run of a sweep that uses them is enough.
        const auto swept =
            load("[dlinear]\nmoving_avg = 5\n[sweep]\n\"model.name\" = [\"naive\", \"dlinear\"]\n");
        const auto again = load(config::to_toml(swept));
        QCOMPARE(again.base.dlinear.moving_avg, 5);
        QVERIFY(config::to_toml(config::Config()).find("[dlinear]") == std::string::npos);
    }

    void checks_are_the_models_own() {
        auto config = settings("dlinear");
        config.model.patch_length = 4000;
        config.model.top_k = 5000;
        QVERIFY(config::contradictions(config).empty());
        config.model.name = "casp-llm";
        QVERIFY(config::contradictions(config).size() >= 2);
        config.model.name = "dlinear";
        config.run.store_embeddings = true;
        QCOMPARE(config::contradictions(config).size(), std::size_t{1});
        QVERIFY(!model::reads(config, *config::find_option("coverage.decay")));
        QVERIFY(model::reads(config, *config::find_option("dlinear.moving_avg")));
        QVERIFY(model::reads(config, *config::find_option("train.epochs")));
    }

    void forecast_loss_and_epochs_are_read_where_they_have_an_effect() {
        for (const auto& descriptor : model::descriptors()) {
            const std::string name(descriptor.name);
            const auto config = settings(name);
            const auto read = [&](const char* key) {
                return model::reads(config, *config::find_option(key));
            };
            const bool trains = name != "ridge" && name != "naive" && name != "seasonal-naive";
            QVERIFY2(read("loss.forecast") == (trains && name != "calf"), name.c_str());
            for (const char* key : {"train.epochs", "train.learning_rate", "train.optimizer"})
                QVERIFY2(read(key) == trains, name.c_str());
            for (const char* key : {"train.batch_size", "train.seed", "train.continue_from"})
                QVERIFY2(read(key), name.c_str());
        }
    }

    void disabled_components_do_not_read_their_settings() {
        auto config = settings("casp-llm");
        const auto read = [&](const char* key) { return model::reads(config, *config::find_option(key)); };
        QVERIFY(read("coverage.decay") && read("loss.lambda_cov") && read("model.top_k"));
        config.coverage.enabled = false;
        QVERIFY(!read("coverage.decay") && !read("coverage.term") && !read("loss.lambda_cov"));
        QVERIFY(read("coverage.enabled") && read("loss.lambda_sim") && read("model.top_k"));
        config.coverage.enabled = true;
        config.model.prompt = false;
        for (const char* key : {"coverage.enabled", "loss.lambda_sim", "loss.lambda_cov", "selection.rule",
                                "model.top_k", "model.pool_size", "model.anchors"})
            QVERIFY2(!read(key), key);
        QVERIFY(read("model.prompt") && read("model.head_ways") && read("model.decomposition"));
    }

private:
    [[nodiscard]] config::Config settings(const std::string& name) const {
        auto config = test::small_config(csv_);
        config.model.name = name;
        return config;
    }

    std::string csv_;
};

TEST_MAIN_WITHOUT_GUI(TestBaselines)
#include "test_baselines.moc"
