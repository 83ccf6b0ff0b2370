// Checkpoints go to the public S2IP-LLM PyTorch model and come back (tests/golden/exchange, made by
// tests/oracle/check_checkpoint.py; the same script does it with PyTorch itself).
#include <algorithm>
#include <bit>
#include <cmath>

#include <QtTest>

#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "config/experiment.h"
#include "folder_test.h"
#include "inspect/checkpoint_evaluation.h"
#include "model/factory.h"
#include "model/tensor_file.h"
#include "test_program.h"
#include "train/checkpoint_model.h"
#include "train_fixture.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

// There the word vectors a second time; here the statistic. Nothing else may differ.
const char* const alias = "prompt_pool.wte";
const char* const ours = "coverage_statistic";

/// A file by itself says nothing of its shapes: they are given, as on the command line.
const std::vector<std::string> sets{
    "data.lookback=48",      "data.horizon=12",       "backbone.layers=2",
    "backbone.width=24",     "backbone.heads=2",      "backbone.vocabulary=100",
    "backbone.positions=16", "model.trend_length=13", "model.seasonal_length=12",
    "model.pool_size=30",    "model.top_k=4",         "train.batch_size=16",
    "run.device=\"cpu\"",    "run.threads=1"};

config::Config small_settings(const fs::path& csv) {
    auto all = sets;
    all.push_back("data.path=\"" + csv.string() + "\"");
    all.push_back("backbone.path=\"untrained\"");
    return config::load_text("name = \"exchange\"\n", "here", {}, all).base;
}

/// name -> [type, shape] as state_dict.json has them.
template <class Tensors, class Describe>
nlohmann::json table_of(const Tensors& tensors, Describe&& describe) {
    auto table = nlohmann::json::object();
    for (const auto& tensor : tensors) table[tensor.name] = describe(tensor);
    return table;
}

nlohmann::json table_of_file(const fs::path& path) {
    const store::SafetensorsFile file(path);
    return table_of(file.tensors(), [](const store::TensorView& view) {
        return nlohmann::json{std::string(to_string(view.dtype)), view.shape};
    });
}

/// What load_state_dict(strict=False) would report; empty: only what may be missing is, and all shapes and
/// types are right.
QString not_loadable(nlohmann::json table, nlohmann::json there) {
    table.erase(ours);
    there.erase(alias);
    const auto difference = nlohmann::json::diff(there, table);
    return difference.empty() ? QString() : QString::fromStdString(difference.dump());
}

std::vector<float> floats_of(const store::SafetensorsFile& file, const char* name) {
    return store::to_floats(file.at(name));
}

/// Relative to the largest value expected.
double error_of_forecast(const std::vector<float>& found, const std::vector<float>& expected) {
    if (found.size() != expected.size() || found.empty()) return HUGE_VAL;
    double worst = 0, scale = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const double here = std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i]));
        worst = std::isfinite(here) ? std::max(worst, here) : HUGE_VAL;
        scale = std::max(scale, std::abs(static_cast<double>(expected[i])));
    }
    return worst / scale;
}

}  // namespace

