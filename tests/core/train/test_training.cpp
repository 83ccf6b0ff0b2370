// The small parts of training: learning rates, early stopping, the objective, AdamW.
#include <cmath>
#include <numbers>

#include <QtTest>

#include <torch/torch.h>

#include "test_program.h"
#include "train/checkpoint.h"
#include "train/objective.h"
#include "train/optimizer.h"

using namespace casp;

namespace {

double rate(const std::string& schedule, double initial, std::int64_t epoch) {
    config::Config config;
    config.train.schedule = schedule;
    config.train.learning_rate = initial;
    return train::rates_at(config, {.epoch = epoch}).learning_rate;
}

model::Forecast forecast_of(const at::Tensor& prediction) {
    model::Forecast forecast;
    forecast.prediction = prediction;
    return forecast;
}

/// AdamW of Loshchilov and Hutter in double, β = 0.9 and 0.999, ε = 1e-8, written from the paper.
struct Reference {
    std::vector<double> p, m, v;
    int t = 0;

    explicit Reference(const at::Tensor& start) {
        const auto values = start.detach().contiguous();
        p.assign(values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
        m.assign(p.size(), 0);
        v.assign(p.size(), 0);
    }
    void step(const at::Tensor& gradient, double rate, double decay) {
        ++t;
        const auto* g = gradient.data_ptr<float>();
        for (std::size_t i = 0; i < p.size(); ++i) {
            const double gi = g[i];
            p[i] -= rate * decay * p[i];
            m[i] = 0.9 * m[i] + 0.1 * gi;
            v[i] = 0.999 * v[i] + 0.001 * gi * gi;
            const double mean = m[i] / (1 - std::pow(0.9, t));
            const double square = v[i] / (1 - std::pow(0.999, t));
            p[i] -= rate * mean / (std::sqrt(square) + 1e-8);
        }
    }
};

at::Tensor normal(at::IntArrayRef shape, std::uint64_t seed) {
    return at::empty(shape, at::kFloat).normal_(0, 1, at::detail::createCPUGenerator(seed));
}

/// Gradients of all sizes: of order one, near ε, zero.
at::Tensor gradient_of(at::IntArrayRef shape, std::uint64_t seed) {
    auto g = normal(shape, seed);
    auto flat = g.view({-1});
    flat.slice(0, 0, flat.size(0), 3).mul_(1e-7);
    flat.slice(0, 1, flat.size(0), 7).zero_();
    return g;
}

double largest_error(const std::vector<double>& expected, const at::Tensor& found) {
    const auto values = found.detach().contiguous();
    double largest = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
        largest = std::max(largest, std::abs(expected[i] - static_cast<double>(values.data_ptr<float>()[i])));
    return largest;
}

}  // namespace

class TestTraining : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exponential_schedule_starts_in_the_third_epoch() {
        const double expected[] = {1, 1, 0.9, 0.81, 0.729, 0.6561};
        for (int epoch = 1; epoch <= 6; ++epoch)
            QVERIFY(std::abs(rate("exponential", 1e-3, epoch) - 1e-3 * expected[epoch - 1]) < 1e-18);
        // The first two are the rate itself, not something near it.
        QCOMPARE(rate("exponential", 0.1, 1), 0.1);
        QCOMPARE(rate("exponential", 0.1, 2), 0.1);
    }

    void halving_and_constant_schedules() {
        const double halved[] = {1, 1, 0.5, 0.25, 0.125};
        for (int epoch = 1; epoch <= 5; ++epoch) {
            QVERIFY(rate("halving", 0.3, epoch) == 0.3 * halved[epoch - 1]);
            QVERIFY(rate("constant", 0.3, epoch) == 0.3);
        }
    }

    void best_epoch_and_patience() {
        train::EarlyStopping stopping;
        const double errors[] = {0.9, 0.5, 0.6, 0.55, 0.4, 0.41, 0.42, 0.43};
        const bool best[] = {true, true, false, false, true, false, false, false};
        const std::int64_t waited[] = {0, 0, 1, 2, 0, 1, 2, 3};
        for (int i = 0; i < 8; ++i) {
            QVERIFY2(!stopping.exhausted(3), "stopped too early");
            QCOMPARE(stopping.improves(errors[i], i + 1, 10 * (i + 1)), best[i]);
            QCOMPARE(stopping.waited, waited[i]);
        }
        QVERIFY(stopping.exhausted(3));
        QCOMPARE(stopping.best, 0.4);
        QCOMPARE(stopping.best_epoch, std::int64_t{5});
        QCOMPARE(stopping.best_step, std::int64_t{50});
    }

