// Time-LLM against the oracle (tests/golden/timellm, made by tests/oracle/make_timellm.py): prompts, tokens,
// forecasts, gradients and a training step; names, sizes, dropout, independence of the batch.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>
#include <QtTest>

#include <torch/torch.h>

#include "config/experiment.h"
#include "core/train/train_fixture.h"
#include "golden/model_golden.h"
#include "model/descriptor.h"
#include "model/factory.h"
#include "model/tensor_file.h"
#include "model/time_llm.h"
#include "model_test.h"
#include "store/safetensors.h"
#include "test_program.h"
#include "train/checkpoint_model.h"
#include "train/objective.h"
#include "train/optimizer.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

/// A golden case: its tensors and its configuration.
class Case : public test::ModelGolden {
public:
    explicit Case(const std::string& name)
        : ModelGolden(golden / "timellm" / (name + ".safetensors")),
          settings(test::golden_config(config, "time-llm")),
          prompts(nlohmann::json::parse(metadata("prompts")).get<std::vector<std::string>>()) {}
    [[nodiscard]] model::TimeLlm make() const {
        std::shared_ptr<const text::Gpt2Tokenizer> tokenizer;
        if (config.at("tokenizer") == "small")
            tokenizer =
                std::make_shared<text::Gpt2Tokenizer>(text::Tokens::read(golden / "tokenizer/vocab.json"));
        model::TimeLlm made(settings, settings.time_llm.description, tokenizer, config.at("prototypes"));
        load(made);
        return made;
    }

    config::Config settings;
    std::vector<std::string> prompts;
};

}  // namespace

