// PatchTST and iTransformer against their PyTorch oracle (tests/oracle/encoder_models.py), their tensor
// names, and dropout.
#include <torch/torch.h>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/train/train_fixture.h"
#include "golden/model_golden.h"
#include "model/attention.h"
#include "model/descriptor.h"
#include "model/factory.h"
#include "model/tensor_file.h"
#include "model/transformer_encoder.h"
#include "model_test.h"
#include "store/safetensors.h"
#include "test_program.h"
#include "train/checkpoint_model.h"
#include "train/objective.h"
#include "util/random.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

const std::string models[] = {"patchtst", "itransformer"};

/// Trainable tensors and state.
model::NamedTensors tensors_of(const model::Forecaster& model) {
    auto tensors = model.trainable();
    for (const auto& tensor : model.state()) tensors.push_back(tensor);
    return tensors;
}

config::Config small_model(const std::string& name, double dropout) {
    config::Config config;
    config.model.name = name;
    config.data.lookback = 32;
    config.data.horizon = 8;
    config.patchtst.d_model = config.itransformer.d_model = 16;
    config.patchtst.d_ff = config.itransformer.d_ff = 24;
    config.patchtst.dropout = config.itransformer.dropout = dropout;
    return config;
}

at::Tensor drawn(at::IntArrayRef shape, std::uint64_t seed) {
    return at::empty(shape, at::kFloat).normal_(0, 1, make_generator(seed));
}

}  // namespace

class TestEncoderModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void golden_cases_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("file");
        for (const auto& model : models)
            for (const auto& entry : fs::directory_iterator(golden)) {
                const auto name = entry.path().filename().string();
                if (name.starts_with(model + "_") && entry.path().extension() == ".safetensors")
                    QTest::newRow(entry.path().stem().c_str())
                        << QString::fromStdString(model) << QString::fromStdString(entry.path().string());
            }
    }
    void golden_cases() {
        QFETCH(QString, model);
        QFETCH(QString, file);
        const test::ModelGolden f(file.toStdString(), "settings");
        const auto made = model::make_model(test::golden_config(f.config, model.toStdString()),
                                            {.channels = f.config.at("channels")});
        f.load(*made);
        // With and without gradients there are two ways through the encoder; neither changes the model.
        const model::ModelInput input(f.get("lookback"), f.get_if_there("time"));
        QVERIFY(test::golden_error(made->forward(input, nullptr, false).prediction,
                                   f.get("eval.prediction")) < 1e-5);
        for (const auto& [name, tensor] : made->state()) QVERIFY(at::equal(tensor, f.get("param." + name)));
        const auto loss = train::objective(test::compare_forecasts(f, *made), f.get("target")).total;
        QVERIFY(test::golden_error(loss, f.get("loss")) < 1e-6);
        loss.backward();
        test::compare_step(f, *made, {.floor = 1e-2});
        for (const auto& [name, tensor] : made->state())
            test::compare_golden(name, tensor, f.get("after1." + name), 1e-4);
    }

    void tensors_are_the_public_ones_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<qint64>("parameters");
        QTest::newRow("patchtst") << "patchtst" << qint64{6307424};
        QTest::newRow("itransformer") << "itransformer" << qint64{948064};
    }
    void tensors_are_the_public_ones() {
        QFETCH(QString, model);
        QFETCH(qint64, parameters);
        config::Config config;
        config.model.name = model.toStdString();
        const auto made = model::make_model(config, {.channels = 7});
        QCOMPARE(qint64{model::count_elements(made->trainable())}, parameters);
        QCOMPARE(qint64{model::estimate(config, {.rows = 7, .channels = 7}).parameters_trainable},
                 parameters);
        const auto expected =
            nlohmann::json::parse(test::bytes_of(golden / (config.model.name + "_tensors.json")));
        const auto compare = [&](const model::NamedTensors& found, const char* list) {
            QCOMPARE(found.size(), expected.at(list).size());
            for (const auto& [name, tensor] : found) {
                QVERIFY2(expected.at(list).contains(name), name.c_str());
                QCOMPARE(tensor.sizes().vec(), expected.at(list).at(name).get<std::vector<std::int64_t>>());
            }
        };
        compare(made->trainable(), "trainable");
        compare(made->state(), "state");
    }

    /// A file with the public names and the constants of the public state dict.
    void a_public_checkpoint_loads() {
        const QTemporaryDir folder;
        for (const auto& name : models) {
            const test::ModelGolden f(golden / (name + "_base.safetensors"), "settings");
            const auto config = test::golden_config(f.config, name);
            const model::DataShape shape{.channels = f.config.at("channels")};
            model::NamedTensors stored;
            for (const auto& tensor : tensors_of(*model::make_model(config, shape)))
                stored.push_back({tensor.name, f.get("param." + tensor.name)});
            stored.push_back({"patch_embedding.position_embedding.pe", at::zeros({1, 50, 16})});
            stored.push_back({"encoder.norm.1.num_batches_tracked", at::zeros({1}, at::kLong)});
            const auto file = fs::path(folder.path().toStdString()) / (name + ".safetensors");
            model::write_tensors(file, stored);
            test::Probe probe;
            const auto session =
                train::open_weights(file, config, shape, at::kCPU, probe, train::StopControl());
            QVERIFY(probe.messages.empty());
            const model::ModelInput input(f.get("lookback"), f.get_if_there("time"));
            QVERIFY(test::golden_error(session.model->forward(input, nullptr, false).prediction,
                                       f.get("eval.prediction")) < 1e-5);
        }
    }

    /// Masks are computed again in the backward pass: gradients against differences.
    void gradients_with_dropout_are_those_of_the_forward_pass() {
        const model::TrainingStep step{1, 0};
        const auto input = drawn({2, 32, 2}, 6);
        const auto target = drawn({2, 8, 2}, 7);
        for (const auto& name : models) {
            const auto made = model::make_model(small_model(name, 0.3), {.channels = 2});
            const auto loss = [&] {
                return train::objective(made->forward(input, &step, false), target).total;
            };
            loss().backward();
            for (const auto& [tensor_name, tensor] : made->trainable()) {
                const auto gradient = tensor.grad().clone();
                const auto direction = gradient / gradient.norm().clamp_min(1e-20);
                const double slope = (gradient * direction).sum().item<double>();
                if (slope < 1e-2) continue;  // differences in fp32 would be rounding
                const torch::NoGradGuard no_gradient;
                constexpr double width = 4e-3;
                tensor.add_(direction, width);
                const double above = loss().item<double>();
                tensor.sub_(direction, 2 * width);
                const double below = loss().item<double>();
                tensor.add_(direction, width);
                QVERIFY2(std::abs((above - below) / (2 * width) - slope) < 0.03 * slope,
                         (name + ": " + tensor_name).c_str());
            }
        }
    }

    /// Several slices of rows and one give the same values; a row's mask depends on its slice.
    void feed_forward_in_slices() {
        const auto x = drawn({2500, 6}, 8);
        const auto w1 = drawn({10, 6, 1}, 1).set_requires_grad(true), b1 = drawn({10}, 2);
        const auto w2 = drawn({6, 10, 1}, 3).set_requires_grad(true), b2 = drawn({6}, 4);
        const auto direct = at::linear(at::gelu(at::linear(x, w1.squeeze(2), b1)), w2.squeeze(2), b2);
        const auto error = [&] {
            return test::golden_error(model::feed_forward(x, w1, b1, w2, b2, 0, 0), direct.detach());
        };
        QVERIFY(error() < 1e-6);
        const torch::NoGradGuard no_gradient;
        QVERIFY(error() < 1e-6);
    }

    /// Every token sees every other one: with and without dropout the first output depends on the last token.
    void full_attention_has_no_mask() {
        const auto qkv = drawn({2, 5, 24}, 9);
        auto changed = qkv.clone();
        changed.select(1, 4).add_(1);
        for (const double p : {0.0, 1e-9}) {
            const auto first = model::full_attention(qkv, 2, p, 3).select(1, 0);
            QVERIFY(!at::allclose(first, model::full_attention(changed, 2, p, 3).select(1, 0)));
            QVERIFY(at::equal(model::causal_attention(qkv, 2, p, 3).select(1, 0),
                              model::causal_attention(changed, 2, p, 3).select(1, 0)));
        }
        QVERIFY(at::allclose(model::full_attention(qkv, 2, 0, 3), model::full_attention(qkv, 2, 1e-9, 3),
                             1e-5, 1e-6));
    }

    void patchtst_normalises_one_token_by_the_running_statistics() {
        auto config = small_model("patchtst", 0);
        config.data.lookback = 12;
        const auto made = model::make_model(config, {});
        const model::TrainingStep step{1, 0};
        const auto input = drawn({1, 12, 1}, 10);
        const auto trained = made->forward(input, &step, false).prediction;
        QVERIFY(trained.isfinite().all().item<bool>());
        QVERIFY(at::allclose(trained, made->forward(input, nullptr, false).prediction, 1e-4, 1e-5));
        for (const auto& [name, tensor] : made->state()) QVERIFY(tensor.isfinite().all().item<bool>());
    }

    /// Channels are tokens, so their order does not matter; time features do.
    void itransformer_reads_channels_as_a_set_and_times() {
        const auto made = model::make_model(small_model("itransformer", 0), {.channels = 3});
        const torch::NoGradGuard no_gradient;
        const auto input = drawn({2, 32, 3}, 11), time = drawn({2, 40, 4}, 12);
        const auto order = at::tensor(std::vector<std::int64_t>{2, 0, 1});
        const auto forecast = [&](const at::Tensor& x, const at::Tensor& t) {
            return made->forward({x, t}, nullptr, false).prediction;
        };
        QVERIFY(at::allclose(forecast(input.index_select(2, order), time),
                             forecast(input, time).index_select(2, order), 1e-4, 1e-5));
        QVERIFY(!at::allclose(forecast(input, time), forecast(input, {}), 1e-4, 1e-5));
        auto later = time.clone();
        later.slice(1, 32).add_(1);  // the horizon's features take no part
        QVERIFY(at::equal(forecast(input, later), forecast(input, time)));
    }

    void settings_that_do_not_fit() {
        auto config = small_model("patchtst", 0);
        config.patchtst.n_heads = 3;
        config.patchtst.patch_len = 41;
        const auto found = config::contradictions(config);
        QCOMPARE(found.size(), std::size_t{2});
        QVERIFY(found[0].found.english().find(
                    "patchtst.d_model = 16 is no multiple of patchtst.n_heads = 3") != std::string::npos);
        config.model.name = "itransformer";
        QVERIFY(config::contradictions(config).empty());
    }

    void models_of_all_channels_refuse_single_channels() {
        for (const auto* name : {"itransformer", "autoformer", "fedformer", "calf"}) {
            config::Config config;
            config.model.name = name;
            QVERIFY2(test::says(test::error_of([&] {
                                    (void)model::make_model(config, {.channels = 1, .single_channel = true});
                                }),
                                "multi-channel"),
                     name);
        }
    }
};

TEST_MAIN_WITHOUT_GUI(TestEncoderModels)
#include "test_encoder_models.moc"