    void tie_is_an_improvement() {
        train::EarlyStopping stopping;
        QVERIFY(stopping.improves(0.5, 1, 10));
        QVERIFY(!stopping.improves(0.6, 2, 20));
        QVERIFY(stopping.improves(0.5, 3, 30));
        QCOMPARE(stopping.best_epoch, std::int64_t{3});
        QCOMPARE(stopping.waited, std::int64_t{0});
    }

    void not_a_number_is_no_improvement() {
        train::EarlyStopping stopping;
        QVERIFY(!stopping.improves(std::nan(""), 1, 10));
        QCOMPARE(stopping.best_epoch, std::int64_t{0});
        QVERIFY(stopping.improves(0.5, 2, 20));
        QVERIFY(!stopping.improves(std::nan(""), 3, 30));
        QCOMPARE(stopping.best, 0.5);
    }

    void objective_is_the_weighted_sum() {
        const auto prediction = at::tensor({1.0F, 2.0F, 4.0F, 8.0F}).view({1, 4, 1}).set_requires_grad(true);
        const auto target = at::tensor({0.0F, 0.0F, 0.0F, 0.0F}).view({1, 4, 1});
        const auto similarity = at::scalar_tensor(-0.5, at::kFloat).set_requires_grad(true);
        const auto coverage = at::scalar_tensor(3.0, at::kFloat).set_requires_grad(true);
        auto forecast = forecast_of(prediction);
        forecast.terms = {{"similarity", similarity, 0.25}, {"coverage", coverage, 0.125}};
        const auto result = train::objective(forecast, target);
        QCOMPARE(result.forecast.item<float>(), 85.0F / 4);
        QCOMPARE(result.terms.size(), std::size_t{2});
        QVERIFY(result.terms[0].name == "similarity" && result.terms[1].name == "coverage");
        QCOMPARE(result.terms[0].value.item<float>(), -0.5F);
        QCOMPARE(result.terms[1].value.item<float>(), 3.0F);
        QVERIFY(!result.terms[1].value.requires_grad());
        QCOMPARE(result.total.item<float>(), 85.0F / 4 - 0.125F + 0.375F);
        result.total.backward();
        QCOMPARE(similarity.grad().item<float>(), 0.25F);
        QCOMPARE(coverage.grad().item<float>(), 0.125F);
        QVERIFY(at::equal(prediction.grad().flatten(), at::tensor({0.5F, 1.0F, 2.0F, 4.0F})));

        // A model without these terms.
        const auto plain = train::objective(forecast_of(prediction.detach()), target);
        QVERIFY(plain.terms.empty());
        QCOMPARE(plain.total.item<float>(), 85.0F / 4);
    }

    void term_of_weight_zero_is_logged_not_optimised() {
        const auto prediction = at::ones({1, 2, 1}).set_requires_grad(true);
        const auto infinite =
            at::scalar_tensor(std::numeric_limits<double>::infinity(), at::kFloat).set_requires_grad(true);
        auto forecast = forecast_of(prediction);
        forecast.terms = {{"coverage", infinite, 0}};
        const auto result = train::objective(forecast, at::zeros({1, 2, 1}));
        QCOMPARE(result.total.item<float>(), 1.0F);  // 0·inf would be NaN
        QVERIFY(std::isinf(result.terms.at(0).value.item<float>()));
        result.total.backward();
        QVERIFY(!infinite.grad().defined());
    }

