// The presets: names, keys, M4's, and the paper's 24 cells against the paper's table, read from its LaTeX
// source.

#include <algorithm>
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
            QVERIFY2(contradictions(config).empty(), name.c_str());
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
            if (config.model.name == "autoformer") QCOMPARE(config.autoformer.label_len, i->second);
            if (config.model.name == "fedformer") QCOMPARE(config.fedformer.label_len, i->second);
            const bool has_loss = is_read(config, *find_option("loss.forecast"));
            QCOMPARE(config.loss.forecast, std::string(has_loss ? "smape" : "mse"));
            for (const auto& given : preset.given) {
                QVERIFY2(is_read(config, *find_option(given.key)), (name + ": " + given.key).c_str());
                QVERIFY2(
                    given.key != "data.split" && given.key != "data.batching" && given.key != "data.missing",
                    (name + ": " + given.key).c_str());
            }
        }
        QCOMPARE(found, std::size_t{14 * 6});
    }

    void every_preset_equals_the_papers_cell() {
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
