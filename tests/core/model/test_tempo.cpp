// TEMPO: against the oracle (tests/oracle/make_tempo.py), by tensor names, its pool with coverage,
// checkpoints.
#include <cmath>

#include <nlohmann/json.hpp>
#include <QtTest>

#include <torch/torch.h>

#include "config/experiment.h"
#include "core/train/train_fixture.h"
#include "golden/model_golden.h"
#include "inspect/window_embeddings.h"
#include "model/descriptor.h"
#include "model/factory.h"
#include "model/gpt2_weights.h"
#include "model/tempo.h"
#include "model/tensor_file.h"
#include "test_program.h"
#include "text/gpt2_tokenizer.h"
#include "train/checkpoint_model.h"
#include "train/objective.h"
#include "util/random.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

const fs::path tempo_golden = fs::path(CASP_SOURCE_DIR) / "tests/golden/tempo";

/// Look-back 40, horizon 6, 2 channels; 24 wide, with strong dropout.
config::Config small_tempo(bool pool) {
    config::Config c;
    c.model.name = "tempo";
    c.data.lookback = 40;
    c.data.horizon = 6;
    c.backbone = {"untrained", 2, 24, 4, 50, 60, 0.4, 3, "gpt2"};
    c.tempo.patch_size = 8;
    c.tempo.pool = pool;
    c.tempo.pool_size = 7;
    c.tempo.top_k = c.tempo.prompt_len = 2;
    return c;
}

at::Tensor tempo_windows() { return at::randn({3, 40, 2}, make_generator(5), at::kFloat); }

at::Tensor tensor_called(const model::NamedTensors& tensors, const std::string& name) {
    for (const auto& tensor : tensors)
        if (tensor.name == name) return tensor.value;
    qFatal("no tensor %s", name.c_str());
    return {};
}

}  // namespace

