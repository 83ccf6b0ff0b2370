// OFA's network for M4 (ofa.network = "points"): against the oracle, by tensor names, in runs and
// checkpoints.
#include <torch/torch.h>
#include <QtTest>

#include "config/experiment.h"
#include "config/presets.h"
#include "core/train/train_fixture.h"
#include "folder_test.h"
#include "golden/model_golden.h"
#include "model/descriptor.h"
#include "model/factory.h"
#include "model/forecast_losses.h"
#include "model/tensor_file.h"
#include "test_program.h"
#include "train/checkpoint_model.h"
#include "util/random.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

const fs::path points_golden = fs::path(CASP_SOURCE_DIR) / "tests/golden/ofa_points";

/// Look-back 14, horizon 7, 36 wide, with strong dropout.
config::Config small_points(const std::string& kind) {
    config::Config c;
    c.model.name = "ofa";
    c.data.lookback = 14;
    c.data.horizon = 7;
    c.backbone = {"untrained", 2, 36, 4, 50, 24, 0.4, 3, kind};
    c.ofa.network = "points";
    c.ofa.d_model = 20;
    c.ofa.d_ff = 12;
    return c;
}

at::Tensor point_windows() { return at::randn({3, 14, 2}, make_generator(5), at::kFloat) * 50 + 400; }

at::Tensor forecast_of(model::Forecaster& model, const at::Tensor& windows,
                       const model::TrainingStep* step = nullptr) {
    const torch::NoGradGuard no_gradient;
    return model.forward(windows, step, false).prediction;
}

}  // namespace