    void adamw_follows_the_formula() {
        constexpr double decay = 0.1;
        const double rates[] = {1e-2, 1e-2, 9e-3, 8.1e-3, 7.29e-3};
        auto matrix = normal({5, 13}, 1).set_requires_grad(true);
        auto bias = normal({7}, 2).set_requires_grad(true);
        Reference matrix_reference(matrix), bias_reference(bias);
        train::AdamW adamw({{"matrix", matrix}, {"bias", bias}}, decay);
        for (int step = 0; step < 5; ++step) {
            const auto seed = static_cast<std::uint64_t>(100 + 2 * step);
            matrix.mutable_grad() = gradient_of({5, 13}, seed);
            bias.mutable_grad() = gradient_of({7}, seed + 1);
            matrix_reference.step(matrix.grad(), rates[step], decay);
            bias_reference.step(bias.grad(), rates[step], decay);
            adamw.step(rates[step]);
            QVERIFY2(!matrix.grad().defined() && !bias.grad().defined(),
                     "gradients are dropped after a step");
        }
        QCOMPARE(adamw.steps(), std::int64_t{5});
        // Five steps move a value by about 0.045; fp32 rounds values of order one to 1e-7.
        QVERIFY2(largest_error(matrix_reference.p, matrix) < 2e-6,
                 qPrintable(QString::number(largest_error(matrix_reference.p, matrix))));
        QVERIFY(largest_error(bias_reference.p, bias) < 2e-6);
        const auto moments = adamw.moments();
        QCOMPARE(moments.size(), std::size_t{4});
        QCOMPARE(QString::fromStdString(moments[0].name), QString("exp_avg.matrix"));
        QCOMPARE(QString::fromStdString(moments[1].name), QString("exp_avg_sq.matrix"));
        QVERIFY(largest_error(matrix_reference.m, moments[0].value) < 1e-7);
        QVERIFY(largest_error(matrix_reference.v, moments[1].value) < 1e-7);
    }

    /// Beside LibTorch's clip_grad_norm_: the first step's first moment is 0.1·g.
    void long_gradients_are_clipped_to_max_norm() {
        for (const double length : {0.5, 40.0}) {
            std::vector<at::Tensor> clipped, expected;
            for (const auto& shape : std::vector<std::vector<std::int64_t>>{{5, 13}, {7}}) {
                const auto gradient = gradient_of(shape, static_cast<std::uint64_t>(shape[0]));
                for (auto* list : {&clipped, &expected}) {
                    list->push_back(at::zeros(shape).set_requires_grad(true));
                    list->back().mutable_grad() = gradient * (length / gradient.norm()).item<double>();
                }
            }
            const auto unused = normal({3}, 1).set_requires_grad(true);
            train::AdamW adamw({{"matrix", clipped[0]}, {"bias", clipped[1]}, {"unused", unused}}, 0,
                               train::WeightDecay::decoupled, 2.0);
            const double norm = torch::nn::utils::clip_grad_norm_(expected, 2.0);
            QVERIFY(std::abs(norm - length * std::numbers::sqrt2) < 1e-4);
            adamw.step(1e-3);
            for (std::size_t i = 0; i < 2; ++i) {
                const auto moment = adamw.moments()[2 * i].value;
                QVERIFY(at::allclose(moment, 0.1 * expected[i].grad(), 1e-6, 0));
            }
        }
        QCOMPARE(config::Config{}.train.max_grad_norm, 0.0);  // published runs are not clipped
    }

    void adamw_skips_parameters_without_gradient() {
        auto used = normal({4}, 1).set_requires_grad(true);
        auto unused = normal({4}, 2).set_requires_grad(true);
        const auto before = unused.detach().clone();
        train::AdamW adamw({{"used", used}, {"unused", unused}}, 0.1);
        const auto start = used.detach().clone();
        used.mutable_grad() = at::ones({4});
        adamw.step(0.1);
        QVERIFY(at::equal(unused.detach(), before));  // no decay either
        QVERIFY(!at::equal(used.detach(), start));
    }

    void adamw_continues_from_stored_moments() {
        auto whole = normal({33}, 5).set_requires_grad(true);
        train::AdamW adamw({{"w", whole}}, 0.01);
        const auto steps = [](train::AdamW& optimizer, at::Tensor& tensor, int from, int to) {
            for (int i = from; i < to; ++i) {
                tensor.mutable_grad() = gradient_of({33}, static_cast<std::uint64_t>(i));
                optimizer.step(1e-2);
            }
        };
        steps(adamw, whole, 0, 3);
        auto continued = whole.detach().clone().set_requires_grad(true);
        train::AdamW second({{"w", continued}}, 0.01);
        for (std::size_t i = 0; i < 2; ++i) second.moments()[i].value.copy_(adamw.moments()[i].value);
        second.set_steps(adamw.steps());
        steps(adamw, whole, 3, 6);
        steps(second, continued, 3, 6);
        QVERIFY(at::equal(whole.detach(), continued.detach()));
    }
};

TEST_MAIN_WITHOUT_GUI(TestTraining)
#include "test_training.moc"
