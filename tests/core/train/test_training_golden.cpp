// Optimisers, schedules, the sMAPE loss and the ridge regression against PyTorch and scikit-learn
// (tests/oracle/make_training.py).
#include <cmath>

#include <torch/torch.h>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "model/ridge.h"
#include "store/safetensors.h"
#include "test_program.h"
#include "train/objective.h"
#include "train/optimizer.h"

using namespace casp;

namespace {

class Golden {
public:
    [[nodiscard]] at::Tensor get(const std::string& name) const {
        const auto& view = file_.at(name);
        auto tensor = at::empty(view.shape, view.dtype == store::Dtype::f64 ? at::kDouble : at::kFloat);
        store::read_bytes(view, {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()});
        return tensor;
    }
    [[nodiscard]] nlohmann::json setting(const std::string& name) const {
        return nlohmann::json::parse(file_.metadata().at("settings")).at(name);
    }

private:
    store::SafetensorsFile file_{std::string(CASP_SOURCE_DIR) + "/tests/golden/training.safetensors"};
};

double largest_difference(const at::Tensor& a, const at::Tensor& b) {
    return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

/// Scheduled settings of the oracle; unset keys keep their defaults.
config::Config scheduled(const nlohmann::json& settings) {
    config::Config config;
    auto& train = config.train;
    settings.at("schedule").get_to(train.schedule);
    settings.at("learning_rate").get_to(train.learning_rate);
    settings.at("epochs").get_to(train.epochs);
    train.t_max = settings.value("t_max", train.t_max);
    train.pct_start = settings.value("pct_start", train.pct_start);
    return config;
}

model::Forecast golden_forecast(const at::Tensor& prediction) {
    model::Forecast forecast;
    forecast.prediction = prediction;
    return forecast;
}

}  // namespace

class TestTrainingGolden : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void optimisers_follow_pytorch_data() {
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<bool>("decays");
        QTest::newRow("adam") << "adam" << false;
        QTest::newRow("adam_decay") << "adam" << true;
        QTest::newRow("adamw") << "adamw" << true;
    }
    void optimisers_follow_pytorch() {
        QFETCH(QString, optimizer);
        QFETCH(bool, decays);
        const std::string prefix = std::string("optimizer.") + QTest::currentDataTag() + ".";
        config::Config config;
        config.train.optimizer = optimizer.toStdString();
        config.train.weight_decay = decays ? golden_.setting("decay").get<double>() : 0;
        const auto rate = golden_.setting("rate").get<double>();
        auto w = golden_.get(prefix + "start").set_requires_grad(true);
        const auto gradients = golden_.get(prefix + "gradients");
        auto adam = train::make_optimizer(config, {{"w", w}});
        for (std::int64_t step = 0; step < gradients.size(0); ++step) {
            w.mutable_grad() = gradients[step].clone();
            adam.step(rate);
        }
        QVERIFY(largest_difference(w.detach(), golden_.get(prefix + "end")) < 2e-6);
        QVERIFY(largest_difference(adam.moments()[0].value, golden_.get(prefix + "exp_avg")) < 1e-6);
        QVERIFY(largest_difference(adam.moments()[1].value, golden_.get(prefix + "exp_avg_sq")) < 1e-6);
    }

    void adam_continues_from_stored_moments() {
        config::Config config;
        config.train.optimizer = "adam";
        config.train.weight_decay = 0.1;
        const auto gradients = golden_.get("optimizer.adam_decay.gradients");
        const auto steps = [&](train::AdamW& adam, at::Tensor& w, std::int64_t from, std::int64_t to) {
            for (auto step = from; step < to; ++step) {
                w.mutable_grad() = gradients[step].clone();
                adam.step(1e-2);
            }
        };
        auto whole = golden_.get("optimizer.adam_decay.start").set_requires_grad(true);
        auto first = train::make_optimizer(config, {{"w", whole}});
        steps(first, whole, 0, 3);
        auto continued = whole.detach().clone().set_requires_grad(true);
        auto second = train::make_optimizer(config, {{"w", continued}});
        for (std::size_t i = 0; i < 2; ++i) second.moments()[i].value.copy_(first.moments()[i].value);
        second.set_steps(first.steps());
        steps(first, whole, 3, gradients.size(0));
        steps(second, continued, 3, gradients.size(0));
        QVERIFY(at::equal(whole.detach(), continued.detach()));
    }

    void schedules_follow_pytorch() {
        const auto schedules = golden_.setting("schedules");
        QVERIFY(schedules.size() >= 5);
        for (std::size_t i = 0; i < schedules.size(); ++i) {
            const auto config = scheduled(schedules[i]);
            const auto steps = schedules[i].at("steps").get<std::int64_t>();
            const auto rates = golden_.get("schedule." + std::to_string(i) + ".rates");
            const auto beta1 = golden_.get("schedule." + std::to_string(i) + ".beta1");
            for (std::int64_t epoch = 1; epoch <= config.train.epochs; ++epoch)
                for (std::int64_t position = 0; position < steps; ++position) {
                    const auto found = train::rates_at(config, {epoch, position, steps});
                    const double expected = rates[epoch - 1][position].item<double>();
                    QVERIFY2(std::abs(found.learning_rate - expected) <= 1e-11 * config.train.learning_rate,
                             qPrintable(QStringLiteral("schedule %1, epoch %2, step %3: %4 is not %5")
                                            .arg(i)
                                            .arg(epoch)
                                            .arg(position)
                                            .arg(found.learning_rate)
                                            .arg(expected)));
                    QVERIFY(std::abs(found.beta1 - beta1[epoch - 1][position].item<double>()) < 1e-12);
                }
        }
    }