class TestTempo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void golden_data() {
        test::name_rows("name", {"sentences", "no_prompt", "pool", "pool_one", "attention", "block",
                                 "pool_product", "none"});
    }
    void golden() {
        QFETCH(QString, name);
        const test::ModelGolden golden(tempo_golden / (name.toStdString() + ".safetensors"));
        const auto s = test::golden_config(golden.config, "tempo");
        const bool pool = s.tempo.pool;
        model::Tempo model(s);
        golden.load(model);
        if (pool) model.coverage_statistic().copy_(golden.get("statistic"));
        {
            const torch::NoGradGuard no_gradient;
            const auto evaluated = model.forward(golden.get("lookback"), nullptr, false);
            QVERIFY(evaluated.terms.empty() && !evaluated.trace);
            QCOMPARE(evaluated.key_cosine.defined(), pool && s.tempo.top_k > 1);
            if (evaluated.key_cosine.defined())
                test::compare_golden("key_cosine", evaluated.key_cosine, golden.get("key_cosine"), 1e-5);
        }
        const auto forecast = test::compare_forecasts(golden, model);
        const auto objective = train::objective(forecast, golden.get("target"));
        test::compare_golden("forecast", objective.forecast, golden.get("loss.forecast"),
                             test::forward_bound);
        test::compare_golden("loss", objective.total, golden.get("loss"), test::forward_bound);
        QCOMPARE(objective.terms.size(), std::size_t{pool ? 2U : 0U});
        for (const auto& term : objective.terms)
            test::compare_golden(term.name, term.value, golden.get("loss." + term.name), test::forward_bound);
        QCOMPARE(forecast.retrieved.defined(), pool);
        if (pool) {
            QVERIFY(at::equal(forecast.retrieved, golden.get("selected")));
            test::compare_golden("similarity", forecast.trace->similarity, golden.get("similarity"),
                                 test::forward_bound);
            test::compare_golden("active pairs", forecast.active_pairs, golden.get("active_pairs"), 1e-5);
            test::compare_golden("statistic", model.coverage_statistic(),
                                 golden.get("after1.coverage_statistic"), test::forward_bound);
        }
        objective.total.backward();
        test::compare_step(golden, model);
        for (const auto& tensor : model.frozen()) QVERIFY(!tensor.value.grad().defined());
    }

    /// Names and shapes of the public state_dict, without what the public code does not use.
    void tensors_are_those_of_the_public_code() {
        const auto expected = nlohmann::json::parse(test::bytes_of(tempo_golden / "state_dict.json"));
        for (const bool pool : {false, true}) {
            const auto& facts = expected.at(pool ? "pool" : "sentences");
            config::Config etth1;
            etth1.model.name = "tempo";
            etth1.tempo.pool = pool;
            const auto model = model::make_model(etth1, {.channels = 1, .single_channel = true});
            auto found = nlohmann::json::object();
            for (const auto& list : {model->trainable(), model->frozen()})
                for (const auto& [name, tensor] : list) found[name] = tensor.sizes().vec();
            const auto difference = nlohmann::json::diff(facts.at("tensors"), found);
            QVERIFY2(difference.empty(), difference.dump().c_str());
            const auto trainable = facts.at("trainable").get<std::int64_t>();
            QCOMPARE(model::count_elements(model->trainable()), trainable);
            QCOMPARE(trainable, pool ? 16944739 : 18624290);
            const auto e = model::estimate(etth1, {.rows = 7});
            QCOMPARE(e.parameters_trainable, trainable);
            QCOMPARE(e.parameters_total, trainable + model::count_elements(model->frozen()));
            for (const auto& tensor : model->frozen())
                QVERIFY2(!tensor.value.requires_grad(), tensor.name.c_str());
        }
    }

    void estimates_follow_the_settings() {
        for (const bool prompt : {false, true})
            for (const bool use_token : {false, true}) {
                auto config = small_tempo(true);
                config.tempo.prompt = prompt;
                config.tempo.use_token = use_token;
                const auto model = model::make_model(config, {.channels = 2});
                QCOMPARE(model::estimate(config, {.rows = 6}).parameters_trainable,
                         model::count_elements(model->trainable()));
                QCOMPARE(model::capabilities(config).anchors, model->anchors() != nullptr);
                const torch::NoGradGuard no_gradient;
                QCOMPARE(model->forward(tempo_windows(), nullptr, false).prediction.sizes().vec(),
                         (std::vector<std::int64_t>{3, 6, 2}));
            }
    }

    /// The constant tokens are those of GPT-2's tokenizer, where its vocabulary is here.
    void sentences_are_gpt2_tokens() {
        const fs::path vocabulary = fs::path(CASP_SHARED_DATA) / "gpt2/vocab.json";
        if (!fs::exists(vocabulary)) QSKIP("GPT-2's vocabulary is not here (shared/data/gpt2/vocab.json)");
        const text::Gpt2Tokenizer tokenizer(text::Tokens::read(vocabulary));
        const std::vector<std::string> last{"trend", "season", "residual"};
        for (std::size_t i = 0; i < last.size(); ++i)
            QCOMPARE(tokenizer.encode("Predict the future time step given the " + last[i]),
                     model::tempo_sentence_tokens(i));
    }

    /// As in the public code, whose loss has no term of the pool, keys and queries are untrained with both
    /// weights 0, and the prompts are trained.
    void weights_of_zero_leave_the_keys() {
        for (const double lambda : {0.0, 0.5}) {
            auto config = small_tempo(true);
            config.loss.lambda_sim = 0;
            config.loss.lambda_cov = lambda;
            const auto model = model::make_model(config, {.channels = 2});
            model->anchors()->coverage_statistic().fill_(0.9F);
            const model::TrainingStep step{7, 0};
            const auto forecast = model->forward(tempo_windows(), &step, false);
            train::objective(forecast, at::zeros({3, 6, 2})).total.backward();
            const auto moves = [&](const std::string& name) {
                const auto gradient = tensor_called(model->trainable(), name).grad();
                return gradient.defined() && gradient.ne(0).any().item<bool>();
            };
            bool keys = false, prompts = false;
            for (const auto& [name, tensor] : model->trainable()) {
                if (name.starts_with("prompt_key_dict.")) keys = keys || moves(name);
                if (name.starts_with("prompt_value_dict.")) prompts = prompts || moves(name);
            }
            QCOMPARE(keys, lambda > 0);
            QCOMPARE(moves("summary_map.weight"), lambda > 0);
            QVERIFY(prompts);
        }
    }

    void held_anchors_decide_the_retrieval() {
        const auto model = model::make_model(small_tempo(true), {.channels = 2});
        auto* pool = model->anchors();
        QCOMPARE(pool->pool_size(), 7);
        QCOMPARE(pool->top_k(), 6);  // 2 for each component
        const auto own = pool->anchor_values();
        QCOMPARE(own.sizes().vec(), (std::vector<std::int64_t>{7, 24}));
        const torch::NoGradGuard no_gradient;
        const auto before = model->forward(tempo_windows(), nullptr, false).retrieved;
        QCOMPARE(before.sizes().vec(), (std::vector<std::int64_t>{6, 6}));
        pool->hold_anchors(own.flip(0));
        QVERIFY(at::equal(model->forward(tempo_windows(), nullptr, false).retrieved, 6 - before));
        model->weights_replaced();
        QVERIFY(at::equal(model->forward(tempo_windows(), nullptr, false).retrieved, before));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, pool->hold_anchors(own.narrow(0, 0, 6)));
    }

    void usage_and_coverage_are_recorded() {
        const QTemporaryDir folder;
        const auto place = fs::path(folder.path().toStdString());
        auto config =
            test::small_config(test::write_csv(place / "series.csv", test::small_rows, test::small_channels));
        config.model.name = "tempo";
        const auto row = test::run_in(place / "run", config);
        QVERIFY(!std::isnan(row.usage_entropy) && !std::isnan(row.key_cosine));
        QCOMPARE(row.lambda_cov, config.loss.lambda_cov);
        const auto record = test::record_of(place / "run");
        const auto V = static_cast<std::size_t>(config.tempo.pool_size);
        QCOMPARE(record.anchors.usage_test.size(), V);
        QCOMPARE(record.anchors.coverage_statistic.size(), V * record.anchors.snapshot_step.size());
        QVERIFY(!record.anchors.snapshot_step.empty());
        for (const auto share : record.steps.gate_share) QVERIFY(share >= 0 && share <= 1);
        // Checkpoints hold keys, prompts and c̃, and read back.
        test::Probe probe;
        const train::StopControl stop;
        const auto read = train::open_weights(place / "run/best.safetensors", config, {.channels = 3},
                                              at::kCPU, probe, stop);
        QVERIFY(probe.messages.empty());
        model::write_tensors(place / "again.safetensors", train::checkpoint_tensors(config, read));
        QVERIFY(test::tensors_of(place / "again.safetensors") ==
                test::tensors_of(place / "run/best.safetensors"));
    }

    /// Usage and similarities of chosen windows come without vectors.
    void windows_are_inspected() {
        const QTemporaryDir folder;
        const auto place = fs::path(folder.path().toStdString());
        auto config =
            test::small_config(test::write_csv(place / "series.csv", test::small_rows, test::small_channels));
        config.model.name = "tempo";
        test::run_in(place / "run", config);
        inspect::EmbeddingRequest request;
        request.run = place / "run";
        request.device = "cpu";
        request.windows = 4;
        request.similarity = true;
        const auto found = inspect::compute_embeddings(request);
        const auto rows = static_cast<std::size_t>(4 * test::small_channels);
        QVERIFY(found.anchors.empty() && found.series.empty() && !found.has_vectors());
        QCOMPARE(found.top_k, 3 * config.tempo.top_k);
        QCOMPARE(found.retrieved.size(), rows * static_cast<std::size_t>(found.top_k));
        QCOMPARE(found.similarity.size(), rows * static_cast<std::size_t>(config.tempo.pool_size));
        QCOMPARE(found.mse.size(), rows);
    }

    void names_in_gpt2_checkpoints() {
        const auto plain = [](const char* part) {
            return model::gpt2_name(std::string("gpt2_trend.base_model.model.") + part);
        };
        QCOMPARE(plain("wte.weight"), std::string("wte.weight"));
        QCOMPARE(plain("h.1.attn.c_attn.base_layer.bias"), std::string("h.1.attn.c_attn.bias"));
        for (const auto& [name, tensor] : model::Tempo(small_tempo(true)).trainable())
            QVERIFY2(model::gpt2_name(name).empty(), name.c_str());
    }

    void settings_have_effects_and_contradictions() {
        config::Config config;
        config.model.name = "tempo";
        QVERIFY(config::contradictions(config).empty());
        const auto reads = [&](const char* key) { return model::reads(config, *config::find_option(key)); };
        QVERIFY(!reads("loss.lambda_cov") && !reads("coverage.decay") && !reads("model.top_k"));
        QVERIFY(!model::has_coverage(config) && !model::capabilities(config).anchors);
        config.tempo.pool = true;
        QVERIFY(reads("loss.lambda_cov") && reads("coverage.decay") && !reads("model.top_k"));
        QVERIFY(model::has_coverage(config));
        QCOMPARE(model::capabilities(config).retrieved, 9);
        config.coverage.enabled = false;
        QVERIFY(!model::has_coverage(config) && model::capabilities(config).anchors);
        QVERIFY(config::contradictions(config).empty());
        config.tempo.top_k = 31;
        QCOMPARE(config::contradictions(config).size(), std::size_t{1});
        config.tempo.pool = false;
        QVERIFY(config::contradictions(config).empty());
        config.backbone.positions = 3 * (64 + 9) - 1;
        QCOMPARE(config::contradictions(config).size(), std::size_t{1});
        config.backbone.positions = 3 * (64 + 9);
        QVERIFY(config::contradictions(config).empty());
        config.tempo.patch_size = 513;
        QCOMPARE(config::contradictions(config).size(), std::size_t{1});
        config.tempo.patch_size = 16;
        config.backbone.positions = 2;
        for (const char* kind : {"attention", "block", "none"}) {
            config.backbone.kind = kind;  // has no positions
            QVERIFY(config::contradictions(config).empty());
        }
    }
};

TEST_MAIN_WITHOUT_GUI(TestTempo)
#include "test_tempo.moc"
