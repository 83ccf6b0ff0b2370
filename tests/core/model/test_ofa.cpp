// OFA and backbone.kind: against the oracle, by tensor names, and with dropout.
#include <array>
#include <map>

#include <QtTest>

#include <torch/torch.h>

#include "golden/model_golden.h"
#include "model/descriptor.h"
#include "model/factory.h"
#include "test_program.h"
#include "util/random.h"

using namespace casp;

namespace {

const std::filesystem::path golden_folder = std::filesystem::path(CASP_SOURCE_DIR) / "tests/golden/ofa";

/// Look-back 40, horizon 6; 36 wide, with strong dropout.
config::Config small_settings(const std::string& name, const std::string& kind) {
    config::Config c;
    c.model.name = name;
    c.data.lookback = 40;
    c.data.horizon = 6;
    c.backbone = {"untrained", 2, 36, 4, 50, 24, 0.4, 3, kind};
    c.model.pool_size = 12;
    c.model.top_k = 2;
    c.model.trend_length = 9;
    c.model.seasonal_length = 8;
    c.model.head_ways = 1;
    c.ofa.patch_size = 8;
    c.time_llm.dropout = 0;  // that of the backbone is tested
    if (name == "tempo") c.backbone.positions = 64;
    return c;
}

/// Those with a language model.
constexpr std::array with_backbone{"ofa", "s2ip-llm", "casp-llm", "time-llm", "calf", "tempo"};

at::Tensor small_windows() { return at::randn({3, 40, 2}, make_generator(5), at::kFloat); }

}  // namespace

