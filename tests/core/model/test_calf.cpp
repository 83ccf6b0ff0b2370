// CALF against the oracle's fixtures (tests/oracle/make_calf.py), its tensors, dropout, weights and refusals.
#include <fstream>

#include <torch/torch.h>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/train/train_fixture.h"
#include "folder_test.h"
#include "golden/model_golden.h"
#include "model/calf.h"
#include "model/descriptor.h"
#include "model/factory.h"
#include "model/gpt2_weights.h"
#include "model/tensor_file.h"
#include "model_test.h"
#include "test_program.h"
#include "train/checkpoint_model.h"
#include "train/objective.h"
#include "train/session.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

/// The model of a golden file, whose constants are smaller than the public code's.
model::Calf calf_of(const nlohmann::json& c) {
    return model::Calf(test::golden_config(c, "calf"), {c.at("feed_forward"), 0, c.at("word_components"),
                                                        c.value("season", std::int64_t{1})});
}

config::Config small_calf() {
    config::Config c;
    c.model.name = "calf";
    c.data.lookback = 20;
    c.data.horizon = 5;
    c.backbone = {"untrained", 2, 24, 2, 60, 8, 0.1, 0, "gpt2"};
    return c;
}

at::Tensor windows(std::int64_t rows, std::int64_t channels) {
    torch::manual_seed(5);
    return at::randn({3, rows, channels});
}

model::NamedTensors all_of(const model::Forecaster& model) {
    auto tensors = model.trainable();
    for (auto& tensor : model.frozen()) tensors.push_back(std::move(tensor));
    return tensors;
}

std::string line_of(const model::NamedTensor& tensor, const char* kind) {
    std::string line = tensor.name + " ";
    for (std::int64_t i = 0; i < tensor.value.dim(); ++i)
        line.append(i > 0 ? "x" : "").append(std::to_string(tensor.value.size(i)));
    return line + " " + kind;
}

config::Config calf_config(const std::string& csv) {
    auto config = test::small_config(csv);
    config.model.name = "calf";
    return config;
}

}  // namespace

