// evaluate() against sums done by hand in double.
#include <atomic>
#include <cmath>
#include <future>
#include <set>

#include <QtTest>

#include <torch/torch.h>

#include "analysis/usage.h"
#include "model/casp_llm.h"
#include "model/tensor_file.h"
#include "test_program.h"
#include "train/checkpoint.h"
#include "train/damaged_lookbacks.h"
#include "train/evaluation.h"
#include "train_fixture.h"
#include "util/random.h"

using namespace casp;

namespace {

constexpr std::int64_t rows = 160, channels = 3, lookback = 48, horizon = 12, windows = 60;

config::Config settings() {
    auto c = test::small_config("unused.csv");
    c.backbone.layers = 2;
    return c;
}

/// Values of order one at [rows, channels].
at::Tensor series() {
    auto values = at::empty({rows, channels}, at::kFloat);
    auto access = values.accessor<float, 2>();
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < channels; ++c) access[r][c] = static_cast<float>(test::cell(r, c));
    return values;
}

constexpr std::int64_t first_row = 20;

data::TableWindows window_set(bool single = false, const std::vector<std::int64_t>& targets = {}) {
    data::SplitPart part;
    part.begin = first_row;
    part.end = first_row + windows + lookback + horizon - 1;
    part.windows = windows;
    return {series(), part, lookback, horizon, single, {}, targets};
}

struct Collected {
    std::vector<float> prediction;  ///< [windows, H, M]
    std::vector<std::int32_t> retrieved;
    std::vector<float> mse, mae;  ///< [windows, M]
    train::Evaluation result;
};

Collected evaluate(model::Forecaster& model, std::int64_t rows_per_batch,
                   const std::vector<std::int64_t>& targets = {}) {
    Collected all;
    train::EvaluationOptions options;
    options.rows_per_batch = rows_per_batch;
    std::int64_t next = 0;
    options.sink = [&](const train::EvaluatedBatch& batch) {
        if (batch.first != next) qFatal("batches out of order");
        next += batch.prediction.size(0);
        const auto append = [](auto& to, const at::Tensor& from) {
            using T = typename std::remove_reference_t<decltype(to)>::value_type;
            to.insert(to.end(), from.data_ptr<T>(), from.data_ptr<T>() + from.numel());
        };
        append(all.prediction, batch.prediction);
        append(all.mse, batch.mse);
        append(all.mae, batch.mae);
        if (batch.retrieved.defined()) append(all.retrieved, batch.retrieved);
    };
    const train::StopControl stop;
    all.result = train::evaluate(model, window_set(false, targets), options, stop);
    return all;
}

bool near(double a, double b, double relative = 1e-12) { return std::abs(a - b) <= relative * std::abs(b); }

std::string digest(const model::Forecaster& model) {
    return model::digest_of(model.trainable()) + model::digest_of(model.frozen()) +
           model::digest_of(model.state());
}

at::Tensor tensor_named(const model::Forecaster& model, const std::string& name) {
    for (const auto& tensor : model.trainable())
        if (tensor.name == name) return tensor.value;
    qFatal("no tensor %s", name.c_str());
    return {};
}

/// Makes every query the direction of all ones, and the first `k` anchors its only likes.
void collapse(model::CaspLlm& model, std::int64_t k) {
    const torch::NoGradGuard no_gradient;
    tensor_named(model, "in_layer.weight").zero_();
    tensor_named(model, "in_layer.bias").fill_(1);
    tensor_named(model, "prompt_pool.text_prototype_linear.weight").zero_();
    const auto bias = tensor_named(model, "prompt_pool.text_prototype_linear.bias");
    bias.fill_(-1);
    bias.slice(0, 0, k).fill_(1);
    model.weights_replaced();
}

}  // namespace

class TestEvaluation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equals_brute_force_in_double() {
        const auto model = std::make_unique<model::CaspLlm>(settings(), channels);
        const auto found = evaluate(*model, 30);
        const auto& r = found.result;
        QCOMPARE(found.prediction.size(), static_cast<std::size_t>(windows * horizon * channels));
        const auto values = series();
        const auto access = values.accessor<float, 2>();

