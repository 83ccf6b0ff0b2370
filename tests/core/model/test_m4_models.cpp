// Every model with the settings of its M4 presets, in small: windows of M4's shapes, zeros before a series,
// masked targets. Losses that only M4 has.
#include <torch/torch.h>
#include <QtTest>

#include "config/experiment.h"
#include "config/presets.h"
#include "model/descriptor.h"
#include "model/factory.h"
#include "model/forecast_losses.h"
#include "model/forecaster.h"
#include "test_program.h"
#include "train/objective.h"
#include "util/error.h"
#include "util/random.h"

using namespace casp;

namespace {

std::vector<std::string> m4_presets() {
    std::vector<std::string> names;
    for (const auto& name : config::preset_names())
        if (name.starts_with("m4-") || name.find("-m4-") != std::string::npos) names.push_back(name);
    return names;
}

/// The preset with the smallest widths.
config::Config small(const std::string& preset) {
    auto c = config::load_text(config::preset_text(preset), preset, {}).base;
    c.backbone.path = "untrained";
    c.backbone.layers = 1;
    c.backbone.width = 36;
    c.backbone.heads = 2;
    c.backbone.vocabulary = 97;
    c.backbone.positions = 600;
    c.model.pool_size = 20;
    c.ofa.d_model = c.ofa.d_ff = 30;
    c.patchtst.d_model = c.itransformer.d_model = c.autoformer.d_model = c.fedformer.d_model = 32;
    c.patchtst.d_ff = c.itransformer.d_ff = c.autoformer.d_ff = c.fedformer.d_ff = 20;
    return c;
}

std::int64_t season_of(const config::Config& config) {
    const auto& frequency = config.data.frequency;
    return frequency == "Quarterly" ? 4 : frequency == "Monthly" ? 12 : frequency == "Hourly" ? 24 : 1;
}

/// Four series: one that begins within its window, one that ends within its horizon, and a constant one.
struct Windows {
    at::Tensor lookback, target, mask;
};

Windows windows_of(const config::Config& config) {
    const auto length = config.data.lookback, horizon = config.data.horizon;
    const auto steps = at::randn({4, length + horizon, 1}, make_generator(11), at::kFloat) * 30;
    const auto values = (steps.cumsum(1) + 500).abs() + 10;
    Windows w{values.slice(1, 0, length).clone(), values.slice(1, length).clone(), at::ones({4, horizon, 1})};
    w.lookback[0].slice(0, 0, length / 2).zero_();
    w.lookback[3].fill_(700);
    w.mask[2].slice(0, horizon / 2).zero_();
    w.target.mul_(w.mask);
    return w;
}

}  // namespace