class TestTimeLlm : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equals_the_oracle_data() {
        test::name_rows("name", {"one_channel", "words", "cut_prompt", "attention", "block", "none"});
    }
    void equals_the_oracle() {
        QFETCH(QString, name);
        const Case golden_case(name.toStdString());
        auto model = golden_case.make();

        const auto rows = golden_case.get("rows");
        const auto prompts = model::time_llm_prompts(rows, golden_case.settings.data.horizon,
                                                     golden_case.settings.time_llm.description);
        QCOMPARE(prompts, golden_case.prompts);
        std::vector<std::int64_t> lengths, tokens;
        for (const auto& row : model.prompt_tokens(rows)) {
            lengths.push_back(static_cast<std::int64_t>(row.size()));
            tokens.insert(tokens.end(), row.begin(), row.end());
        }
        QVERIFY(at::equal(at::tensor(lengths, at::kLong), golden_case.get("tokens.lengths")));
        QVERIFY(at::equal(at::tensor(tokens, at::kLong), golden_case.get("tokens")));

        const auto lookback = golden_case.get("lookback"), target = golden_case.get("target");
        const auto expected = golden_case.get("prediction");
        {
            const torch::NoGradGuard no_gradient;
            model.begin_evaluation();
            test::compare_golden("evaluation", model.forward(lookback, nullptr, false).prediction, expected,
                                 1e-5);
            model.end_evaluation();
        }
        const model::TrainingStep step{1, 0};
        const auto forecast = model.forward(lookback, &step, false);
        test::compare_golden("prediction", forecast.prediction, expected, 1e-5);
        const auto terms = train::objective(forecast, target);
        test::compare_golden("loss", terms.total, golden_case.get("loss"), 1e-5);
        terms.total.backward();
        const std::string key = "reprogramming_layer.key_projection.";
        double key_weight = 0, key_bias = HUGE_VAL;
        for (const auto& [tensor_name, tensor] : model.trainable()) {
            const auto largest = tensor.grad().abs().max().item<double>();
            if (tensor_name == key + "weight") key_weight = largest;
            if (tensor_name == key + "bias")
                key_bias = largest;
            else
                test::compare_golden(tensor_name, tensor.grad(), golden_case.get("grad." + tensor_name),
                                     1e-4);
        }
        QVERIFY(key_bias < 1e-5 * key_weight);  // it changes no attention
        for (const auto& tensor : model.frozen()) QVERIFY(!tensor.value.grad().defined());
        train::AdamW(model.trainable(), 0.0).step(1e-3);
        for (const auto& [tensor_name, tensor] : model.trainable())
            if (tensor_name != key + "bias")
                test::compare_golden(tensor_name, tensor, golden_case.get("after1." + tensor_name), 1e-4);
    }

    void rows_do_not_see_each_other_data() { test::name_rows("name", {"words", "attention", "block"}); }
    /// Prompts of different lengths: a row's forecast is the same with and without its neighbours.
    void rows_do_not_see_each_other() {
        QFETCH(QString, name);
        const Case golden_case(name.toStdString());
        auto model = golden_case.make();
        const torch::NoGradGuard no_gradient;
        const auto lookback = golden_case.get("lookback");
        const auto together = model.forward(lookback, nullptr, false).prediction;
        for (std::int64_t b = 0; b < lookback.size(0); ++b)
            for (std::int64_t m = 0; m < lookback.size(2); ++m) {
                const auto alone =
                    model.forward(lookback.narrow(0, b, 1).narrow(2, m, 1), nullptr, false).prediction;
                test::compare_golden("alone", alone, together.narrow(0, b, 1).narrow(2, m, 1), 1e-5);
            }
    }

    /// Names and shapes of the public state_dict at ETTh1-96, without its second name of the token table.
    void etth1_has_the_public_names_and_sizes() {
        const auto expected = nlohmann::json::parse(test::bytes_of(golden / "timellm/state_dict.json"));
        const model::TimeLlm model({}, {}, nullptr);
        auto found = nlohmann::json::object();
        for (const auto& list : {model.trainable(), model.frozen()})
            for (const auto& [name, tensor] : list) found[name] = tensor.sizes().vec();
        const auto difference = nlohmann::json::diff(expected.at("etth1_96"), found);
        QVERIFY2(difference.empty(), difference.dump().c_str());
        QCOMPARE(model::count_elements(model.trainable()), 53441968);
        config::Config etth1;
        etth1.model.name = "time-llm";
        QCOMPARE(model::estimate(etth1, {.rows = 7, .channels = 7}).parameters_trainable, 53441968);
        for (const auto& tensor : model.trainable()) QVERIFY(tensor.value.requires_grad());
        for (const auto& tensor : model.frozen()) QVERIFY(!tensor.value.requires_grad());
    }

    void prompts_name_what_is_forecast() {
        const auto rows = at::linspace(-1, 1, 10).unsqueeze(0);
        const auto text = model::time_llm_prompts(rows, 3, "Anything.").front();
        QVERIFY(text.find("Dataset description: Anything.") != std::string::npos &&
                text.find("next 3 steps given the previous 10 steps") != std::string::npos &&
                text.find("min value -1.0, max value 1.0") != std::string::npos &&
                text.find("is upward") != std::string::npos &&
                text.find("are : [0, 1, 9, 2, 8]<") != std::string::npos);
        QVERIFY(model::time_llm_prompts(-rows, 3, "")[0].find("is downward") != std::string::npos);
        // A constant window, a short one and one of odd length.
        QVERIFY(model::time_llm_prompts(at::zeros({1, 7}), 3, "")[0].find("[0, 1, 6, 2, 5]") !=
                std::string::npos);
        QVERIFY(model::time_llm_prompts(at::zeros({1, 2}), 3, "")[0].find("[0, 1]") != std::string::npos);
        QVERIFY(model::time_llm_prompts(at::zeros({1, 1}), 3, "")[0].find("[0]") != std::string::npos);
    }

    /// Descriptions: the setting, else the catalogue's title, else a neutral sentence.
    void each_data_set_has_its_own_description() {
        config::Config config = test::small_config("none.csv");
        config.model.name = "time-llm";
        config.backbone.positions = 1024;
        const auto prompt = [&](const std::string& title) {
            const auto made = model::make_model(config, {.channels = 1, .title = title});
            const auto tokens = dynamic_cast<const model::TimeLlm&>(*made).prompt_tokens(
                at::zeros({1, config.data.lookback}));
            return tokens.front();
        };
        const auto bytes = [](const std::string& text) {
            std::vector<std::int64_t> tokens;
            for (const char c : text) tokens.push_back(static_cast<unsigned char>(c) % 100);
            return tokens;
        };
        const auto has = [&](const std::vector<std::int64_t>& tokens, const std::string& text) {
            const auto wanted = bytes(text);
            return std::search(tokens.begin(), tokens.end(), wanted.begin(), wanted.end()) != tokens.end();
        };
        QVERIFY(has(prompt("Weather in Jena"), "description: Weather in Jena.Task"));
        QVERIFY(has(prompt(""), "description: A time series measured at regular intervals.Task"));
        config.time_llm.description = "Mine.";
        QVERIFY(has(prompt("Weather in Jena"), "description: Mine.Task"));
    }

    void checkpoints_are_read_with_their_backbone() {
        const QTemporaryDir folder;
        const auto place = fs::path(folder.path().toStdString());
        auto config =
            test::small_config(test::write_csv(place / "series.csv", test::small_rows, test::small_channels));
        config.model.name = "time-llm";
        config.train.max_steps = 2;
        test::run_in(place / "run", config);
        test::Probe probe;
        const train::StopControl stop;
        config.backbone.seed = 5;  // what is read from the file does not come from the seed
        const auto read = train::open_weights(place / "run/best.safetensors", config, {.channels = 3},
                                              at::kCPU, probe, stop);
        QCOMPARE(model::to_string(read.backbone), std::string("untrained"));
        QVERIFY(probe.messages.empty());
        const store::SafetensorsFile file(place / "run/best.safetensors");
        QCOMPARE(file.tensors().size(), read.model->trainable().size() + read.model->frozen().size());
        model::write_tensors(place / "again.safetensors", train::checkpoint_tensors(config, read));
        QVERIFY(test::tensors_of(place / "again.safetensors") ==
                test::tensors_of(place / "run/best.safetensors"));
    }

    void a_pretrained_backbone_needs_its_vocabulary() {
        const QTemporaryDir cache, weights;
        const auto before = qgetenv("XDG_CACHE_HOME");
        qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
        auto config = test::small_config("none.csv");
        config.model.name = "time-llm";
        config.backbone.path = weights.path().toStdString();
        const auto make = [&] { (void)model::make_model(config, {.channels = 1}); };
        const auto missing = test::error_of(make);
        fs::copy_file(golden / "tokenizer/vocab.json", fs::path(config.backbone.path) / "vocab.json");
        const auto too_large = test::error_of(make);
        config.backbone.vocabulary = 420;
        make();
        qputenv("XDG_CACHE_HOME", before);
        QVERIFY(test::says(missing, "vocab.json") && test::says(missing, "--fetch gpt2-words"));
        QVERIFY(test::says(too_large, "420 tokens"));
    }

    void contradictions_are_explained() {
        config::Config config;
        config.model.name = "time-llm";
        QVERIFY(config::contradictions(config).empty());
        config.time_llm.patch_len = 600;
        QCOMPARE(config::contradictions(config).size(), std::size_t{1});
        config.time_llm.patch_len = 16;
        config.backbone.positions = 63;
        QCOMPARE(config::contradictions(config).size(), std::size_t{1});
        config.backbone.positions = 64;
        QVERIFY(config::contradictions(config).empty());
    }
};

TEST_MAIN_WITHOUT_GUI(TestTimeLlm)
#include "test_time_llm.moc"