class TestCalf : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        csv_ = test::write_csv(folder("series.csv"), test::small_rows, test::small_channels);
    }

    void equals_the_oracle_data() {
        test::name_rows("name", {"base", "one_channel", "mixed", "few_shot", "m4", "m4_exchanged", "masked",
                                 "attention", "block", "none", "block_few_shot"});
    }
    void equals_the_oracle() {
        QFETCH(QString, name);
        const test::ModelGolden f(golden / "calf" / (name.toStdString() + ".safetensors"));
        auto model = calf_of(f.config);
        f.load(model);
        if (f.has("words")) test::compare_golden("words", model.words(), f.get("words"), 1e-5);
        const auto forecast = test::compare_forecasts(f, model);
        const auto objective = train::objective(forecast, f.get("target"));
        test::compare_golden("total", objective.total, f.get("loss.total"), 1e-5);
        const bool aligned = !name.endsWith("few_shot");
        QCOMPARE(objective.terms.size(), std::size_t{aligned ? 3U : 1U});
        for (const auto& term : objective.terms)
            test::compare_golden(term.name, term.value, f.get("loss." + term.name), 1e-5);
        objective.total.backward();
        test::compare_step(f, model, {.least = 1e-6, .of_largest = false});
    }

    void tensors_are_those_of_the_public_code() {
        std::ifstream stream(golden / "calf" / "tensors.txt");
        std::multiset<std::string> expected, found;
        for (std::string line; std::getline(stream, line);) expected.insert(line);
        const model::Calf model{config::Config{}};
        for (const auto& tensor : model.trainable()) found.insert(line_of(tensor, "trainable"));
        for (const auto& tensor : model.frozen()) found.insert(line_of(tensor, "frozen"));
        for (const auto& line : expected) QVERIFY2(found.count(line) == 1, line.c_str());
        QCOMPARE(found.size(), expected.size());
        QCOMPARE(model::count_elements(model.trainable()), 18341984);
        config::Config etth1;
        etth1.model.name = "calf";
        QCOMPARE(model::estimate(etth1, {.rows = 7, .channels = 7}).parameters_trainable, 18341984);
    }

    void each_dropout_has_an_effect() {
        const auto s = small_calf();
        const auto lookback = windows(s.data.lookback, 3);
        const auto target = windows(s.data.horizon, 3);
        auto settings = s;
        model::CalfConstants constants{.feed_forward = 16};
        for (double* rate :
             {&settings.backbone.dropout, &settings.calf.lora_dropout, &constants.encoder_dropout}) {
            settings.backbone.dropout = settings.calf.lora_dropout = constants.encoder_dropout = 0;
            const auto predict = [&] {
                model::Calf part(settings, constants);
                const torch::NoGradGuard no_gradient;
                for (const auto& tensor : part.trainable())
                    if (tensor.name.find("lora_B") != std::string::npos) tensor.value.fill_(0.1);
                const model::TrainingStep training{1, 0, target};
                return part.forward(lookback, &training, false).prediction;
            };
            const auto without = predict();
            *rate = 0.3;
            QVERIFY(!at::equal(without, predict()));
        }
    }

    void training_begins_at_the_frozen_backbone() {
        const model::Calf model(small_calf());
        for (const auto& tensor : model.trainable())
            if (tensor.name.find("lora_B") != std::string::npos)
                QVERIFY(tensor.value.abs().max().item<double>() == 0);
        const auto frozen = model.frozen();
        // The matrices of both branches are the same memory.
        const auto named = [&](const std::string& name) {
            for (const auto& tensor : frozen)
                if (tensor.name == name) return tensor.value;
            qFatal("no tensor %s", name.c_str());
            return at::Tensor();
        };
        QVERIFY(named("gpt2.base_model.model.wte.weight").data_ptr() ==
                named("gpt2_text.wte.weight").data_ptr());
        QVERIFY(named("gpt2.base_model.model.h.1.attn.c_attn.base_layer.weight").data_ptr() ==
                named("gpt2_text.h.1.attn.c_attn.weight").data_ptr());
    }

    void a_step_needs_the_target() {
        model::Calf model(small_calf());
        const model::TrainingStep training{1, 0};
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument,
                                 (void)model.forward(windows(20, 2), &training, false));
    }

    void components_have_a_sign_and_an_order() {
        torch::manual_seed(9);
        const auto table = at::randn({40, 12});
        const auto rows = model::word_components(table, 5);
        QCOMPARE(rows.sizes().vec(), (std::vector<std::int64_t>{5, 12}));
        const auto norms = rows.square().sum(1);
        QVERIFY((norms.slice(0, 0, 4) >= norms.slice(0, 1)).all().item<bool>());
        const auto largest = rows.gather(1, rows.abs().argmax(1, true));
        QVERIFY((largest > 0).all().item<bool>());
        // Centring each word over the coordinates removes the constant direction.
        QVERIFY(rows.sum(1).abs().max().item<double>() < 1e-4);
        QCOMPARE(model::word_components(table, 500).size(0), 11);
        QVERIFY(at::equal(model::word_components(-table, 5), rows));
    }

    void names_in_gpt2_checkpoints_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("plain");
        QTest::newRow("casp-llm") << "gpt2.h.0.ln_1.weight"
                                  << "h.0.ln_1.weight";
        QTest::newRow("table") << "gpt2.base_model.model.wte.weight"
                               << "wte.weight";
        QTest::newRow("text") << "gpt2_text.ln_f.bias"
                              << "ln_f.bias";
        QTest::newRow("adapted") << "gpt2.base_model.model.h.11.attn.c_attn.base_layer.bias"
                                 << "h.11.attn.c_attn.bias";
        QTest::newRow("LoRA") << "gpt2.base_model.model.h.0.attn.c_attn.lora_A.default.weight"
                              << "";
        QTest::newRow("projection") << "time_proj.0.weight"
                                    << "";
        QTest::newRow("encoder") << "in_layer.transformer_encoder.layers.0.norm1.weight"
                                 << "";
        QTest::newRow("other h.") << "text_branch.h.2.ln_1.bias"
                                  << "h.2.ln_1.bias";
        QTest::newRow("words") << "prompt_pool.wte"
                               << "";
    }
    void names_in_gpt2_checkpoints() {
        QFETCH(QString, name);
        QFETCH(QString, plain);
        QCOMPARE(QString::fromStdString(model::gpt2_name(name.toStdString())), plain);
    }

    void a_backbone_fills_both_branches() {
        auto config = calf_config(csv_);
        const auto file = golden / "gpt2_tiny" / "model.safetensors";
        config.backbone.path = file.string();
        config.backbone.layers = 3;
        config.backbone.width = 20;
        config.backbone.vocabulary = 61;
        config.backbone.positions = 16;
        test::Probe probe;
        const auto session = train::open_model(config, {.channels = 3}, at::kCPU, probe, probe.stop);
        QVERIFY(session.backbone == model::BackboneKind::unknown_checkpoint);
        const store::SafetensorsFile there(file);
        int compared = 0;
        for (const auto& tensor : all_of(*session.model)) {
            const auto plain = model::gpt2_name(tensor.name);
            if (plain.empty()) continue;
            auto expected = at::empty(tensor.value.sizes());
            store::to_floats(
                there.at(plain, std::span(expected.sizes().data(), expected.sizes().size())),
                std::span(expected.data_ptr<float>(), static_cast<std::size_t>(expected.numel())));
            QVERIFY2(at::equal(tensor.value, expected), tensor.name.c_str());
            ++compared;
        }
        QCOMPARE(compared, 2 * (4 + 3 * 12));
    }

    void saved_weights_can_be_reopened() {
        const auto config = calf_config(csv_);
        const auto made = model::make_model(config, {.channels = 3});
        {
            const torch::NoGradGuard no_gradient;
            for (const auto& tensor : all_of(*made)) tensor.value.add_(0.01);
        }
        const auto file = folder("weights.safetensors");
        model::write_tensors(file, all_of(*made), {{"backbone", "untrained"}});
        test::Probe probe;
        const auto session = train::open_weights(file, config, {.channels = 3}, at::kCPU, probe, probe.stop);
        QVERIFY(session.backbone == model::BackboneKind::untrained);
        QVERIFY2(probe.messages.empty(), probe.messages.empty() ? "" : probe.messages.front().c_str());
        const auto lookback = windows(config.data.lookback, 3);
        const torch::NoGradGuard no_gradient;
        QVERIFY(at::equal(session.model->forward(lookback, nullptr, false).prediction,
                          made->forward(lookback, nullptr, false).prediction));
    }

    void a_run_logs_its_terms() {
        auto config = calf_config(csv_);
        config.train.epochs = 1;
        QCOMPARE(test::run_in(folder("whole"), config).state, store::RunState::finished);
        const auto steps = test::record_of(folder("whole")).steps;
        for (const char* name : {"task", "output", "feature"})
            QVERIFY2(steps.find_term(name) != nullptr, name);
        const auto& task = *steps.find_term("task");
        const auto& output = *steps.find_term("output");
        const auto& feature = *steps.find_term("feature");
        for (std::size_t i = 0; i < steps.total.size(); ++i)
            QVERIFY(std::abs(steps.total[i] - task[i] - output[i] - 0.01 * feature[i]) < 1e-5);
    }

    void untrainable_settings_are_refused() {
        auto config = calf_config(csv_);
        QVERIFY(test::says(test::error_of([&] { (void)model::make_model(config, {.channels = 33}); }),
                           "33 channels"));
        config.calf.task_w = config.calf.output_w = config.calf.feature_w = 0;
        QCOMPARE(config::contradictions(config).size(), std::size_t{1});
    }

private:
    std::string csv_;
};

TEST_MAIN_WITHOUT_GUI(TestCalf)
#include "test_calf.moc"
