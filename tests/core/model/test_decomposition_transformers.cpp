// Autoformer and FEDformer against the Python oracle (tests/oracle/make_autoformer_fedformer.py), and what
// their checkpoints hold.
#include <fstream>
#include <map>

#include <QtTest>

#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "config/config.h"
#include "config/options.h"
#include "core/train/train_fixture.h"
#include "folder_test.h"
#include "golden/model_golden.h"
#include "model/data_embedding.h"
#include "model/decomposition_transformer_shape.h"
#include "model/descriptor.h"
#include "model/factory.h"
#include "model/fedformer.h"
#include "model/tensor_file.h"
#include "model_test.h"
#include "store/safetensors.h"
#include "test_program.h"
#include "train/checkpoint_model.h"
#include "train/objective.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

using Made = std::unique_ptr<model::Forecaster>;

/// A golden file with its model.
class Golden : public test::ModelGolden {
public:
    using ModelGolden::ModelGolden;

    /// Without dropout.
    [[nodiscard]] Made loaded_model() const {
        const auto name = config.at("model").get<std::string>();
        auto settings = test::golden_config(config, name);
        config::set(settings, name + ".dropout", 0.0);
        auto model = model::make_model(settings, {.channels = config.at("channels")});
        load(*model);
        return model;
    }
};

model::Fedformer small_fedformer(std::int64_t seed) {
    config::Config config;
    config.data.lookback = 24;
    config.data.horizon = 6;
    config.train.seed = seed;
    config.fedformer = {8, 2, 2, 2, 12, 5, 8, 0.0, 6, "random"};
    return {config, 2};
}

}  // namespace