class TestOfaPoints : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void golden_data() { test::name_rows("name", {"yearly", "odd", "longer_horizon", "block", "none"}); }
    void golden() {
        QFETCH(QString, name);
        const test::ModelGolden golden(points_golden / (name.toStdString() + ".safetensors"));
        auto settings = test::golden_config(golden.config, "ofa");
        settings.ofa.network = "points";
        const auto model = model::make_model(settings, {.collection = true});
        golden.load(*model);
        const auto forecast = test::compare_forecasts(golden, *model);
        QVERIFY(forecast.terms.empty() && !forecast.retrieved.defined());
        const auto loss = model::smape_loss(forecast.prediction, golden.get("target"), golden.get("mask"));
        test::compare_golden("loss", loss, golden.get("loss"), test::forward_bound);
        loss.backward();
        test::compare_step(golden, *model);
    }

    void tensors_are_those_of_the_public_code_data() {
        test::name_rows("frequency", {"yearly", "monthly", "hourly"});
    }
    void tensors_are_those_of_the_public_code() {
        QFETCH(QString, frequency);
        QFile file(QString::fromStdString((points_golden / "state_dict.json").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto all = nlohmann::json::parse(file.readAll().toStdString());
        const auto& expected = all.at(frequency.toStdString());
        const auto preset = "ofa-m4-" + frequency.toStdString();
        const auto config = config::load_text(config::preset_text(preset), preset, {}).base;
        const auto model = model::make_model(config, {.channels = 1, .collection = true});
        nlohmann::json found = nlohmann::json::object();
        for (const auto& list : {model->trainable(), model->frozen()})
            for (const auto& [name, tensor] : list) found[name] = tensor.sizes().vec();
        QVERIFY(found == expected.at("tensors"));
        const auto trainable = expected.at("trainable").get<std::int64_t>();
        QCOMPARE(model::count_elements(model->trainable()), trainable);
        const auto e = model::estimate(config, {.rows = 16});
        QCOMPARE(e.parameters_trainable, trainable);
        QCOMPARE(e.parameters_total, trainable + model::count_elements(model->frozen()));
        QCOMPARE(e.tokens, config.data.lookback + config.data.horizon);
    }

    /// Dropout acts in training only and repeats. That of the embedding remains where GPT-2 is replaced by
    /// nothing.
    void kinds_data() { test::name_rows("kind", {"gpt2", "attention", "block", "none"}); }
    void kinds() {
        QFETCH(QString, kind);
        const auto config = small_points(kind.toStdString());
        QVERIFY(config::contradictions(config).empty());
        const auto model = model::make_model(config, {.channels = 2});
        const auto e = model::estimate(config, {.rows = 6, .channels = 2});
        QCOMPARE(e.parameters_trainable, model::count_elements(model->trainable()));
        QCOMPARE(e.parameters_total, e.parameters_trainable + model::count_elements(model->frozen()));
        const model::TrainingStep first{7, 0}, second{7, 1};
        const auto windows = point_windows();
        const auto evaluation = forecast_of(*model, windows);
        QCOMPARE(evaluation.sizes().vec(), (std::vector<std::int64_t>{3, 7, 2}));
        QVERIFY(at::equal(evaluation, forecast_of(*model, windows)));
        QVERIFY(at::equal(forecast_of(*model, windows, &first), forecast_of(*model, windows, &first)));
        QVERIFY(!at::equal(forecast_of(*model, windows, &first), evaluation));
        QVERIFY(!at::equal(forecast_of(*model, windows, &first), forecast_of(*model, windows, &second)));

        // look() gives what forward() gives, without a forecast: one embedding per time step.
        const torch::NoGradGuard no_gradient;
        const auto seen = model->look(windows);
        const auto whole = model->forward(windows, nullptr, true);
        QVERIFY(!seen.prediction.defined());
        QVERIFY(at::equal(seen.trace->query, whole.trace->query));
        QCOMPARE(seen.trace->patches.sizes().vec(), (std::vector<std::int64_t>{6, e.patches, 36}));
        QCOMPARE(model->embedding_width(), 36);

        // Each channel for itself.
        const auto single = model->forward(windows.slice(2, 1), nullptr, false).prediction;
        QVERIFY(at::allclose(single, evaluation.slice(2, 1), 1e-5, 1e-3));
    }

    void gradients_reach_every_tensor() {
        for (const char* kind : {"gpt2", "block", "none"}) {
            const auto model = model::make_model(small_points(kind), {.channels = 2});
            const model::TrainingStep step{7, 0};
            model->forward(point_windows(), &step, false).prediction.square().sum().backward();
            for (const auto& [name, tensor] : model->trainable())
                QVERIFY2(tensor.grad().defined() && tensor.grad().ne(0).any().item<bool>(), name.c_str());
        }
    }

    void bf16_is_near() {
        auto config = small_points("gpt2");
        const auto full = forecast_of(*model::make_model(config, {.channels = 2}), point_windows()) - 400;
        config.run.precision = "bf16";
        const auto half = forecast_of(*model::make_model(config, {.channels = 2}), point_windows()) - 400;
        const double error = test::golden_error(half, full);
        QVERIFY2(error > 0 && error < 0.05, qPrintable(QString::number(error)));
    }

    void settings_of_the_other_network_are_not_read() {
        const auto reads = [](const config::Config& config, const char* key) {
            return model::reads(config, *config::find_option(key));
        };
        const auto points = small_points("none");
        auto patches = points;
        patches.ofa.network = "patches";
        for (const char* key : {"ofa.d_model", "ofa.d_ff"})
            QVERIFY2(reads(points, key) && !reads(patches, key), key);
        for (const char* key : {"ofa.patch_size", "ofa.stride"})
            QVERIFY2(!reads(points, key) && reads(patches, key), key);
        QVERIFY(reads(points, "ofa.network") && reads(patches, "ofa.network"));
        QVERIFY(reads(points, "backbone.dropout") && !reads(patches, "backbone.dropout"));
        QVERIFY(!reads(points, "backbone.layers"));
        auto other = points;
        other.model.name = "dlinear";
        QVERIFY(!reads(other, "ofa.network"));
    }

    void contradictions_are_found() {
        auto config = small_points("gpt2");
        config.ofa.patch_size = 1000;  // not read
        QVERIFY(config::contradictions(config).empty());
        config.ofa.d_model = 37;
        QCOMPARE(config::contradictions(config).size(), std::size_t{1});
        config.ofa.d_ff = 37;
        QCOMPARE(config::contradictions(config).size(), std::size_t{2});
        config = small_points("gpt2");
        config.data.lookback = 18;  // 25 time steps, 24 positions
        const auto found = config::contradictions(config);
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY2(found[0].found.english().starts_with("25 time steps"), found[0].found.english().c_str());
        config.backbone.kind = "block";  // without positions
        QVERIFY(config::contradictions(config).empty());
    }

    /// The public network has layers that no forecast reads.
    void public_checkpoints_open_without_a_warning() {
        const auto config = small_points("gpt2");
        const auto made = model::make_model(config, {.channels = 2});
        auto tensors = made->trainable();
        {
            const torch::NoGradGuard no_gradient;
            for (const auto& tensor : tensors) tensor.value.add_(0.01);
        }
        for (const auto& tensor : made->frozen()) tensors.push_back(tensor);
        tensors.push_back({"enc_embedding.position_embedding.pe", at::zeros({1, 5000, 20})});
        tensors.push_back({"enc_embedding.temporal_embedding.embed.weight", at::ones({20, 4})});
        for (const char* part : {"weight", "bias"}) {
            tensors.push_back({std::string("predict_linear.") + part, at::ones({1})});
            tensors.push_back({std::string("ln.") + part, at::ones({12})});
        }
        const auto file = folder("public.safetensors");
        model::write_tensors(file, tensors, {{"backbone", "untrained"}});
        test::Probe probe;
        const auto session = train::open_weights(file, config, {.channels = 2}, at::kCPU, probe, probe.stop);
        QVERIFY2(probe.messages.empty(), probe.messages.empty() ? "" : probe.messages.front().c_str());
        QVERIFY(at::equal(forecast_of(*session.model, point_windows()), forecast_of(*made, point_windows())));
    }
};

TEST_MAIN_WITHOUT_GUI(TestOfaPoints)
#include "test_ofa_points.moc"