        double mse = 0, mae = 0, last_mse = 0, last_mae = 0;
        std::vector<double> channel_mse(channels), channel_mae(channels), step_mse(horizon),
            step_mae(horizon);
        std::vector<double> window_mse(windows * channels), window_mae(windows * channels);
        for (std::int64_t w = 0; w < windows; ++w)
            for (std::int64_t h = 0; h < horizon; ++h)
                for (std::int64_t c = 0; c < channels; ++c) {
                    const auto index = static_cast<std::size_t>((w * horizon + h) * channels + c);
                    const float truth = access[first_row + w + lookback + h][c];
                    const float last = access[first_row + w + lookback - 1][c];
                    // The error itself is a float: both are floats of the same size.
                    const double error = found.prediction[index] - truth;
                    const double naive = last - truth;
                    mse += error * error;
                    mae += std::abs(error);
                    last_mse += naive * naive;
                    last_mae += std::abs(naive);
                    channel_mse[static_cast<std::size_t>(c)] += error * error;
                    channel_mae[static_cast<std::size_t>(c)] += std::abs(error);
                    step_mse[static_cast<std::size_t>(h)] += error * error;
                    step_mae[static_cast<std::size_t>(h)] += std::abs(error);
                    window_mse[static_cast<std::size_t>(w * channels + c)] += error * error;
                    window_mae[static_cast<std::size_t>(w * channels + c)] += std::abs(error);
                }
        const double n = windows * horizon * channels;
        QVERIFY(near(r.mse, mse / n));
        QVERIFY(near(r.mae, mae / n));
        QVERIFY(near(r.last_value_mse, last_mse / n));
        QVERIFY(near(r.last_value_mae, last_mae / n));
        QVERIFY(r.mse > 0 && r.mse != r.last_value_mse);
        QCOMPARE(r.mse_per_channel.size(), std::size_t{channels});
        QCOMPARE(r.mse_per_step.size(), std::size_t{horizon});
        for (std::size_t c = 0; c < channels; ++c) {
            QVERIFY(near(r.mse_per_channel[c], channel_mse[c] / (windows * horizon)));
            QVERIFY(near(r.mae_per_channel[c], channel_mae[c] / (windows * horizon)));
        }
        for (std::size_t h = 0; h < horizon; ++h) {
            QVERIFY(near(r.mse_per_step[h], step_mse[h] / (windows * channels)));
            QVERIFY(near(r.mae_per_step[h], step_mae[h] / (windows * channels)));
        }
        for (std::size_t i = 0; i < window_mse.size(); ++i) {  // stored as floats
            QVERIFY(near(found.mse[i], window_mse[i] / horizon, 1e-7));
            QVERIFY(near(found.mae[i], window_mae[i] / horizon, 1e-7));
        }
        // Usage is the count of what was retrieved.
        std::vector<std::int64_t> counts(30);
        for (const auto anchor : found.retrieved) ++counts[static_cast<std::size_t>(anchor)];
        QVERIFY(r.usage == counts);
        QCOMPARE(r.distinct_anchors, static_cast<double>(30 - std::count(counts.begin(), counts.end(), 0)));
        QCOMPARE(r.usage_entropy, analysis::usage_entropy(counts));
    }

    void batches_of_any_size_give_the_same() {
        const auto model = std::make_unique<model::CaspLlm>(settings(), channels);
        const auto whole = evaluate(*model, 1 << 20);
        // 1: a window at least; 3: exactly one; 50: 16 windows, the last batch is shorter.
        double worst = 0;
        for (const std::int64_t per_batch : {1, 3, 50, 177}) {
            const auto found = evaluate(*model, per_batch);
            for (std::size_t i = 0; i < whole.prediction.size(); ++i)
                worst =
                    std::max(worst, static_cast<double>(std::abs(found.prediction[i] - whole.prediction[i])));
            QVERIFY(found.retrieved == whole.retrieved);
            QVERIFY(found.result.usage == whole.result.usage);
            // Matrix products of other sizes round otherwise (float32), so the metrics agree to float
            // precision only; the sums themselves are those of equals_brute_force_in_double for every size.
            QVERIFY(near(found.result.mse, whole.result.mse, 1e-6));
            QVERIFY(near(found.result.mae, whole.result.mae, 1e-6));
            QVERIFY(near(found.result.key_cosine, whole.result.key_cosine, 1e-6));
            // No model in these: exact.
            QVERIFY(near(found.result.last_value_mse, whole.result.last_value_mse));
            QVERIFY(near(found.result.last_value_mae, whole.result.last_value_mae));
        }
        qInfo("largest difference of a prediction between batch sizes: %g", worst);
        QVERIFY(worst < 1e-5);
    }

    void anchors_of_one_evaluation_are_those_of_each_batch() {
        const auto model = std::make_unique<model::CaspLlm>(settings(), channels);
        const auto found = evaluate(*model, 30);
        const torch::NoGradGuard no_gradient;
        const auto set = window_set();
        std::vector<float> each;
        for (std::int64_t first = 0; first < windows; first += 10) {
            const auto forecast =
                model->forward(set.range(first, 10).lookback, nullptr, false);  // anchors computed anew
            const auto values = forecast.prediction.contiguous();
            each.insert(each.end(), values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
        }
        QVERIFY(test::same_bits(each, found.prediction));
        // And what was kept during the evaluation is gone: changed weights count.
        tensor_named(*model, "prompt_pool.text_prototype_linear.weight")
            .detach()
            .normal_(0, 1, at::detail::createCPUGenerator(3));
        QVERIFY(!test::same_bits(evaluate(*model, 30).prediction, found.prediction));
    }

    void changes_nothing_in_the_model() {
        const auto model = std::make_unique<model::CaspLlm>(settings(), channels);
        const auto set = window_set();
        const model::TrainingStep step{1, 0};
        (void)model->forward(set.range(0, 8).lookback, &step, false);  // a statistic that is not zero
        const auto before = digest(*model);
        const auto first = evaluate(*model, 30);
        QCOMPARE(QString::fromStdString(digest(*model)), QString::fromStdString(before));
        const auto second = evaluate(*model, 30);
        QVERIFY(test::same_bits(first.prediction, second.prediction));  // no dropout either
        QVERIFY(test::same_bits(first.result.mse, second.result.mse));
        for (const auto& tensor : model->trainable()) QVERIFY(!tensor.value.grad().defined());
    }

    /// Over all pairs of anchors that some window retrieves, each once; not the mean over windows.
    void key_cosine_of_all_windows() {
        const auto model = std::make_unique<model::CaspLlm>(settings(), channels);
        const auto found = evaluate(*model, 30);
        const std::set<std::int32_t> used(found.retrieved.begin(), found.retrieved.end());
        QVERIFY(used.size() > 4);
        const torch::NoGradGuard no_gradient;
        const auto anchors = model->anchor_values().to(at::kDouble);
        double sum = 0, pairs = 0;
        for (const auto a : used)
            for (const auto b : used) {
                if (a == b) continue;
                const auto x = anchors[a], y = anchors[b];
                sum += (x.dot(y) / (x.norm() * y.norm())).item<double>();
                ++pairs;
            }
        QVERIFY(near(found.result.union_key_cosine, sum / pairs, 1e-5));
        QVERIFY(std::abs(found.result.union_key_cosine - found.result.key_cosine) > 1e-4);
    }

    void same_anchors_always() {
        const auto model = std::make_unique<model::CaspLlm>(settings(), channels);
        collapse(*model, 4);
        const auto r = evaluate(*model, 30).result;
        QVERIFY(std::abs(r.usage_entropy - std::log(4.0)) < 1e-14);
        QCOMPARE(r.distinct_anchors, 4.0);
        QVERIFY(std::abs(r.key_cosine - 1) < 1e-6 && std::abs(r.union_key_cosine - 1) < 1e-6);
        for (std::size_t a = 0; a < 30; ++a)
            QCOMPARE(r.usage[a], a < 4 ? windows * channels : std::int64_t{0});
    }

    void one_anchor_always() {
        auto config = settings();
        config.model.top_k = 1;
        const auto model = std::make_unique<model::CaspLlm>(config, channels);
        collapse(*model, 1);
        const auto r = evaluate(*model, 30).result;
        QCOMPARE(r.usage_entropy, 0.0);
        QCOMPARE(r.distinct_anchors, 1.0);
        QVERIFY(std::isnan(r.key_cosine) && std::isnan(r.union_key_cosine));
        QCOMPARE(r.usage[0], windows * channels);
    }

    void model_without_anchors() {
        auto config = settings();
        config.model.prompt = false;
        const auto model = std::make_unique<model::CaspLlm>(config, channels);
        const auto found = evaluate(*model, 30);
        QVERIFY(found.result.mse > 0);
        QVERIFY(found.result.usage.empty() && found.retrieved.empty());
        QVERIFY(std::isnan(found.result.usage_entropy));
        QVERIFY(std::isnan(found.result.key_cosine));
        QVERIFY(std::isnan(found.result.distinct_anchors));
    }

    /// To the bit, and means over their windows.
    void chosen_batches_are_those_of_all() {
        const auto model = std::make_unique<model::CaspLlm>(settings(), channels);
        const auto all = evaluate(*model, 21);  // 7 windows at once: 9 batches, the last of 4 windows
        train::EvaluationOptions options;
        options.rows_per_batch = 21;
        options.batches = {2, 8};
        std::vector<float> chosen;
        std::vector<std::int64_t> first;
        double squares = 0;
        options.sink = [&](const train::EvaluatedBatch& batch) {
            first.push_back(batch.first);
            const auto* values = batch.prediction.data_ptr<float>();
            chosen.insert(chosen.end(), values, values + batch.prediction.numel());
            squares += batch.mse.to(at::kDouble).sum().item<double>();
        };
        const auto result = train::evaluate(*model, window_set(), options, {});
        QCOMPARE(first, (std::vector<std::int64_t>{14, 56}));
        const auto size = static_cast<std::ptrdiff_t>(horizon * channels);
        std::vector<float> expected(all.prediction.begin() + 14 * size, all.prediction.begin() + 21 * size);
        expected.insert(expected.end(), all.prediction.begin() + 56 * size, all.prediction.end());
        QVERIFY(test::same_bits(chosen, expected));
        QVERIFY(near(result.mse, squares / (11 * channels), 1e-6));
    }

    void targets_are_a_slice_of_all() {
        const auto model = std::make_unique<model::CaspLlm>(settings(), channels);
        const auto all = evaluate(*model, 30);
        for (const auto& targets : {std::vector<std::int64_t>{1}, {0, 2}}) {
            const auto found = evaluate(*model, 30, targets);
            const auto count = std::ssize(targets);
            // The values of a channel of all channels, [n, M] to [n, T].
            const auto sliced = [&](const auto& values, std::int64_t inner) {
                auto part = values;
                part.clear();
                const auto outer = std::ssize(values) / (channels * inner);
                for (std::int64_t i = 0; i < outer; ++i)
                    for (const auto c : targets)
                        for (std::int64_t k = 0; k < inner; ++k)
                            part.push_back(values[static_cast<std::size_t>((i * channels + c) * inner + k)]);
                return part;
            };
            QVERIFY(test::same_bits(found.prediction, sliced(all.prediction, 1)));
            QVERIFY(test::same_bits(found.mse, sliced(all.mse, 1)));
            QVERIFY(test::same_bits(found.mae, sliced(all.mae, 1)));
            QVERIFY(test::same_bits(found.retrieved, sliced(all.retrieved, settings().model.top_k)));
            QVERIFY(test::same_bits(found.result.mse_per_channel, sliced(all.result.mse_per_channel, 1)));
            QVERIFY(test::same_bits(found.result.mae_per_channel, sliced(all.result.mae_per_channel, 1)));
            double mse = 0, mae = 0, window_mse = 0;
            for (std::size_t i = 0; i < targets.size(); ++i) {
                mse += found.result.mse_per_channel[i] / static_cast<double>(count);
                mae += found.result.mae_per_channel[i] / static_cast<double>(count);
            }
            for (const auto value : found.mse) window_mse += value / static_cast<double>(found.mse.size());
            QVERIFY(near(found.result.mse, mse) && near(found.result.mae, mae));
            QVERIFY(near(found.result.mse, window_mse, 1e-6));
            QCOMPARE(std::ssize(found.result.mse_per_step), horizon);
            std::vector<std::int64_t> usage(found.result.usage.size());
            for (const auto anchor : found.retrieved) ++usage[static_cast<std::size_t>(anchor)];
            QCOMPARE(found.result.usage, usage);
            // The persistence forecast, by hand.
            const auto values = series();
            const auto access = values.accessor<float, 2>();
            double last = 0;
            for (std::int64_t w = 0; w < windows; ++w)
                for (std::int64_t h = 0; h < horizon; ++h)
                    for (const auto c : targets)
                        last += std::pow(
                            access[first_row + w + lookback - 1][c] - access[first_row + w + lookback + h][c],
                            2.0);
            QVERIFY(near(found.result.last_value_mse, last / static_cast<double>(windows * horizon * count),
                         1e-6));
        }
    }

    void evaluation_can_be_cancelled() {
        const auto model = std::make_unique<model::CaspLlm>(settings(), channels);
        train::StopControl stop;
        train::EvaluationOptions options;
        options.rows_per_batch = 30;
        int batches = 0;
        options.progress = [&](const Progress&) {
            if (++batches == 2) stop.ask(train::StopRequest::cancel);
        };
        QVERIFY_THROWS_EXCEPTION(Cancelled, (void)train::evaluate(*model, window_set(), options, stop));
        QCOMPARE(batches, 2);
        // The model is out of its evaluation mode: it computes anchors from its weights again.
        const auto before = evaluate(*model, 30).prediction;
        tensor_named(*model, "prompt_pool.text_prototype_linear.weight").detach().mul_(-1);
        QVERIFY(!test::same_bits(evaluate(*model, 30).prediction, before));
        // Finishing early is no reason to leave an evaluation.
        train::StopControl early;
        early.ask(train::StopRequest::finish_early);
        QVERIFY(std::isfinite(train::evaluate(*model, window_set(), {}, early).mse));
    }

    void evaluation_waits_while_paused() {
        const auto model = std::make_unique<model::CaspLlm>(settings(), channels);
        train::StopControl stop;
        train::EvaluationOptions options;
        options.rows_per_batch = 30;
        std::atomic<int> batches{0};
        options.progress = [&](const Progress&) {
            if (++batches == 2) stop.pause(true);
        };
        const auto begin = [&] {
            batches = 0;
            return std::async(std::launch::async,
                              [&] { return train::evaluate(*model, window_set(), options, stop).mse; });
        };
        // A future waits for its thread when a check below returns: it must be let go first.
        auto paused = begin();
        const auto let_paused_go = qScopeGuard([&] { stop.pause(false); });
        QTRY_COMPARE_WITH_TIMEOUT(batches.load(), 2, 60000);
        QTest::qWait(200);
        QCOMPARE(batches.load(), 2);
        stop.pause(false);
        QCOMPARE(paused.get(), evaluate(*model, 30).result.mse);
        QVERIFY(batches > 2);
        QVERIFY2(stop.held_seconds() > 0, qPrintable(QString::number(stop.held_seconds())));
        // Who does not want to wait any longer can still cancel it.
        auto cancelled = begin();
        const auto let_cancelled_go = qScopeGuard([&] { stop.ask(train::StopRequest::cancel); });
        QTRY_COMPARE_WITH_TIMEOUT(batches.load(), 2, 60000);
        stop.ask(train::StopRequest::cancel);
        QVERIFY_THROWS_EXCEPTION(Cancelled, (void)cancelled.get());
        QCOMPARE(batches.load(), 2);
    }

    /// What is drawn belongs to the window, whatever batch it is in, and to the seed.
    void look_backs_are_damaged_as_described() {
        using train::Damage;
        const auto all = at::randn({7, 9, 2}, make_generator(3), at::kFloat);
        for (const auto damage : {Damage::shuffled, Damage::masked, Damage::exchanged}) {
            const auto whole = train::damaged(all, damage, 5, 0);
            QVERIFY(at::equal(whole.slice(0, 4, 6), train::damaged(all.slice(0, 4, 6), damage, 5, 4)));
            QCOMPARE(at::equal(whole, train::damaged(all, damage, 6, 0)), damage == Damage::exchanged);
        }
        const auto shuffled = train::damaged(all, Damage::shuffled, 5, 0);
        QVERIFY(!at::equal(shuffled, all));
        // The same rows, all channels alike: sorted by the first channel, both agree.
        const auto by_first = [](const at::Tensor& x) {
            const auto order = at::argsort(x.select(2, 0), 1, false);
            return x.gather(1, order.unsqueeze(2).expand(x.sizes()));
        };
        QVERIFY(at::equal(by_first(shuffled), by_first(all)));
        const auto masked = train::damaged(all, Damage::masked, 5, 0);
        const auto hidden = masked.eq(0);
        QVERIFY(at::equal(hidden.sum(1), at::full({7, 2}, 4, at::kLong)));
        QVERIFY(at::equal(hidden.select(2, 0), hidden.select(2, 1)));
        QVERIFY(at::equal(at::where(hidden, 0.0, all), masked));
        const auto exchanged = train::damaged(all, Damage::exchanged, 5, 0);
        QVERIFY(at::equal(exchanged.slice(1, 0, 5), all.slice(1, 4)));
        QVERIFY(at::equal(exchanged.slice(1, 5), all.slice(1, 0, 4)));
    }

    void changed_look_backs_reach_the_model_only() {
        const auto config = settings();
        model::CaspLlm model(config, channels);
        train::EvaluationOptions options;
        const train::StopControl stop;
        const auto plain = train::evaluate(model, window_set(), options, stop);
        options.change = [](const at::Tensor& lookback, std::int64_t first) {
            return train::damaged(lookback, train::Damage::exchanged, 1, first);
        };
        const auto damaged = train::evaluate(model, window_set(), options, stop);
        QVERIFY(damaged.mse != plain.mse);
        QCOMPARE(damaged.last_value_mse, plain.last_value_mse);
    }
};

TEST_MAIN_WITHOUT_GUI(TestEvaluation)
#include "test_evaluation.moc"
