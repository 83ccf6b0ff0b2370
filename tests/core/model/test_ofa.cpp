// OFA and backbone.kind: against the oracle, by tensor names, and with dropout.
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
    return c;
}

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
        for (const char* name : {"ofa", "s2ip-llm", "casp-llm"})
            for (const char* kind : {"gpt2", "attention", "block", "none"})
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
        QCOMPARE(has.backbone, kind == "gpt2" || name != "ofa");
        QCOMPARE(has.backbone, !model->frozen().empty());
        for (const auto& tensor : model->trainable())
            QVERIFY2(kind == "gpt2" || !tensor.name.starts_with("gpt2."), tensor.name.c_str());

        const auto run = [&](const model::TrainingStep* step) {
            const torch::NoGradGuard no_gradient;
            return model->forward(small_windows(), step, false).prediction;
        };
        const model::TrainingStep first{7, 0}, second{7, 1};
        const auto evaluation = run(nullptr);
        QVERIFY(at::equal(evaluation, run(nullptr)));
        QVERIFY(at::equal(run(&first), run(&first)));
        QCOMPARE(at::equal(run(&first), evaluation), kind == "none");
        QCOMPARE(at::equal(run(&first), run(&second)), kind == "none");

        // look() gives what forward() gives, without a forecast.
        const torch::NoGradGuard no_gradient;
        const auto seen = model->look(small_windows());
        const auto whole = model->forward(small_windows(), nullptr, true);
        QVERIFY(!seen.prediction.defined());
        QVERIFY(at::equal(seen.trace->query, whole.trace->query));
        QCOMPARE(seen.trace->query.size(1), model->embedding_width());
    }

    void gradients_reach_every_tensor() {
        for (const char* kind : {"attention", "block", "none"}) {
            const auto model = model::make_model(small_settings("ofa", kind), {.channels = 2});
            const model::TrainingStep step{7, 0};
            model->forward(small_windows(), &step, false).prediction.square().sum().backward();
            for (const auto& [name, tensor] : model->trainable())
                QVERIFY2(tensor.grad().defined() && tensor.grad().ne(0).any().item<bool>(), name.c_str());
        }
    }

    /// Two runs that differ in the kind only begin with the same other layers and token embeddings.
    void kinds_share_their_other_tensors() {
        for (const char* name : {"ofa", "s2ip-llm"}) {
            const auto gpt2 = model::make_model(small_settings(name, "gpt2"), {.channels = 2});
            const auto block = model::make_model(small_settings(name, "block"), {.channels = 2});
            std::map<std::string, at::Tensor> tensors;
            for (const auto& list : {gpt2->trainable(), gpt2->frozen()})
                for (const auto& tensor : list) tensors[tensor.name] = tensor.value;
            std::size_t shared = 0;
            for (const auto& list : {block->trainable(), block->frozen()})
                for (const auto& tensor : list)
                    if (!tensor.name.starts_with("backbone.")) {
                        QVERIFY2(at::equal(tensors.at(tensor.name), tensor.value), tensor.name.c_str());
                        ++shared;
                    }
            QCOMPARE(shared, std::size_t{name == std::string("ofa") ? 4U : 7U});
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

    /// No model takes a kind that it does not implement.
    void kinds_are_replaced_or_refused() {
        int replaced = 0;
        for (const auto& descriptor : model::descriptors()) {
            if (descriptor.name == "python") continue;  // the user's file: test_python_model
            auto config = small_settings(std::string(descriptor.name), "block");
            const auto before = small_settings(std::string(descriptor.name), "gpt2");
            const bool reads = model::reads(config, *config::find_option("backbone.kind"));
            const bool refused =
                config::contradictions(config).size() > config::contradictions(before).size();
            QCOMPARE(reads, model::capabilities(before).backbone);
            QCOMPARE(refused, reads && !model::capabilities(config).replaceable);
            replaced += reads && !refused ? 1 : 0;
        }
        QVERIFY(replaced >= 3);
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
