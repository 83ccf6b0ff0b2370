// The examples of docs/guide/python.md, run as they are printed on a batch that the program has trained.
#include <map>

#include <QtTest>

#include "batch_fixture.h"
#include "core/store/store_test.h"
#include "store/result_columns.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

namespace {

const QString chosen_run = "runs/my-first/lambda_cov-0.1_seed-2021";

struct Block {
    QString section, language;
    QByteArray code;
};

QList<Block> blocks_of_the_page() {
    QFile file(QStringLiteral(CASP_SOURCE_DIR "/docs/guide/python.md"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QList<Block> blocks;
    QString section;
    bool inside = false;
    for (const auto& line : file.readAll().split('\n')) {
        if (line.startsWith("```")) {
            inside = !inside;
            if (inside) blocks << Block{section, QString::fromUtf8(line.mid(3)), {}};
        } else if (inside) {
            blocks.last().code += line + '\n';
        } else if (line.startsWith("## ")) {
            section = QString::fromUtf8(line.mid(3));
        }
    }
    return blocks;
}

/// What each example must have found, as Python that follows it. MSE: the run's test error.
const std::map<QString, QByteArray> checks{
    {"Histories, metrics and forecasts (h5py)",
     "assert losses.shape == (4,) and forecast.shape == (24, 2)\n"
     "assert list(names) == ['load', 'temperature'] and 0 < forecast[:, 1].mean() < 20\n"},
    {"Tables of a batch (pandas)",
     "assert list(pairs.columns) == [0.0, 0.1] and list(pairs.index) == [2021, 2022]\n"
     "assert abs(pairs.loc[2021, 0.1] - MSE) < 1e-9 and pairs.notna().to_numpy().all()\n"},
    {"Weights (safetensors)", "assert coverage.shape == (30,) and 'in_layer.weight' in weights\n"},
    {"Forecasts as arrays (NumPy)",
     "assert prediction.shape == truth.shape == (57, 24, 2) and prediction.dtype == 'f4'\n"
     "assert prediction.flags.c_contiguous\n"
     "assert abs(numpy.mean((prediction - truth) ** 2, dtype='f8') - MSE) < 1e-5 * MSE\n"},
    {"Forecasts as a long table (pandas)",
     "assert list(forecasts.columns) == ['unique_id', 'ds', 'cutoff', 'y', 'casp-llm']\n"
     "assert len(forecasts) == 57 * 24 * 2 and set(step) == set(range(1, 25))\n"
     "assert (forecasts.ds - forecasts.cutoff == pandas.to_timedelta(step, unit='h')).all()\n"
     "assert forecasts.groupby('unique_id').cutoff.nunique().to_dict() == {'load': 57, 'temperature': 57}\n"
     "data = pandas.read_csv('series.csv')\n"
     "data.index = pandas.to_datetime(data.pop('date'), unit='s')\n"
     "wide = forecasts.drop_duplicates(['unique_id', 'ds']).pivot(index='ds', columns='unique_id', "
     "values='y')\n"
     "assert (wide - data.loc[wide.index]).abs().to_numpy().max() < 1e-5 and len(wide) == 80\n"},
    {"Nixtla's tools (utilsforecast)",
     "assert set(scores.metric) == {'mae', 'mse'} and scores['casp-llm'].notna().all()\n"
     "assert set(scores.unique_id) == {'load', 'temperature'}\n"},
    {"Curves in TensorBoard",
     "events = list(pathlib.Path('tensorboard').glob('*/events*'))\n"
     "assert len(events) == 4 and all(file.stat().st_size > 1000 for file in events), events\n"}};

}  // namespace

class TestPythonPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", test::small_csv());
        place_.write("my-first.toml", test::small_experiment("[sweep]\n\"loss.lambda_cov\" = [0.1, 0]\n"
                                                             "\"train.seed\" = [2021, 2022]\n")
                                          .replace("epochs = 3", "epochs = 1\nmax_steps = 4"));
        VERIFY_CODE(place_.run({"--batch", "my-first.toml"}), 0);
        int commands = 0;
        for (const auto& block : blocks_of_the_page()) {
            for (const auto& line : block.section.isEmpty() ? block.code.split('\n') : QByteArrayList()) {
                auto words = QString::fromUtf8(line.left(line.indexOf('#'))).split(' ', Qt::SkipEmptyParts);
                if (words.isEmpty()) continue;
                QCOMPARE(words.takeFirst(), QString("caspstudio"));
                VERIFY_CODE(place_.run(words), 0);
                ++commands;
            }
        }
        QCOMPARE(commands, 2);
        const auto record = store::read_run_file(place_.path(chosen_run + "/run.h5").toStdString());
        QVERIFY(record.test);
        test_mse_ = QByteArray::fromStdString(store::shortest(record.test->mse));
    }

    void examples_data() {
        QTest::addColumn<QString>("section");
        QTest::addColumn<QByteArray>("code");
        std::size_t examples = 0;
        for (const auto& block : blocks_of_the_page())
            if (block.language == "python") {
                QTest::newRow(block.section.toUtf8()) << block.section << block.code;
                ++examples;
            }
        QCOMPARE(examples, checks.size());
    }

    void examples() {
        QFETCH(QString, section);
        QFETCH(QByteArray, code);
        static const QRegularExpression imports("^(?:import|from) (\\w+)",
                                                QRegularExpression::MultilineOption);
        for (auto found = imports.globalMatch(QString::fromUtf8(code)); found.hasNext();) {
            const auto module = found.next().captured(1).toUtf8();
            if (!store_test::python_has(module)) QSKIP(("Python has no " + module).constData());
        }
        QVERIFY2(checks.count(section) == 1, "the example has no check here");
        auto check = checks.at(section);
        const auto r =
            run(store_test::python(), {"-c", QString::fromUtf8(code + check.replace("MSE", test_mse_))});
        VERIFY_CODE(r, 0);
        if (section.contains("h5py")) VERIFY_HAS(r.out, "finished test MSE " + test_mse_);
    }

    void example_in_r() {
        const auto program = QStandardPaths::findExecutable("Rscript");
        if (program.isEmpty()) QSKIP("Rscript is not on this computer");
        for (const auto& block : blocks_of_the_page()) {
            if (block.language != "r") continue;
            place_.write("example.R", block.code +
                                          "stopifnot(nrow(forecasts) == 57 * 24 * 2, !anyNA(forecasts$ds),\n"
                                          "names(forecasts)[5] == \"casp-llm\", !anyNA(error))\n");
            const auto r = run(program, {"--vanilla", "example.R"});
            VERIFY_CODE(r, 0);
            VERIFY_HAS(r.out, "temperature");
            return;
        }
        QFAIL("the page has no example in R");
    }

private:
    [[nodiscard]] test::Finished run(const QString& program, const QStringList& arguments) const {
        QProcess process;
        process.setWorkingDirectory(place_.path(""));
        process.start(program, arguments);
        test::Finished result;
        if (process.waitForFinished(300000) && process.exitStatus() == QProcess::NormalExit)
            result.code = process.exitCode();
        result.out = process.readAllStandardOutput();
        result.err = process.readAllStandardError();
        return result;
    }
    test::Workplace place_;
    QByteArray test_mse_;
};

TEST_MAIN_WITHOUT_GUI(TestPythonPage)
#include "test_python_page.moc"
