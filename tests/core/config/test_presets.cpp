// The presets: names, keys, M4's, and the paper's 24 cells against the paper's table, read from its LaTeX
// source.

#include <algorithm>
#include <filesystem>
#include <QFile>
#include <QRegularExpression>
#include <set>

#include "config/presets.h"
#include "config_test.h"
#include "test_program.h"

using namespace casp::config;

namespace {

std::vector<std::string> cells_of_the_paper() {
    std::vector<std::string> names;
    for (const auto* data : {"etth1", "etth2", "ettm1", "ettm2", "weather", "electricity"})
        for (const auto* horizon : {"96", "192", "336", "720"})
            names.push_back(std::string(data) + "-" + horizon);
    return names;
}

const std::vector<std::string> m4_cells{"m4-yearly", "m4-quarterly", "m4-monthly",
                                        "m4-weekly", "m4-daily",     "m4-hourly"};

std::vector<std::string> all_cells() {
    auto names = cells_of_the_paper();
    names.insert(names.end(), m4_cells.begin(), m4_cells.end());
    return names;
}

bool is_of_m4(const Config& config) { return !config.data.frequency.empty(); }

}  // namespace

class TestPresets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void names() {
        const auto cells = all_cells();
        const auto& found = preset_names();
        QVERIFY(found.size() >= cells.size());
        QVERIFY(std::equal(cells.begin(), cells.end(), found.begin()));
        // Then those of other models, each by data set and horizon.
        const auto of_models = std::vector<std::string>(found.begin() + std::ssize(cells), found.end());
        for (const auto& name : of_models) {
            const auto model = load_text(preset_text(name), name, {}).base.model.name;
            QVERIFY2(name.starts_with(model + "-"), name.c_str());
            const auto cell = name.substr(model.size() + 1);
            QVERIFY2(std::find(cells.begin(), cells.end(), cell) != cells.end(), name.c_str());
        }
        const std::set<std::string> of_m4_only{"naive-", "seasonal-naive-"};
        for (const std::string model :
             {"autoformer-", "calf-", "dlinear-", "fedformer-", "itransformer-", "naive-", "ofa-",
              "patchtst-", "ridge-", "s2ip-llm-", "seasonal-naive-", "tempo-", "time-llm-"}) {
            std::vector<std::string> expected, there;
            for (const auto& cell : of_m4_only.contains(model) ? m4_cells : cells)
                expected.push_back(model + cell);
            for (const auto& name : of_models)
                if (name.starts_with(model)) there.push_back(name);
            QCOMPARE(there, expected);
        }
        VERIFY_HAS(message_of([] { (void)preset_text("ettm1_96"); }), "Nearest preset: ettm1-96.");
    }

    void each_loads_and_sets_exactly_its_keys() {
        const std::vector<std::string> keys{
            "data.path",       "data.horizon",    "data.missing",       "data.split",
            "data.batching",   "model.top_k",     "model.trend_length", "model.seasonal_length",
            "loss.lambda_sim", "loss.lambda_cov", "train.batch_size",   "train.learning_rate"};
        for (const auto& name : cells_of_the_paper()) {
            const auto experiment = load_text(preset_text(name), name, {});
            std::vector<std::string> given;
            for (const auto& assignment : experiment.given) given.push_back(assignment.key);
            QCOMPARE(given, keys);
            QVERIFY(experiment.axes.empty());
            QCOMPARE(experiment.base.data.missing, std::string("keep"));
            const auto runs = expand(parse("preset = \"" + name + "\""));
            QCOMPARE(runs.size(), std::size_t{1});
            auto direct = experiment.base;
            direct.preset = name;
            QVERIFY(runs[0].config == direct);
        }
    }

    /// A file's digest is lost as soon as it is exported anew; what the paper's numbers rest on is not.
    void each_pins_split_and_batches() {
        for (const auto& name : preset_names()) {
            const auto config = load_text(preset_text(name), name, {}).base;
            if (is_of_m4(config)) continue;  // series have neither
            const auto in_name = [&](const char* data) { return name.find(data) != std::string::npos; };
            const bool ratio = in_name("weather") || in_name("electricity");
            const auto split = ratio ? "ratio" : in_name("ettm") ? "ett-minutely" : "ett-hourly";
            QVERIFY2(config.data.split.rule == split, name.c_str());
            const auto& model = config.model.name;
            const bool single = model == "ofa" || model == "time-llm" || model == "tempo" ||
                                (ratio && (model == "casp-llm" || model == "s2ip-llm"));
            QVERIFY2(config.data.batching == (single ? "single-channel" : "multi-channel"), name.c_str());
        }
    }

    void dlinear() {
        const auto config = parse("preset = \"dlinear-etth1-96\"").base;
        QCOMPARE(config.model.name, std::string("dlinear"));
        QCOMPARE(config.data.split.rule, std::string("ett-hourly"));
        QCOMPARE(config.data.batching, std::string("multi-channel"));
        QCOMPARE(config.train.epochs, 10);
        QCOMPARE(config.train.weight_decay, 0.0);
    }

    /// Models are compared on the same data; only the kind of batch depends on the model.
    void each_has_the_data_settings_of_its_cell() {
        for (const auto& name : preset_names()) {
            const auto config = parse("preset = \"" + name + "\"").base;
            const auto& model = config.model.name;
            const auto cell = model == "casp-llm" ? name : name.substr(model.size() + 1);
            auto of_paper = parse("preset = \"" + cell + "\"").base;
            of_paper.data.batching = config.data.batching;
            for (const auto& difference : differences(of_paper, config))
                QVERIFY2(!difference.key.starts_with("data."), (name + ": " + difference.key).c_str());
        }
    }

    void baselines() {
        const auto of = [](const char* name) { return parse("preset = \"" + std::string(name) + "\"").base; };
        const auto ofa = of("ofa-ettm1-720");
        QCOMPARE(ofa.model.name, std::string("ofa"));
        QCOMPARE(ofa.ofa.stride, 16);
        QCOMPARE(ofa.train.batch_size, 256);
        QCOMPARE(ofa.train.epochs, 10);
        QCOMPARE(of("ofa-electricity-96").train.batch_size, 2048);
        const auto s2ip = of("s2ip-llm-etth1-336");
        QCOMPARE(s2ip.model.name, std::string("s2ip-llm"));
        QCOMPARE(s2ip.model.top_k, 8);
        QCOMPARE(s2ip.loss.lambda_sim, 0.01);
        QCOMPARE(s2ip.train.batch_size, 128);
        QCOMPARE(of("s2ip-llm-ettm1-720").model.pool_size, 5000);
        QCOMPARE(of("s2ip-llm-weather-192").train.learning_rate, 1e-3);
        for (const auto* name : {"ofa-weather-96", "s2ip-llm-etth2-720"})
            QCOMPARE(of(name).train.weight_decay, 0.0);
    }

    void patchtst_and_itransformer() {
        const auto of = [](const std::string& name) { return parse("preset = \"" + name + "\"").base; };
        for (const std::string model : {"patchtst", "itransformer"})
            for (const auto& cell : cells_of_the_paper()) {
                const auto config = of(model + "-" + cell);
                QCOMPARE(config.model.name, model);
                QCOMPARE(config.data.path, of(cell).data.path);
                QCOMPARE(config.data.horizon, of(cell).data.horizon);
                QCOMPARE(config.data.lookback, 512);
                QCOMPARE(config.train.schedule, std::string("halving"));
                QCOMPARE(config.train.weight_decay, 0.0);  // Adam
                QVERIFY(contradictions(config).empty());
            }
        QCOMPARE(of("patchtst-etth1-720").patchtst.n_heads, 16);
        QCOMPARE(of("patchtst-ettm1-192").train.batch_size, 128);
        QCOMPARE(of("patchtst-weather-96").train.epochs, 3);
        QCOMPARE(of("itransformer-etth1-336").itransformer.d_ff, 512);
        QCOMPARE(of("itransformer-electricity-96").train.learning_rate, 5e-4);
    }

    void autoformer_and_fedformer() {
        for (const std::string model : {"autoformer", "fedformer"})
            for (const auto& cell : cells_of_the_paper()) {
                const auto config = parse("preset = \"" + model + "-" + cell + "\"").base;
                QCOMPARE(config.model.name, model);
                QVERIFY2(cell.ends_with("-" + std::to_string(config.data.horizon)), cell.c_str());
                QCOMPARE(config.data.lookback, 512);
                QCOMPARE(config.train.batch_size, 32);
                QCOMPARE(config.train.schedule, std::string("halving"));
                QCOMPARE(config.train.weight_decay, 0.0);
                QCOMPARE(config.train.epochs, model + "-" + cell == "autoformer-weather-96" ? 2 : 10);
                QVERIFY(contradictions(config).empty());
            }
    }

    void calf() {
        const auto of = [](const char* name) { return parse("preset = \"" + std::string(name) + "\"").base; };
        const auto ettm2 = of("calf-ettm2-336");
        QCOMPARE(ettm2.model.name, std::string("calf"));
        QCOMPARE(ettm2.data.horizon, 336);
        QCOMPARE(ettm2.calf.task_loss, std::string("l1"));
        QCOMPARE(ettm2.train.learning_rate, 1e-4);
        QCOMPARE(ettm2.train.batch_size, 256);
        QCOMPARE(of("calf-etth1-96").train.patience, 10);
        QCOMPARE(of("calf-etth1-96").train.learning_rate, 5e-4);
        QCOMPARE(of("calf-weather-96").train.batch_size, 64);
        QCOMPARE(of("calf-electricity-720").calf.output_loss, std::string("smooth_l1"));
        QCOMPARE(of("calf-electricity-720").train.epochs, 20);
        QCOMPARE(of("calf-electricity-720").train.t_max, 10);
        QCOMPARE(of("calf-ettm1-96").train.t_max, 20);
        QCOMPARE(of("calf-electricity-720").train.weight_decay, 0.0);
    }

    void time_llm() {
        const auto of = [](const char* name) { return parse("preset = \"" + std::string(name) + "\"").base; };
        const auto etth1 = of("time-llm-etth1-336");
        QCOMPARE(etth1.model.name, std::string("time-llm"));
        QCOMPARE(etth1.train.learning_rate, 1e-3);
        QCOMPARE(etth1.train.schedule, std::string("cosine"));
        QCOMPARE(etth1.train.epochs, 100);
        QCOMPARE(of("time-llm-etth1-192").train.learning_rate, 0.02 / 25);
        const auto etth2 = of("time-llm-etth2-720");
        QCOMPARE(etth2.time_llm.d_model, 16);
        QCOMPARE(etth2.train.epochs, 20);
        QCOMPARE(etth2.train.learning_rate, 0.005);
        QCOMPARE(etth2.train.pct_start, 0.2);
        QCOMPARE(of("time-llm-ettm1-96").train.patience, 10);
        QCOMPARE(of("time-llm-ettm1-192").train.patience, 20);
        const auto ettm2 = of("time-llm-ettm2-96");
        QCOMPARE(ettm2.train.schedule, std::string("halving"));
        QCOMPARE(ettm2.train.learning_rate, 0.01 / 25);
        QCOMPARE(ettm2.train.batch_size, 128);
        QCOMPARE(of("time-llm-ettm2-192").train.schedule, std::string("one-cycle"));
        QCOMPARE(of("time-llm-ettm2-192").train.learning_rate, 0.002);
        QCOMPARE(of("time-llm-weather-720").train.epochs, 15);
        QCOMPARE(of("time-llm-weather-192").time_llm.d_ff, 32);
        QCOMPARE(of("time-llm-weather-336").time_llm.d_ff, 128);
        QCOMPARE(of("time-llm-electricity-96").time_llm.d_model, 16);
    }

    void tempo() {
        for (const auto& cell : cells_of_the_paper()) {
            const auto config = parse("preset = \"tempo-" + cell + "\"").base;
            QCOMPARE(config.model.name, std::string("tempo"));
            QCOMPARE(config.data.path, parse("preset = \"" + cell + "\"").base.data.path);
            QVERIFY2(cell.ends_with("-" + std::to_string(config.data.horizon)), cell.c_str());
            QCOMPARE(config.data.lookback, 512);
            QCOMPARE(config.train.batch_size, 256);
            QCOMPARE(config.train.schedule, std::string("cosine"));
            QCOMPARE(config.train.weight_decay, 0.0);
            QVERIFY(!config.tempo.pool && contradictions(config).empty());
        }
    }

    /// Look-back, horizon and forecast loss are the protocol's for every model; nothing is given that the
    /// model or the data do not read.
    void m4() {
        const std::vector<std::pair<std::string, std::int64_t>> frequencies{
            {"Yearly", 6}, {"Quarterly", 8}, {"Monthly", 18}, {"Weekly", 13}, {"Daily", 14}, {"Hourly", 48}};
        std::size_t found = 0;
        for (const auto& name : preset_names()) {
            const auto preset = load_text(preset_text(name), name, {});
            const auto& config = preset.base;
            if (!is_of_m4(config)) continue;
            ++found;
            const auto i = std::find_if(frequencies.begin(), frequencies.end(), [&](const auto& frequency) {
                return frequency.first == config.data.frequency;
            });
            QVERIFY2(i != frequencies.end(), name.c_str());
            QVERIFY2(name.ends_with(m4_cells.at(static_cast<std::size_t>(i - frequencies.begin()))),
                     name.c_str());
            QCOMPARE(config.data.path, "catalog:M4-" + i->first);
            QCOMPARE(config.data.horizon, i->second);
            QCOMPARE(config.data.lookback, 2 * i->second);
            QCOMPARE(config.data.m4_stopping, std::string("holdout"));
            const bool has_loss = is_read(config, *find_option("loss.forecast"));
            QCOMPARE(config.loss.forecast, std::string(has_loss ? "smape" : "mse"));
            for (const auto& given : preset.given) {
                QVERIFY2(is_read(config, *find_option(given.key)), (name + ": " + given.key).c_str());
                QVERIFY2(
                    given.key != "data.split" && given.key != "data.batching" && given.key != "data.missing",
                    (name + ": " + given.key).c_str());
            }
            for (const auto& problem : contradictions(config)) QFAIL((name + ": " + problem.found).c_str());
        }
        QCOMPARE(found, std::size_t{14 * 6});
    }

    void m4_of_casp_llm_and_s2ip_llm() {
        const auto of = [](const std::string& name) { return parse("preset = \"" + name + "\"").base; };
        for (const auto& cell : m4_cells) {
            const bool few = cell == "m4-yearly" || cell == "m4-quarterly";
            const auto casp = of(cell), s2ip = of("s2ip-llm-" + cell);
            for (const auto& config : {casp, s2ip}) {
                QCOMPARE(config.model.patch_length, 1);
                QCOMPARE(config.model.patch_stride, 1);
                QCOMPARE(config.model.top_k, few ? 2 : 4);
                QCOMPARE(config.train.schedule, std::string("constant"));
                QCOMPARE(config.train.patience, 3);
            }
            QCOMPARE(casp.loss.lambda_sim, 0.05);
            QCOMPARE(casp.loss.lambda_cov, 0.05);
            QCOMPARE(casp.model.trend_length, 4);
            QCOMPARE(casp.model.seasonal_length, cell == "m4-monthly" ? 8 : 4);
            QCOMPARE(casp.train.batch_size, 32);
            QCOMPARE(casp.train.learning_rate, 1e-4);
            QCOMPARE(casp.train.epochs, 100);
            QCOMPARE(s2ip.loss.lambda_sim, cell == "m4-yearly" ? 0.01 : 0.1);
            QCOMPARE(s2ip.model.trend_length, few ? 1 : 4);
            QCOMPARE(s2ip.model.seasonal_length, few ? 1 : 2);
            QCOMPARE(s2ip.train.learning_rate, 1e-3 / 25);
            QCOMPARE(s2ip.train.epochs, 50);
        }
    }

    void m4_of_other_models() {
        const auto of = [](const std::string& name) { return parse("preset = \"" + name + "\"").base; };
        for (const auto& cell : m4_cells) {
            const auto ofa = of("ofa-" + cell);
            QCOMPARE(ofa.ofa.network, std::string("points"));
            QCOMPARE(ofa.ofa.d_model, cell == "m4-monthly" ? 128 : 768);
            QCOMPARE(ofa.ofa.d_ff, cell == "m4-yearly" ? 32 : 128);
            QCOMPARE(ofa.train.learning_rate, cell == "m4-monthly" ? 2e-3 : 1e-3);
            for (const std::string model :
                 {"ofa", "tempo", "patchtst", "itransformer", "autoformer", "fedformer", "dlinear"}) {
                const auto config = of(model + "-" + cell);
                QCOMPARE(config.train.batch_size, 16);
                QCOMPARE(config.train.epochs, 10);
                QCOMPARE(config.train.schedule, std::string("halving"));
                QCOMPARE(config.train.weight_decay, 0.0);
                if (model != "ofa") QCOMPARE(config.train.learning_rate, 1e-3);
            }
            QCOMPARE(of("autoformer-" + cell).autoformer.label_len, ofa.data.horizon);
            QCOMPARE(of("fedformer-" + cell).fedformer.label_len, ofa.data.horizon);
            const auto time_llm = of("time-llm-" + cell), calf = of("calf-" + cell);
            QCOMPARE(time_llm.time_llm.patch_len, 1);
            QCOMPARE(time_llm.time_llm.d_model, 8);
            QCOMPARE(time_llm.train.learning_rate, 1e-3);
            QCOMPARE(calf.calf.task_loss, std::string("smape"));
            QCOMPARE(calf.calf.output_loss, std::string("mase"));
            QCOMPARE(calf.calf.feature_loss, std::string("smooth_l1"));
            QCOMPARE(calf.train.t_max, 20);
        }
    }

    void spot_checks() {
        const auto of = [](const char* name) { return parse("preset = \"" + std::string(name) + "\"").base; };
        const auto etth1 = of("etth1-720");
        QCOMPARE(etth1.data.path, std::string("catalog:ETTh1"));
        QCOMPARE(etth1.data.horizon, 720);
        QCOMPARE(etth1.model.top_k, 4);
        QCOMPARE(etth1.model.trend_length, 48);
        QCOMPARE(etth1.train.learning_rate, 1e-3);
        QCOMPARE(etth1.loss.lambda_sim, 0.01);
        QCOMPARE(of("etth2-720").model.seasonal_length, 192);
        QCOMPARE(of("ettm1-336").loss.lambda_cov, 0.01);
        QCOMPARE(of("ettm2-96").model.seasonal_length, 24);
        QCOMPARE(of("weather-96").loss.lambda_cov, 0.15);
        QCOMPARE(of("weather-96").train.batch_size, 256);
        QCOMPARE(of("electricity-336").model.seasonal_length, 24);
        QCOMPARE(of("electricity-192").train.batch_size, 512);
    }

    void every_cell_is_the_papers() {
        QFile file(QString(CASP_SHARED_DATA) + "/../reference/paper.tex");
        if (!file.open(QIODevice::ReadOnly))
            QSKIP("the paper's source is not here (shared/reference/paper.tex)");
        const auto tex = QString::fromUtf8(file.readAll());
        const auto end = tex.indexOf("\\label{tab:hparams}");
        QVERIFY(end > 0);
        const auto begin = tex.lastIndexOf("\\begin{tabular}", end);
        static const QRegularExpression dataset("\\\\multirow\\{4\\}\\{\\*\\}\\{(\\w+)\\}");
        static const QRegularExpression power("\\$10\\^\\{-(\\d)\\}\\$");
        QString data;
        int cells = 0;
        for (auto line : tex.mid(begin, end - begin).split('\n')) {
            if (const auto match = dataset.match(line); match.hasMatch()) data = match.captured(1);
            const auto columns = line.remove("\\\\").split('&');
            const auto rate = power.match(line);
            if (columns.size() != 9 || !rate.hasMatch()) continue;
            const auto name = data.toLower() + "-" + columns[1].trimmed();
            const auto config = parse("preset = \"" + name.toStdString() + "\"").base;
            const auto cell = [&](int column) { return columns[column].trimmed(); };
            QCOMPARE(QString::fromStdString(config.data.path), "catalog:" + data);
            QCOMPARE(config.data.horizon, cell(1).toLongLong());
            QCOMPARE(config.loss.lambda_sim, cell(2).toDouble());
            QCOMPARE(config.loss.lambda_cov, cell(3).toDouble());
            QCOMPARE(config.model.top_k, cell(4).toLongLong());
            QCOMPARE(config.model.trend_length, cell(5).toLongLong());
            QCOMPARE(config.model.seasonal_length, cell(6).toLongLong());
            QCOMPARE(config.train.batch_size, cell(7).toLongLong());
            QCOMPARE(config.train.learning_rate, ("1e-" + rate.captured(1)).toDouble());
            ++cells;
        }
        QCOMPARE(cells, 24);
    }
};

TEST_MAIN_WITHOUT_GUI(TestPresets)
#include "test_presets.moc"