class TestExchange : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        names_ = nlohmann::json::parse(test::bytes_of(golden_ / "state_dict.json"));
        QCOMPARE(names_.at("small").size(), std::size_t{35});
        QCOMPARE(names_.at("etth1_96").size(), std::size_t{83});
        // As PyTorch wrote it: the alias is there, the statistic is not, and nothing tells of this program.
        QVERIFY(table_of_file(golden_ / "public.safetensors") == names_.at("small"));
        const store::SafetensorsFile file(golden_ / "public.safetensors");
        QVERIFY(file.find(alias) != nullptr && file.find(ours) == nullptr);
        QCOMPARE(file.metadata().size(), std::size_t{1});
        // A run of the same shape, and another that was forked from it.
        auto config = small_settings(golden_ / "series.csv");
        config.train.max_steps = 2;
        config.run.save_initial = true;
        test::run_in(folder("run"), config);
        config.train.continue_from = folder("run").string();
        config.loss.lambda_cov = 0;
        test::run_in(folder("fork"), config);
    }

    /// As `--evaluate public.safetensors --data series.csv --set …`: reading, scaler, split and windows as
    /// well.
    void a_public_checkpoint_gives_pytorchs_forecasts() {
        test::Probe probe;
        const auto row = inspect::evaluate_checkpoint(
            {golden_ / "public.safetensors", (golden_ / "series.csv").string(), folder("out"), sets}, probe,
            probe.stop);
        QCOMPARE(QString::fromStdString(row.backbone), QString("unknown-checkpoint"));
        const store::SafetensorsFile expected(golden_ / "expected.safetensors");
        const auto found = store::read_forecast(folder("out") / "evaluations" / row.run / "run.h5", "test");
        QCOMPARE(found.windows, std::int64_t{21});
        std::vector<std::int64_t> start(21);
        store::read_bytes(expected.at("start"), std::as_writable_bytes(std::span(start)));
        QCOMPARE(found.start, start);
        const double truth = error_of_forecast(found.truth, floats_of(expected, "truth"));
        QVERIFY2(truth <= 1e-6, qPrintable(QString::number(truth)));
        const double prediction = error_of_forecast(found.prediction, floats_of(expected, "prediction"));
        QVERIFY2(prediction <= 1e-5, qPrintable(QString::number(prediction)));
        double mse = 0;
        store::read_bytes(expected.at("mse"), std::as_writable_bytes(std::span(&mse, 1)));
        QVERIFY(std::abs(row.test_mse / mse - 1) < 1e-5);
    }

    /// As a training script saves a compiled, distributed model in float64: the same forecasts, and both are
    /// said.
    void wrapped_names_and_doubles_give_the_same_forecasts() {
        const store::SafetensorsFile file(golden_ / "public.safetensors");
        std::vector<store::TensorSpec> specs;
        for (const auto& view : file.tensors())
            specs.push_back({"_orig_mod.module." + view.name, store::Dtype::f64, view.shape});
        {
            store::SafetensorsWriter writer(folder("wrapped.safetensors"), specs);
            for (std::size_t i = 0; i < specs.size(); ++i) {
                const auto floats = store::to_floats(file.tensors()[i]);
                const std::vector<double> doubles(floats.begin(), floats.end());
                writer.write(specs[i].name, doubles.data(), sizeof(double) * doubles.size());
            }
            (void)writer.finish();
        }
        std::vector<std::vector<float>> predictions;
        for (const auto& weights : {golden_ / "public.safetensors", folder("wrapped.safetensors")}) {
            test::Probe probe;
            const auto out = folder("out-" + weights.stem().string());
            const auto row = inspect::evaluate_checkpoint(
                {weights, (golden_ / "series.csv").string(), out, sets}, probe, probe.stop);
            predictions.push_back(
                store::read_forecast(out / "evaluations" / row.run / "run.h5", "test").prediction);
            const auto said =
                std::count_if(probe.messages.begin(), probe.messages.end(), [](const auto& message) {
                    return message.find("the prefix \"_orig_mod.module.\" of its") != std::string::npos &&
                           message.find("were converted from float64 to float32") != std::string::npos;
                });
            QCOMPARE(said, predictions.size() == 2 ? 1 : 0);
        }
        QVERIFY(!predictions[0].empty());
        QCOMPARE(predictions[1], predictions[0]);
    }

    /// With the forecasts above: what this program writes is, in PyTorch, the model that it came from.
    void what_was_loaded_is_saved_bit_for_bit() {
        test::Probe probe;
        const train::StopControl stop;
        const auto config = small_settings(golden_ / "series.csv");
        const auto model = train::open_weights(golden_ / "public.safetensors", config, {.channels = 2},
                                               at::kCPU, probe, stop);
        const auto place = folder("again.safetensors");
        model::write_tensors(place, train::checkpoint_tensors(config, model), {{"format", "pt"}});
        auto written = test::tensors_of(place), there = test::tensors_of(golden_ / "public.safetensors");
        // The word vectors stand in both places there, and once here.
        const auto words = there.find(std::string(alias) + "[100, 24]");
        QVERIFY(words != there.end() && words->second == there.at("gpt2.wte.weight[100, 24]"));
        there.erase(words);
        QCOMPARE(written.erase(std::string(ours) + "[30]"), std::size_t{1});
        QCOMPARE(written.size(), there.size());
        for (const auto& [name, bytes] : there) QVERIFY2(written[name] == bytes, name.c_str());
    }

    void written_checkpoints_have_the_public_names_data() {
        test::name_rows("file", {"run/best.safetensors", "run/initial.safetensors", "fork/best.safetensors"});
    }

    void written_checkpoints_have_the_public_names() {
        QFETCH(const QString, file);
        const auto table = table_of_file(folder(file.toStdString()));
        QVERIFY2(not_loadable(table, names_.at("small")).isEmpty(),
                 qPrintable(not_loadable(table, names_.at("small"))));
        QVERIFY(table.at(ours) == nlohmann::json({"F32", {30}}));
        // The comparison can fail: a tensor less, another shape, another type.
        for (const char* change : {"missing", "shape", "type"}) {
            auto other = table;
            if (change == std::string_view("missing")) other.erase("out_layer.bias");
            if (change == std::string_view("shape")) other["out_layer.weight"][1] = {80, 12};
            if (change == std::string_view("type")) other["in_layer.bias"][0] = "F64";
            QVERIFY2(!not_loadable(other, names_.at("small")).isEmpty(), change);
        }
    }

    void the_papers_size_has_the_public_names() {
        config::Config config;
        config.backbone.path = "untrained";
        train::SessionModel model;
        model.model = model::make_model(config, {.channels = 7});
        const auto table = table_of(train::checkpoint_tensors(config, model), [](const auto& tensor) {
            const bool f32 = tensor.value.scalar_type() == at::kFloat;
            return nlohmann::json{f32 ? "F32" : "not float32", tensor.value.sizes().vec()};
        });
        QVERIFY2(not_loadable(table, names_.at("etth1_96")).isEmpty(),
                 qPrintable(not_loadable(table, names_.at("etth1_96"))));
        QCOMPARE(table.size(), names_.at("etth1_96").size());  // one more, one less
    }

    /// The rules of the format that Python's safetensors insists on, read from the bytes themselves.
    void written_files_are_what_safetensors_reads() {
        const auto bytes = test::bytes_of(folder("run/best.safetensors"));
        std::uint64_t length = 0;
        QVERIFY(std::endian::native == std::endian::little && bytes.size() > 8);
        std::memcpy(&length, bytes.data(), 8);
        QVERIFY(length % 8 == 0 && length < bytes.size() - 8);
        const auto header = nlohmann::json::parse(bytes.substr(8, length));
        QCOMPARE(bytes[8], '{');
        std::vector<std::pair<std::uint64_t, std::uint64_t>> parts;
        for (const auto& [name, entry] : header.items()) {
            if (name == "__metadata__") {
                QCOMPARE(entry.at("format").get<std::string>(), std::string("pt"));
                for (const auto& [key, value] : entry.items()) QVERIFY2(value.is_string(), key.c_str());
                continue;
            }
            QCOMPARE(entry.size(), std::size_t{3});
            std::uint64_t size = 4;
            for (const auto& n : entry.at("shape")) size *= n.get<std::uint64_t>();
            const auto& ends = entry.at("data_offsets");
            parts.emplace_back(ends.at(0).get<std::uint64_t>(), ends.at(1).get<std::uint64_t>());
            QVERIFY2(parts.back().second - parts.back().first == size, name.c_str());
        }
        std::sort(parts.begin(), parts.end());
        std::uint64_t end = 0;
        for (const auto& [from, to] : parts) {
            QCOMPARE(from, end);  // no hole, no overlap
            end = to;
        }
        QCOMPARE(8 + length + end, static_cast<std::uint64_t>(bytes.size()));
    }

private:
    fs::path golden_ = fs::path(CASP_SOURCE_DIR) / "tests/golden/exchange";
    nlohmann::json names_;  ///< "small", "etth1_96": name -> [type, shape] of the public state_dict()
};

TEST_MAIN_WITHOUT_GUI(TestExchange)
#include "test_exchange.moc"