    void one_cycle_ends_with_its_last_step() {
        config::Config config;
        config.train.schedule = "one-cycle";
        config.train.epochs = 3;
        const auto last = train::rates_at(config, {3, 9, 10});
        QCOMPARE(train::rates_at(config, {4, 0, 10}).learning_rate, last.learning_rate);
        // A single step, and no step at all.
        QVERIFY(std::isfinite(train::rates_at(config, {1, 0, 1}).learning_rate));
        QCOMPARE(train::rates_at(config, {1, 0, 0}).learning_rate, config.train.learning_rate);
    }

    void adam_under_one_cycle() {
        config::Config config;
        config.train.optimizer = "adam";
        config.train.weight_decay = 0;
        config.train.schedule = "one-cycle";
        config.train.epochs = 1;
        config.train.learning_rate = golden_.setting("rate").get<double>();
        auto w = golden_.get("cycle.start").set_requires_grad(true);
        const auto gradients = golden_.get("cycle.gradients");
        auto adam = train::make_optimizer(config, {{"w", w}});
        for (std::int64_t step = 0; step < gradients.size(0); ++step) {
            const auto rates = train::rates_at(config, {1, step, gradients.size(0) + 1});
            w.mutable_grad() = gradients[step].clone();
            adam.step(rates.learning_rate, rates.beta1);
        }
        QVERIFY(largest_difference(w.detach(), golden_.get("cycle.end")) < 2e-6);
    }

    void smape_follows_its_formula() {
        const auto target = golden_.get("smape.target");
        for (const bool masked : {false, true}) {
            const auto prefix = std::string("smape.") + (masked ? "masked_" : "");
            auto prediction = golden_.get("smape.prediction").set_requires_grad(true);
            const auto mask = masked ? golden_.get("smape.mask") : at::Tensor();
            const auto loss = train::forecast_loss("smape", prediction, target, mask);
            loss.backward();
            QVERIFY(std::abs(loss.item<double>() / golden_.get(prefix + "loss").item<double>() - 1) < 1e-5);
            const auto gradient = golden_.get(prefix + "gradient");
            QVERIFY(largest_difference(prediction.grad(), gradient) <
                    1e-4 * gradient.abs().max().item<double>());
        }
    }

    void mae_is_the_mean_absolute_error() {
        const auto prediction = at::tensor({1.0F, -2.0F, 4.0F, 0.0F}).view({1, 4, 1}).set_requires_grad(true);
        const auto result = train::objective(golden_forecast(prediction), at::zeros({1, 4, 1}), "mae");
        QCOMPARE(result.forecast.item<float>(), 7.0F / 4);
        result.total.backward();
        QVERIFY(at::equal(prediction.grad().flatten(), at::tensor({0.25F, -0.25F, 0.25F, 0.0F})));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument,
                                 (void)train::objective(golden_forecast(prediction), prediction, "huber"));
    }

    /// fp32 weights of a solution in float64: 1e-5 of the largest.
    void ridge_equals_scikit_learn() {
        const auto lookback = golden_.get("ridge.lookback"), target = golden_.get("ridge.target");
        const auto alphas = golden_.get("ridge.alphas");
        for (std::int64_t i = 0; i < alphas.numel(); ++i) {
            const auto prefix = "ridge." + std::to_string(i) + ".";
            const double alpha = alphas[i].item<double>();
            model::Ridge ridge(lookback.size(1), target.size(1), alpha);
            ridge.begin_fit();
            // In two parts, as in a run.
            ridge.add(lookback.slice(0, 0, 7), target.slice(0, 0, 7));
            ridge.add(lookback.slice(0, 7), target.slice(0, 7));
            QCOMPARE(ridge.penalties(), std::vector<double>{alpha});
            QVERIFY(ridge.solve(alpha));
            const auto weight = golden_.get(prefix + "weight");
            const double allowed = 1e-5 * std::max(1.0, weight.abs().max().item<double>());
            QCOMPARE(ridge.trainable()[0].value.sizes().vec(), weight.sizes().vec());
            QVERIFY(largest_difference(ridge.trainable()[0].value, weight) < allowed);
            QVERIFY(largest_difference(ridge.trainable()[1].value, golden_.get(prefix + "bias")) < 1e-5);
            const auto forecast = ridge.forward(golden_.get("ridge.test"), nullptr, false).prediction;
            QVERIFY(largest_difference(forecast, golden_.get(prefix + "forecast")) < 2e-5);
        }
    }

    void ridge_without_alpha_offers_a_grid() {
        const auto lookback = golden_.get("ridge.lookback"), target = golden_.get("ridge.target");
        model::Ridge ridge(lookback.size(1), target.size(1), 0);
        ridge.begin_fit();
        ridge.add(lookback, target);
        const auto penalties = ridge.penalties();
        QCOMPARE(penalties.size(), std::size_t{8});
        const auto rows = static_cast<double>(lookback.size(0) * lookback.size(2));
        QVERIFY(std::abs(penalties.front() / rows - 1e-6) < 1e-12 &&
                std::abs(penalties.back() / rows - 10) < 1e-9);
    }

    void ridge_reports_that_there_is_no_solution() {
        auto lookback = golden_.get("ridge.lookback");
        lookback[0][0][0] = std::nan("");
        model::Ridge ridge(lookback.size(1), 4, 1);
        ridge.begin_fit();
        ridge.add(lookback, golden_.get("ridge.target"));
        QVERIFY(!ridge.solve(1));
        QVERIFY(ridge.trainable()[0].value.eq(0).all().item<bool>());
    }

private:
    Golden golden_;
};

TEST_MAIN_WITHOUT_GUI(TestTrainingGolden)
#include "test_training_golden.moc"