class TestM4Models : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void every_preset_trains_a_step_data() {
        QTest::addColumn<QString>("preset");
        for (const auto& name : m4_presets()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void every_preset_trains_a_step() {
        QFETCH(QString, preset);
        const auto config = small(preset.toStdString());
        const auto model = model::make_model(
            config, {.channels = 1, .title = "Series", .season = season_of(config), .collection = true});
        const auto w = windows_of(config);
        {
            const torch::NoGradGuard no_gradient;
            const auto found = model->forward(w.lookback, nullptr, false).prediction;
            QCOMPARE(found.sizes().vec(), w.target.sizes().vec());
            QVERIFY(found.isfinite().all().item<bool>());
        }
        if (!model::capabilities(config).trains) return;
        const auto total_with = [&](const at::Tensor& target) {
            const model::TrainingStep step{1, 0, target, w.mask};
            return train::objective(model->forward(w.lookback, &step, false), target, config.loss.forecast,
                                    w.mask)
                .total;
        };
        const auto total = total_with(w.target);
        QVERIFY(total.isfinite().item<bool>() && total.item<double>() > 0);
        total.backward();
        int gradients = 0;
        for (const auto& [name, tensor] : model->trainable()) {
            if (!tensor.grad().defined()) continue;
            QVERIFY2(tensor.grad().isfinite().all().item<bool>(), name.c_str());
            gradients += tensor.grad().ne(0).any().item<bool>() ? 1 : 0;
        }
        QVERIFY(gradients > 1);
    }

    /// Values where a target is masked have no effect.
    void masked_targets_are_not_read_data() {
        QTest::addColumn<QString>("preset");
        for (const auto& name : m4_presets())
            if (name.ends_with("m4-weekly")) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void masked_targets_are_not_read() {
        QFETCH(QString, preset);
        const auto config = small(preset.toStdString());
        if (!model::capabilities(config).trains) return;
        const auto w = windows_of(config);
        const auto total_with = [&](const at::Tensor& target) {
            const auto model = model::make_model(config, {.channels = 1, .collection = true});
            const model::TrainingStep step{1, 0, target, w.mask};
            return train::objective(model->forward(w.lookback, &step, false), target, config.loss.forecast,
                                    w.mask)
                .total.item<double>();
        };
        QCOMPARE(total_with(w.target), total_with(w.target + 1000 * (1 - w.mask)));
        QVERIFY(total_with(w.target) != total_with(w.target + 1000 * w.mask));
    }

    void seasonal_naive_knows_the_season_of_a_collection() {
        config::Config config;
        config.model.name = "seasonal-naive";
        config.data.lookback = 8;
        config.data.horizon = 6;
        const auto windows = at::randn({2, 8, 1}, make_generator(3), at::kFloat);
        for (const std::int64_t season : {1, 4, 8}) {
            const auto model =
                model::make_model(config, {.channels = 1, .season = season, .collection = true});
            const auto found = model->forward(windows, nullptr, false).prediction;
            for (std::int64_t h = 0; h < 6; ++h)
                QVERIFY(at::equal(found.select(1, h), windows.select(1, 8 - season + h % season)));
        }
        // Otherwise the time between rows gives it.
        QCOMPARE(model::season_of({.step = {3600}}), 24);
        QCOMPARE(model::season_of({}), 0);
        QCOMPARE(model::season_of({.step = {3600}, .season = 12}), 12);
        QCOMPARE(model::season_of({.step = {3600}, .season = 1, .collection = true}), 1);
    }

    void smape_by_hand() {
        const auto prediction = at::tensor({3.0F, 0.0F, -2.0F, 5.0F}).view({1, 4, 1}).requires_grad_();
        const auto target = at::tensor({1.0F, 0.0F, 2.0F, 0.0F}).view({1, 4, 1});
        const auto mask = at::tensor({1.0F, 1.0F, 1.0F, 0.0F}).view({1, 4, 1});
        const auto loss = model::smape_loss(prediction, target, mask);
        QCOMPARE(loss.item<double>(), 200 * (2.0 / 4 + 0 + 4.0 / 4 + 0) / 4);
        QCOMPARE(model::smape_loss(prediction, target).item<double>(), 200 * (0.5 + 0 + 1 + 1) / 4);
        loss.backward();
        const auto expected = at::tensor({50.0F / 4, 0.0F, -50.0F / 4, 0.0F}).view({1, 4, 1});
        QVERIFY(at::allclose(prediction.grad(), expected));
    }

    void mase_by_hand() {
        // Seasonal errors at season 2: |5 - 1| and |2 - 4|, mean 3; the second channel has none.
        const auto lookback = at::tensor({1.0F, 7.0F, 4.0F, 8.0F, 5.0F, 7.0F, 2.0F, 8.0F}).view({1, 4, 2});
        const auto prediction = at::tensor({1.0F, 1.0F, 4.0F, 4.0F}).view({1, 2, 2});
        const auto target = at::tensor({4.0F, 9.0F, 2.0F, 9.0F}).view({1, 2, 2});
        QCOMPARE(model::mase_loss(prediction, target, lookback, 2).item<float>(), (1 + 2.0F / 3) / 4);
        const auto mask = at::tensor({1.0F, 1.0F, 0.0F, 1.0F}).view({1, 2, 2});
        QCOMPARE(model::mase_loss(prediction, target, lookback, 2, mask).item<float>(), 0.25F);
    }

    void calf_needs_a_season_within_the_lookback() {
        auto config = small("calf-m4-quarterly");  // look-back 16
        const auto make = [&](std::int64_t season) {
            (void)model::make_model(config, {.channels = 1, .season = season, .collection = true});
        };
        make(15);
        QVERIFY_THROWS_EXCEPTION(Error, make(16));
        config.calf.output_loss = "l1";
        make(16);
    }
};

TEST_MAIN_WITHOUT_GUI(TestM4Models)
#include "test_m4_models.moc"
