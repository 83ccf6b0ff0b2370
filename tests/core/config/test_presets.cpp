// The presets: names, keys, and the paper's 24 cells against the paper's table, read from its LaTeX source.

#include <algorithm>
#include <filesystem>
#include <QFile>
#include <QRegularExpression>

#include "config/presets.h"
#include "config_test.h"

using namespace casp::config;

namespace {

std::vector<std::string> cells_of_the_paper() {
    std::vector<std::string> names;
    for (const auto* data : {"etth1", "etth2", "ettm1", "ettm2", "weather", "electricity"})
        for (const auto* horizon : {"96", "192", "336", "720"})
            names.push_back(std::string(data) + "-" + horizon);
    return names;
}

}  // namespace

class TestPresets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void names() {
        const auto cells = cells_of_the_paper();
        const auto& found = preset_names();
        QVERIFY(found.size() >= cells.size());
        QVERIFY(std::equal(cells.begin(), cells.end(), found.begin()));
        for (const auto& cell : cells)
            QVERIFY2(std::count(found.begin(), found.end(), "time-llm-" + cell) == 1, cell.c_str());
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
            const bool ratio =
                name.find("weather") != std::string::npos || name.find("electricity") != std::string::npos;
            const auto split = ratio                                    ? "ratio"
                               : name.find("ettm") != std::string::npos ? "ett-minutely"
                                                                        : "ett-hourly";
            QVERIFY2(config.data.split.rule == split, name.c_str());
            const bool single =
                ratio || name.starts_with("time-llm-");  // on every data set, as its public code
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

    void time_llm() {
        const auto of = [](const char* name) { return parse("preset = \"" + std::string(name) + "\"").base; };
        const auto etth1 = of("time-llm-etth1-336");
        QCOMPARE(etth1.model.name, std::string("time-llm"));
        QCOMPARE(etth1.train.learning_rate, 1e-3);
        QCOMPARE(etth1.train.schedule, std::string("cosine"));
        QCOMPARE(etth1.train.epochs, 100);
        QCOMPARE(of("time-llm-etth1-192").train.learning_rate, 0.02);
        QCOMPARE(of("time-llm-ettm2-96").train.schedule, std::string("one-cycle"));
        QCOMPARE(of("time-llm-weather-192").time_llm.d_ff, 32);
        QCOMPARE(of("time-llm-weather-336").time_llm.d_ff, 128);
        QCOMPARE(of("time-llm-electricity-96").time_llm.d_model, 16);
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

QTEST_APPLESS_MAIN(TestPresets)
#include "test_presets.moc"