class TestOfa : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void golden_data() {
        test::name_rows("name", {"gpt2", "one_channel", "side_by_side", "attention", "block", "none"});
    }
    void golden() {
        QFETCH(QString, name);
        const test::ModelGolden golden(golden_folder / (name.toStdString() + ".safetensors"));
        const auto model = model::make_model(test::golden_config(golden.config, "ofa"), {});
        golden.load(*model);
        const auto forecast = test::compare_forecasts(golden, *model);
        QVERIFY(forecast.terms.empty() && !forecast.retrieved.defined());
        const auto loss = at::mse_loss(forecast.prediction, golden.get("target"));
        test::compare_golden("loss", loss, golden.get("loss"), test::forward_bound);
        loss.backward();
        test::compare_step(golden, *model);
    }

    void tensors_are_those_of_the_public_code() {
        QFile file(QString::fromStdString((golden_folder / "state_dict.json").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto expected = nlohmann::json::parse(file.readAll().toStdString());
        config::Config etth1;
        etth1.model.name = "ofa";
        const auto model = model::make_model(etth1, {.channels = 1, .single_channel = true});
        nlohmann::json found = nlohmann::json::object();
        for (const auto& list : {model->trainable(), model->frozen()})
            for (const auto& [name, tensor] : list) found[name] = tensor.sizes().vec();
        QVERIFY(found == expected.at("tensors"));
        QCOMPARE(model::count_elements(model->trainable()), 5538144);
        QCOMPARE(expected.at("trainable").get<std::int64_t>(), 5538144);
        QCOMPARE(model::estimate(etth1, {}).parameters_trainable, 5538144);
        for (const auto& tensor : model->frozen())
            QVERIFY2(!tensor.value.requires_grad(), tensor.name.c_str());
    }

    void kinds_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("kind");
        for (const char* name : with_backbone)
            for (const char* kind : {"gpt2", "random", "attention", "block", "none"})
                QTest::addRow("%s %s", name, kind) << QString(name) << QString(kind);
    }
    /// Dropout acts in training only and repeats; the estimate counts the tensors; what is read has an
    /// effect.
    void kinds() {
        QFETCH(QString, name);
        QFETCH(QString, kind);
        const auto config = small_settings(name.toStdString(), kind.toStdString());
        QVERIFY(config::contradictions(config).empty());
        const auto model = model::make_model(config, {.channels = 2});
        const auto e = model::estimate(config, {.rows = 6, .channels = 2});
        QCOMPARE(e.parameters_trainable, model::count_elements(model->trainable()));
        QCOMPARE(e.parameters_total, e.parameters_trainable + model::count_elements(model->frozen()));
        QCOMPARE(e.tokens == 0, kind == "none");
        const auto has = model::capabilities(config);
        const bool gpt2 = kind == "gpt2" || kind == "random";
        QCOMPARE(has.backbone, gpt2 || name != "ofa");
        QCOMPARE(has.backbone, !model->frozen().empty());
        for (const auto& tensor : model->trainable())
            QVERIFY2(gpt2 || !tensor.name.starts_with("gpt2"), tensor.name.c_str());

        const auto run = [&](const model::TrainingStep* step) {
            const torch::NoGradGuard no_gradient;
            return model->forward(small_windows(), step, false).prediction;
        };
        const auto target = at::zeros({3, 6, 2});
        const model::TrainingStep first{7, 0, target}, second{7, 1, target};
        const auto evaluation = run(nullptr);
        QVERIFY(at::equal(evaluation, run(nullptr)));
        QVERIFY(at::equal(run(&first), run(&first)));
        // CALF's input layer has a dropout of its own.
        QCOMPARE(at::equal(run(&first), evaluation), kind == "none" && name != "calf");
        QCOMPARE(at::equal(run(&first), run(&second)), kind == "none" && name != "calf");
        if (model->embedding_width() == 0) return;

        // look() gives what forward() gives, without a forecast.
        const torch::NoGradGuard no_gradient;
        const auto seen = model->look(small_windows());
        const auto whole = model->forward(small_windows(), nullptr, true);
        QVERIFY(!seen.prediction.defined());
        QVERIFY(at::equal(seen.trace->query, whole.trace->query));
        QCOMPARE(seen.trace->query.size(1), model->embedding_width());
    }

    void gradients_reach_every_tensor() {
        for (const std::string name : with_backbone)
            for (const char* kind : {"random", "attention", "block", "none"}) {
                const auto model = model::make_model(small_settings(name, kind), {.channels = 2});
                const model::TrainingStep step{7, 0, at::zeros({3, 6, 2})};
                const auto forecast = model->forward(small_windows(), &step, false);
                auto loss = forecast.prediction.square().sum();
                for (const auto& term : forecast.terms) loss = loss + term.value;
                loss.backward();
                for (const auto& [tensor, value] : model->trainable()) {
                    // Not these: a shift of all keys; LoRA's A while B is zero; prompts that nothing reads.
                    if (tensor.ends_with("key_projection.bias") ||
                        tensor.find("lora_A") != std::string::npos ||
                        (kind == std::string("none") && tensor.starts_with("prompt_layer")))
                        continue;
                    QVERIFY2(value.grad().defined() && value.grad().ne(0).any().item<bool>(),
                             (name + ", " + kind + ": " + tensor).c_str());
                }
            }
    }

    /// Two runs that differ in the kind only begin with the same other layers and token embeddings.
    void kinds_share_their_other_tensors() {
        for (const std::string name : with_backbone) {
            const auto gpt2 = model::make_model(small_settings(name, "gpt2"), {.channels = 2});
            const auto block = model::make_model(small_settings(name, "block"), {.channels = 2});
            std::map<std::string, at::Tensor> tensors;
            for (const auto& list : {gpt2->trainable(), gpt2->frozen()})
                for (const auto& tensor : list) tensors[tensor.name] = tensor.value;
            std::size_t shared = 0;
            for (const auto& list : {block->trainable(), block->frozen()})
                for (const auto& tensor : list)
                    if (!tensor.name.starts_with("backbone")) {
                        QVERIFY2(at::equal(tensors.at(tensor.name), tensor.value), tensor.name.c_str());
                        ++shared;
                    }
            QVERIFY(shared >= 4);
        }
    }

    /// GPT-2 with random weights: the tensors and the words of GPT-2, and other blocks for each seed.
    void random_weights_are_those_of_the_seed() {
        for (const std::string name : with_backbone) {
            const auto values = [&](const char* kind, std::int64_t seed) {
                auto config = small_settings(name, kind);
                config.train.seed = seed;
                const auto model = model::make_model(config, {.channels = 2});
                std::map<std::string, at::Tensor> tensors;
                for (const auto& list : {model->trainable(), model->frozen()})
                    for (const auto& tensor : list) tensors[tensor.name] = tensor.value;
                return tensors;
            };
            const auto gpt2 = values("gpt2", 1), first = values("random", 1), again = values("random", 1),
                       other = values("random", 2);
            QCOMPARE(first.size(), gpt2.size());
            int blocks = 0;
            for (const auto& [tensor, value] : first) {
                QVERIFY2(gpt2.contains(tensor) && at::equal(value, again.at(tensor)), tensor.c_str());
                if (tensor.ends_with("wte.weight")) QVERIFY(at::equal(value, gpt2.at(tensor)));
                const bool drawn = tensor.ends_with("mlp.c_fc.weight") || tensor.ends_with("wpe.weight");
                if (!drawn) continue;
                ++blocks;
                QVERIFY2(!at::equal(value, gpt2.at(tensor)) && !at::equal(value, other.at(tensor)),
                         tensor.c_str());
            }
            QVERIFY(blocks >= 3);
        }
    }

    /// Of OFA, which reads no words, neither the random nor the replaced backbone needs a file.
    void files_are_needed_for_what_is_read() {
        for (const std::string name : with_backbone)
            for (const std::string kind : {"gpt2", "random", "attention", "none"}) {
                auto config = small_settings(name, kind);
                QVERIFY(!model::reads_backbone_file(config));
                config.backbone.path = "catalog:gpt2";
                QCOMPARE(model::reads_backbone_file(config), kind == "gpt2" || name != "ofa");
                config.model.anchors = "free";
                if (name == "casp-llm") QCOMPARE(model::reads_backbone_file(config), kind == "gpt2");
            }
    }

    void bf16_is_near() {
        for (const char* kind : {"gpt2", "attention", "block"}) {
            auto config = small_settings("ofa", kind);
            const torch::NoGradGuard no_gradient;
            const auto full =
                model::make_model(config, {.channels = 2})->forward(small_windows(), nullptr, false);
            config.run.precision = "bf16";
            const auto half =
                model::make_model(config, {.channels = 2})->forward(small_windows(), nullptr, false);
            const double error = test::golden_error(half.prediction, full.prediction);
            QVERIFY2(error > 0 && error < 0.05, qPrintable(QString("%1: %2").arg(kind).arg(error)));
        }
    }

    void settings_of_replaced_blocks_are_not_read() {
        const auto reads = [](const config::Config& config, const char* key) {
            return model::reads(config, *config::find_option(key));
        };
        const auto ofa = small_settings("ofa", "none"), s2ip = small_settings("s2ip-llm", "attention");
        QVERIFY(reads(ofa, "backbone.kind") && reads(ofa, "backbone.width"));
        for (const char* key : {"backbone.layers", "backbone.heads", "backbone.path", "backbone.dropout"})
            QVERIFY2(!reads(ofa, key), key);
        QVERIFY(reads(s2ip, "backbone.path") && reads(s2ip, "backbone.heads") &&
                reads(s2ip, "backbone.dropout"));
        QVERIFY(!reads(s2ip, "backbone.layers") && !reads(s2ip, "backbone.positions"));
        QVERIFY(reads(small_settings("ofa", "gpt2"), "backbone.layers"));
        QVERIFY(reads(ofa, "ofa.stride") && !reads(s2ip, "ofa.stride") && !reads(ofa, "model.patch_length"));
    }

    /// The models that read the setting are those with a language model, and each takes every kind.
    void kinds_are_read_by_models_with_a_language_model() {
        for (const auto& descriptor : model::descriptors()) {
            if (descriptor.name == "python") continue;  // the user's file: test_python_model
            const auto before = small_settings(std::string(descriptor.name), "gpt2");
            const bool has = model::capabilities(before).backbone;
            QCOMPARE(has, std::find(with_backbone.begin(), with_backbone.end(), descriptor.name) !=
                              with_backbone.end());
            QCOMPARE(model::reads(before, *config::find_option("backbone.kind")), has);
        }
    }

    /// A setting that is said to be without effect has none, in models whose other layers read it, too.
    void settings_without_effect_are_not_read() {
        const auto reads = [](const config::Config& config, const char* key) {
            return model::reads(config, *config::find_option(key));
        };
        const auto calf = small_settings("calf", "none"), tempo = small_settings("tempo", "block");
        QVERIFY(reads(calf, "backbone.heads") && !reads(calf, "backbone.dropout"));
        for (const char* key : {"calf.r", "calf.lora_alpha", "calf.lora_dropout", "backbone.layers"})
            QVERIFY2(!reads(calf, key) && reads(small_settings("calf", "random"), key), key);
        for (const char* key : {"tempo.r", "tempo.lora_alpha", "tempo.lora_dropout", "backbone.positions"})
            QVERIFY2(!reads(tempo, key) && reads(small_settings("tempo", "gpt2"), key), key);
        QVERIFY(reads(small_settings("time-llm", "block"), "backbone.positions"));
        auto heads = calf;
        heads.backbone.heads = 7;
        QCOMPARE(config::contradictions(heads).size(), std::size_t{1});
        for (const std::string name : {"casp-llm", "tempo"}) {
            auto gate = small_settings(name, "gpt2");
            gate.tempo.pool = true;
            QVERIFY(reads(gate, "coverage.stop_gradient") && reads(gate, "coverage.gate"));
            gate.coverage.gate = "none";
            QVERIFY(!reads(gate, "coverage.stop_gradient"));
        }
        auto joint = small_settings("casp-llm", "gpt2");
        joint.run.gradient_steps = 5;
        QVERIFY(config::contradictions(joint).empty() && reads(joint, "run.gradient_steps"));
        QVERIFY(!reads(small_settings("naive", "gpt2"), "run.gradient_steps"));
        joint.run.processes = 2;
        QCOMPARE(config::contradictions(joint).size(), std::size_t{1});
    }

    void contradictions_are_found() {
        auto config = small_settings("ofa", "gpt2");
        config.ofa.patch_size = 41;
        QCOMPARE(config::contradictions(config).size(), std::size_t{1});
        config = small_settings("ofa", "gpt2");
        config.ofa.stride = 1;  // 34 patches, 24 positions
        QCOMPARE(config::contradictions(config).size(), std::size_t{1});
        config.backbone.kind = "block";  // without positions
        QVERIFY(config::contradictions(config).empty());
        config.backbone.heads = 7;
        QCOMPARE(config::contradictions(config).size(), std::size_t{1});
        config.backbone.kind = "none";
        QVERIFY(config::contradictions(config).empty());
    }
};

TEST_MAIN_WITHOUT_GUI(TestOfa)
#include "test_ofa.moc"