class TestDecompositionTransformers : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void oracle_data() {
        QTest::addColumn<QString>("file");
        for (const std::string model : {"autoformer", "fedformer"})
            for (const std::string name : {"base", "odd", "long_horizon"})
                QTest::newRow((model + " " + name).c_str())
                    << QString::fromStdString((golden / model / (name + ".safetensors")).string());
    }
    void oracle() {
        QFETCH(QString, file);
        const Golden g(file.toStdString());
        const auto model = g.loaded_model();
        const auto forecast = test::compare_forecasts(g, *model);
        const auto loss = train::objective(forecast, g.get("target")).total;
        test::compare_golden("loss", loss, g.get("loss"), 1e-6);
        loss.backward();
        // Zero in exact arithmetic: a constant in front of a softmax over lags.
        test::compare_step(g, *model, {.floor = 0.01, .least = 1e-5});
    }

    void tensors_are_those_of_the_public_code_data() { test::name_rows("name", {"autoformer", "fedformer"}); }
    void tensors_are_those_of_the_public_code() {
        QFETCH(QString, name);
        std::ifstream file(golden / name.toStdString() / "state_dict.json");
        const auto expected = nlohmann::json::parse(file);
        config::Config etth1;
        etth1.model.name = name.toStdString();
        const auto model = model::make_model(etth1, {.channels = 7});
        std::map<std::string, std::vector<std::int64_t>> found;
        for (const auto& [tensor, value] : model::stored_tensors(*model))
            QVERIFY2(found.emplace(tensor, value.sizes().vec()).second, tensor.c_str());
        const auto wanted = expected.at("tensors").get<std::map<std::string, std::vector<std::int64_t>>>();
        for (const auto& [tensor, sizes] : wanted)
            QVERIFY2(found.contains(tensor) && found.at(tensor) == sizes, tensor.c_str());
        QCOMPARE(found.size(), wanted.size());
        const std::int64_t parameters = name == "autoformer" ? 10535943 : 16827399;
        QCOMPARE(model::count_elements(model->trainable()), parameters);
        QCOMPARE(expected.at("parameters").get<std::int64_t>(), parameters);
        QCOMPARE(model::estimate(etth1, {.rows = 7, .channels = 7}).parameters_trainable, parameters);
        for (const auto& tensor : model->state())
            QVERIFY(tensor.value.scalar_type() == at::kLong && tensor.value.is_cpu());
    }

    void time_features_count() {
        for (const auto* name : {"autoformer", "fedformer"}) {
            const Golden g(golden / name / "base.safetensors");
            const auto model = g.loaded_model();
            const torch::NoGradGuard no_gradient;
            QVERIFY(!at::allclose(model->forward(g.get("lookback"), nullptr, false).prediction,
                                  g.get("prediction")));
        }
    }

    void positions_are_sines_and_cosines() {
        const auto table = model::sinusoidal_positions(7, 5, at::kCPU);
        QVERIFY(table.sizes() == at::IntArrayRef({7, 5}));
        for (std::int64_t t = 0; t < 7; ++t)
            for (std::int64_t i = 0; i < 5; ++i) {
                const double angle =
                    static_cast<double>(t) / std::pow(10000.0, static_cast<double>(i / 2 * 2) / 5);
                const double expected = i % 2 == 0 ? std::sin(angle) : std::cos(angle);
                QVERIFY(std::abs(table[t][i].item<double>() - expected) < 1e-6);
            }
    }

    void frequencies_are_drawn_from_the_seed() {
        const auto draw = [](std::uint64_t seed, bool random) {
            return model::fourier_frequencies(100, 8, random, seed, "x");
        };
        QVERIFY(at::equal(draw(1, true), draw(1, true)));
        QVERIFY(!at::equal(draw(1, true), draw(2, true)));
        QVERIFY(at::equal(draw(1, false), at::arange(8, at::kLong)));
        const auto index = draw(1, true);
        QVERIFY((index.slice(0, 1) > index.slice(0, 0, 7)).all().item<bool>());
        QVERIFY(index[0].item<std::int64_t>() >= 0 && index[7].item<std::int64_t>() < 50);
        QCOMPARE(model::fourier_frequencies(9, 32, true, 1, "x").numel(), 4);
    }

    void frequencies_outside_of_the_spectrum_are_skipped() {
        const model::FourierWeights weights{at::rand({2, 3, 3, 3}), at::rand({2, 3, 3, 3})};
        const auto x = at::rand({2, 8, 6});
        const auto index = [](std::vector<std::int64_t> values) { return at::tensor(values, at::kLong); };
        const auto some = model::fourier_block(x, weights, index({1, 5, -1}));
        const model::FourierWeights first{weights.real.slice(3, 0, 1), weights.imaginary.slice(3, 0, 1)};
        QVERIFY(at::allclose(some, model::fourier_block(x, first, index({1}))));
        QVERIFY(at::equal(model::fourier_block(x, weights, index({5, 6, 7})), at::zeros_like(x)));
    }

    /// A shared block is stored under every layer's name; one is enough to read, unequal ones are rejected.
    void shared_blocks_have_every_layers_name() {
        const auto written = small_fedformer(3);
        const auto all = model::stored_tensors(written);
        const auto file = folder("shared.safetensors");
        model::write_tensors(file, all);
        const auto first = "encoder.attn_layers.0.attention.inner_correlation.weights1";
        const auto second = "encoder.attn_layers.1.attention.inner_correlation.weights1";
        const auto stored = test::tensors_of(file);  // by name and shape
        const auto bytes_of = [&](const std::string& name) {
            const auto found = stored.lower_bound(name);
            return found != stored.end() && found->first.starts_with(name) ? found->second : std::string();
        };
        QVERIFY(!bytes_of(first).empty() && bytes_of(first) == bytes_of(second));
        QVERIFY(!bytes_of("decoder.layers.1.cross_attention.inner_correlation.index_kv").empty());

        auto one_name = all;
        std::erase_if(one_name, [&](const auto& tensor) { return tensor.name == first; });
        model::write_tensors(file, one_name);
        const auto read = small_fedformer(4);
        model::read_tensors(file, model::stored_tensors(read));
        QCOMPARE(model::digest_of(model::stored_tensors(read)), model::digest_of(all));

        auto unequal = all;
        for (auto& tensor : unequal)
            if (tensor.name == second) tensor.value = tensor.value + 1;
        model::write_tensors(file, unequal);
        const auto error = test::error_of([&] { model::read_tensors(file, model::stored_tensors(read)); });
        QVERIFY(test::says(error, second) && test::says(error, "differ from those of"));

        std::erase_if(one_name, [&](const auto& tensor) { return tensor.name == second; });
        model::write_tensors(file, one_name);
        QVERIFY(test::says(test::error_of([&] { model::read_tensors(file, model::stored_tensors(read)); }),
                           "weights1"));
    }

    /// Files of the public code have no frequencies.
    void missing_frequencies_are_reported() {
        auto config = test::small_config("");
        config.model.name = "fedformer";
        const model::DataShape data{.channels = 2};
        const auto written = model::make_model(config, data);
        const auto file = folder("public.safetensors");
        auto tensors = written->trainable();
        for (const auto& tensor : written->aliases()) tensors.push_back(tensor);
        model::write_tensors(file, tensors);
        test::Probe probe;
        config.train.seed = 7;
        const auto opened = train::open_weights(file, config, data, at::kCPU, probe, probe.stop);
        QCOMPARE(probe.messages.size(), std::size_t{1});
        QVERIFY(probe.messages[0].find("inner_correlation.index_kv") != std::string::npos &&
                probe.messages[0].find("train.seed") != std::string::npos);
        QCOMPARE(model::digest_of(opened.model->trainable()), model::digest_of(written->trainable()));
        for (const auto& tensor : written->state()) tensors.push_back(tensor);
        model::write_tensors(file, tensors);
        probe.messages.clear();
        const auto complete = train::open_weights(file, config, data, at::kCPU, probe, probe.stop);
        QVERIFY(probe.messages.empty());
        QCOMPARE(model::digest_of(complete.model->state()), model::digest_of(written->state()));
    }

    void contradictions_are_found() {
        for (const std::string name : {"autoformer", "fedformer"}) {
            config::Config config;
            config.model.name = name;
            QVERIFY(config::contradictions(config).empty());
            config::set(config, name + ".n_heads", std::int64_t{7});
            config::set(config, name + ".label_len", std::int64_t{513});
            const auto found = config::contradictions(config);
            QCOMPARE(found.size(), std::size_t{2});
            QCOMPARE(found[1].found, name + ".label_len = 513 is longer than data.lookback = 512");
        }
        config::Config config;
        config.model.name = "autoformer";
        config.autoformer.factor = 200;  // 200 · ln 512 = 1247 lags
        QCOMPARE(config::contradictions(config).size(), std::size_t{2});
        QCOMPARE(model::delay_count(3, 12), 7);
        QCOMPARE(model::delay_count(3, 96), 13);
        QCOMPARE(model::delays_available(13), 12);
    }
};

TEST_MAIN_WITHOUT_GUI(TestDecompositionTransformers)
#include "test_decomposition_transformers.moc"
