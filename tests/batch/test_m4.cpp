// Collections of series with the real program: scores, submission, stopping, resuming, tables, bad input.
#include <sys/types.h>

#include <cmath>
#include <csignal>
#include <filesystem>

#include <QtTest>

#include "batch_fixture.h"
#include "figure_table.h"
#include "store/hdf5_file.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

namespace {

struct Frequency {
    QByteArray name;
    int horizon, season, series;
    int shortest;  ///< training values of the first series; each further one has 7 more
};

const Frequency yearly{"Yearly", 6, 1, 5, 13};
const Frequency hourly{"Hourly", 48, 24, 3, 110};

double value(const Frequency& f, int series, int t) {
    return 1000.1 * (series + 1) + 3.3 * t + 100 * std::sin(2 * M_PI * t / 24) +
           (f.season == 1 ? 20 : 5) * std::sin(1.7 * t * (series + 1));
}

int length(const Frequency& f, int series) { return f.shortest + 7 * series; }

QByteArray id(const Frequency& f, int series) { return f.name.left(1) + QByteArray::number(series + 1); }

/// As the competition's files: quoted, and empty cells behind the shorter series.
void write_m4(const test::Workplace& place, const QString& folder, const Frequency& f) {
    const auto file = [&](int count, const auto& begin, const auto& end) {
        QByteArray text;
        for (int column = 1; column <= count + 1; ++column)
            text += (column > 1 ? "," : "") + QByteArray("\"V") + QByteArray::number(column) + "\"";
        text += '\n';
        for (int i = 0; i < f.series; ++i) {
            text += '"' + id(f, i) + '"';
            for (int t = begin(i); t < begin(i) + count; ++t)
                text += t < end(i) ? ",\"" + QByteArray::number(value(f, i, t), 'g', 17) + "\"" : ",";
            text += '\n';
        }
        return text;
    };
    QDir().mkpath(place.path(folder + "/Train"));
    QDir().mkpath(place.path(folder + "/Test"));
    const auto n = [&](int i) { return length(f, i); };
    place.write(folder + "/Train/" + f.name + "-train.csv", file(
                                                                n(f.series - 1), [](int) { return 0; }, n));
    place.write(folder + "/Test/" + f.name + "-test.csv",
                file(f.horizon, n, [&](int i) { return n(i) + f.horizon; }));
}

/// Mean sMAPE and MASE of a forecast, from the definitions.
std::pair<double, double> scores_of(const Frequency& f,
                                    const std::function<double(int series, int step)>& y) {
    double smape = 0, mase = 0;
    for (int i = 0; i < f.series; ++i) {
        double scale = 0;
        for (int t = f.season; t < length(f, i); ++t)
            scale += std::abs(value(f, i, t) - value(f, i, t - f.season)) / (length(f, i) - f.season);
        for (int h = 0; h < f.horizon; ++h) {
            const double truth = value(f, i, length(f, i) + h), error = std::abs(truth - y(i, h));
            smape += 200 * error / (std::abs(truth) + std::abs(y(i, h))) / f.horizon / f.series;
            mase += error / scale / f.horizon / f.series;
        }
    }
    return {smape, mase};
}

QStringList sets(const QStringList& values) {
    QStringList arguments;
    for (const auto& one : values) arguments << "--set" << one;
    return arguments;
}

/// Arguments that make the presets of M4 small.
QStringList small_model() {
    return sets({"backbone.path=untrained", "backbone.layers=1", "backbone.width=12", "backbone.heads=2",
                 "backbone.vocabulary=60", "backbone.positions=256", "model.pool_size=20", "train.epochs=2",
                 "run.device=cpu", "run.threads=1"});
}

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

}  // namespace

class TestM4 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        write_m4(place_, "M4", yearly);
        write_m4(place_, "M4", hourly);
        // Where the presets look for them.
        write_m4(place_, "home/cache/caspstudio/data/M4", yearly);
        write_m4(place_, "home/cache/caspstudio/data/M4", hourly);
    }

    void naive_models_score_as_defined() {
        const auto table =
            batch("naive",
                  "[data]\npath = \"M4\"\nfrequency = \"Hourly\"\nlookback = 96\nhorizon = 48\n"
                  "[run]\ndevice = \"cpu\"\n[sweep]\nmodel.name = [\"naive\", \"seasonal-naive\"]\n");
        QCOMPARE(table.rows.size(), qsizetype{2});
        const auto [smape, mase] =
            scores_of(hourly, [](int i, int) { return value(hourly, i, length(hourly, i) - 1); });
        QVERIFY(is_near(table.number(0, "test_smape"), smape));
        QVERIFY(is_near(table.number(0, "test_mase"), mase));
        const auto [seasonal_smape, seasonal_mase] =
            scores_of(hourly, [](int i, int h) { return value(hourly, i, length(hourly, i) - 24 + h % 24); });
        QVERIFY(is_near(table.number(1, "test_smape"), seasonal_smape));
        QVERIFY(is_near(table.number(1, "test_mase"), seasonal_mase));
        QCOMPARE(table.at(0, "data"), QString("M4-Hourly"));
        VERIFY_HAS(out_, "sMAPE", "OWA");
        const auto names = place_.read("runs/naive/results.csv").split('\n').first();
        QVERIFY2(names.contains(",peak_memory,test_smape,test_mase,test_owa,val_smape,precision"),
                 names.constData());
        // Naive2 of a series without season is the persistence forecast.
        const auto of_years =
            batch("years", "preset = \"naive-m4-yearly\"\n[data]\npath = \"M4\"\n[run]\ndevice = \"cpu\"\n");
        QCOMPARE(of_years.number(0, "test_owa"), 1.0);
        QCOMPARE(of_years.number(0, "test_mse"), of_years.number(0, "last_value_mse"));
    }

    void forecasts_are_stored_in_double() {
        const auto folder = place_.path("runs/years/single").toStdString();
        const auto file = store::Hdf5File::open(folder + "/run.h5");
        const auto truth = file.read<double>("/forecast/test/truth", {5, 6, 1});
        const auto prediction = file.read<double>("/forecast/test/prediction", {5, 6, 1});
        for (int i = 0; i < 5; ++i)
            for (int h = 0; h < 6; ++h) {
                QCOMPARE(truth[static_cast<std::size_t>(6 * i + h)], value(yearly, i, length(yearly, i) + h));
                QCOMPARE(prediction[static_cast<std::size_t>(6 * i + h)],
                         value(yearly, i, length(yearly, i) - 1));
            }
        QVERIFY(file.read_strings("/forecast/test/series") ==
                (std::vector<std::string>{"Y1", "Y2", "Y3", "Y4", "Y5"}));
        const auto record = store::read_run_file(folder + "/run.h5");
        QCOMPARE(record.data.series.size(), std::size_t{5});
        QCOMPARE(record.epochs.val_smape.size(), std::size_t{1});
        double sum = 0;
        for (const double smape : store::read_series_scores(folder + "/arrays.h5", "test").smape)
            sum += smape / 5;
        QVERIFY(is_near(sum, record.test->smape));
    }

    void submission_has_a_line_per_series() {
        const auto lines = place_.read("runs/years/single/submission.csv").split('\n');
        QCOMPARE(lines.size(), qsizetype{7});  // the last is empty
        QVERIFY2(lines[0].startsWith("id,F1,F2,") && lines[0].endsWith(",F48"), lines[0].constData());
        const auto cells = lines[5].split(',');
        QCOMPARE(cells.size(), qsizetype{49});
        QCOMPARE(cells[0], QByteArray("Y5"));
        QCOMPARE(cells[1].toDouble(), value(yearly, 4, length(yearly, 4) - 1));
        QCOMPARE(cells[7], QByteArray("NA"));
    }

    void early_stopping_on_the_test_values_is_marked() {
        const auto table =
            batch("stopping",
                  "preset = \"dlinear-m4-yearly\"\n[data]\npath = \"M4\"\n[train]\nepochs = 2\n"
                  "[run]\ndevice = \"cpu\"\n[sweep]\ndata.m4_stopping = [\"holdout\", \"paper\"]\n");
        QCOMPARE(table.at(0, "data"), QString("M4-Yearly"));
        QCOMPARE(table.at(1, "data"), QString("M4-Yearly (stopped on test)"));
        QVERIFY(table.number(0, "val_mse") != table.number(0, "test_mse"));
        QCOMPARE(table.number(1, "val_mse"), table.number(1, "test_mse"));
        VERIFY_HAS(out_, "M4-Yearly (stopped on test)");
        QVERIFY(place_.read("runs/stopping/summary.md").contains("(stopped on test)"));
    }

    void interrupted_and_resumed_to_the_same_bits() {
        const QByteArray toml =
            "preset = \"m4-hourly\"\n[data]\npath = \"M4\"\n[train]\nbatch_size = "
            "1\n[run]\ncheckpoint_seconds = "
            "0\n";
        place_.write("whole.toml", toml);
        place_.write("parts.toml", toml);
        const auto more = small_model() << "--set"
                                        << "train.epochs=4";
        VERIFY_CODE(place_.run(QStringList{"--batch", "whole.toml"} << more), 0);
        QProcess process;
        place_.prepare(process, QStringList{"--batch", "parts.toml"} << more);
        test::keep_in_step(process);
        process.start();
        process.setReadChannel(QProcess::StandardError);
        QByteArray log;
        while (!log.contains("epoch 2") && process.waitForReadyRead(60000))
            log += process.readAllStandardError();
        VERIFY_HAS(log, "epoch 2");
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGTERM), 0);
        QVERIFY(process.waitForFinished(60000));
        if (process.exitCode() == 130)
            VERIFY_CODE(place_.run(QStringList{"--batch", "parts.toml", "--resume"} << more), 0);
        QVERIFY(test::tensors_of(place_.path("runs/whole/single/best.safetensors")) ==
                test::tensors_of(place_.path("runs/parts/single/best.safetensors")));
        QCOMPARE(place_.read("runs/whole/single/submission.csv"),
                 place_.read("runs/parts/single/submission.csv"));
    }

    void a_checkpoint_is_evaluated() {
        VERIFY_RUN(r, 0,
                   {"--evaluate", "runs/whole/single", "--data", "M4", "--set", "data.frequency=Hourly",
                    "--out", "again"});
        const auto whole = test::Table(place_.read("runs/whole/results.csv"));
        const auto record = store::read_run_file(place_
                                                     .path("again/evaluations/" +
                                                           QDir(place_.path("again/evaluations"))
                                                               .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                                                               .value(0) +
                                                           "/run.h5")
                                                     .toStdString());
        QCOMPARE(record.test->smape, whole.number(0, "test_smape"));
        QCOMPARE(record.test->owa, whole.number(0, "test_owa"));
    }

    void models_are_compared_by_the_scores() {
        (void)batch(
            "models",
            "[data]\npath = \"M4\"\nfrequency = \"Yearly\"\nlookback = 12\nhorizon = 6\n[loss]\nforecast = "
            "\"smape\"\n[train]\nepochs = 1\n[run]\ndevice = \"cpu\"\n[sweep]\nmodel.name = [\"naive\", "
            "\"dlinear\", \"ridge\"]\ntrain.seed = [1, 2]\n");
        const test::Table comparisons(place_.read("runs/models/comparisons.csv"));
        QVERIFY(!comparisons.rows.isEmpty());
        QStringList metrics;
        for (int i = 0; i < comparisons.rows.size(); ++i) metrics << comparisons.at(i, "metric");
        metrics.removeDuplicates();
        QCOMPARE(metrics, (QStringList{"test_smape", "test_mase", "test_owa"}));
        QVERIFY(place_.read("runs/models/comparisons.md").contains("## Over series"));
        VERIFY_RUN(compared, 0, {"--compare", "runs/models", "--out", "compared"});
        VERIFY_HAS(compared.out, "## Over series");
        QVERIFY(place_.read("compared/comparisons.md").contains("## Over series"));
        QVERIFY2(place_.read("runs/models/ranks.csv").contains("test_smape"), out_.constData());
        const auto summary = place_.read("runs/models/summary.csv").split('\n').first();
        QVERIFY2(
            summary.endsWith("test_smape_mean,test_smape_sd,test_mase_mean,test_mase_sd,test_owa_mean,test_"
                             "owa_sd,val_smape_mean,val_smape_sd,precision"),
            summary.constData());
    }

    void the_papers_table_is_filled() {
        const auto arguments = QStringList{"--batch", "paper:m4"}
                               << small_model()
                               << sets({"train.max_steps=2", "sweep.train.seed=[2021]",
                                        "sweep.preset=[\"m4-yearly\", \"m4-hourly\", \"dlinear-m4-yearly\", "
                                        "\"dlinear-m4-hourly\"]"});
        VERIFY_RUN(r, 0, arguments);
        const test::Table table(place_.read("runs/paper-m4/m4.csv"));
        const test::Table results(place_.read("runs/paper-m4/results.csv"));
        const auto ours = [&](const QString& row) {
            for (int i = 0; i < table.rows.size(); ++i)
                if (table.at(i, "row") == row && table.at(i, "column") == "DLinear")
                    return table.number(i, "ours");
            return std::nan("");
        };
        const double years = results.number(2, "test_smape"), hours = results.number(3, "test_smape");
        QCOMPARE(ours("Yearly|sMAPE"), years);
        QCOMPARE(ours("Hourly|sMAPE"), hours);
        QVERIFY(std::isnan(ours("Average|sMAPE")));  // of all six frequencies only
        QVERIFY(is_near(ours("Average of Yearly, Hourly|sMAPE"), (23000 * years + 414 * hours) / 23414));
        QVERIFY(std::isfinite(ours("Average of Yearly, Hourly|OWA")));
        VERIFY_HAS(r.out, "runs of Quarterly, Monthly, Weekly, Daily are missing");
    }

    void one_file_with_a_row_per_value() {
        QByteArray text = "unique_id,ds,y\n";
        for (int i = 0; i < yearly.series; ++i)
            for (int t = 0; t < length(yearly, i) + yearly.horizon; ++t)
                text += id(yearly, i) + ',' + QByteArray::number(1950 + t) + "-01-01," +
                        QByteArray::number(value(yearly, i, t), 'g', 17) + '\n';
        place_.write("long.csv", text);
        const auto table = batch(
            "long", "preset = \"naive-m4-yearly\"\n[data]\npath = \"long.csv\"\n[run]\ndevice = \"cpu\"\n");
        const test::Table wide(place_.read("runs/years/results.csv"));
        for (const char* score : {"test_smape", "test_mase", "test_owa"})
            QCOMPARE(table.number(0, score), wide.number(0, score));
        QCOMPARE(table.at(0, "data"), QString("long"));
    }

    void describe_prints_a_collection() {
        VERIFY_RUN(r, 0, {"--describe", "M4", "--set", "data.frequency=Yearly"});
        VERIFY_HAS(r.out, "series      5", "13 to 41, median 27");
        VERIFY_RUN(several, 2, {"--describe", "M4"});
        VERIFY_HAS(several.err, "data.frequency", "Yearly");
        const auto list = place_.run({"--list-presets"});
        QVERIFY(list.out.contains("dlinear-m4-weekly"));
    }

    void bad_input_data() {
        QTest::addColumn<QByteArray>("data");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("frequency not there")
            << QByteArray("path = \"M4\"\nfrequency = \"Daily\"") << QByteArray("Daily-train.csv");
        QTest::newRow("horizon") << QByteArray("path = \"M4\"\nfrequency = \"Yearly\"\nhorizon = 7")
                                 << QByteArray("data.horizon = 6");
        QTest::newRow("few-shot") << QByteArray(
                                         "path = \"M4\"\nfrequency = \"Yearly\"\nhorizon = 6\npercent = 10")
                                  << QByteArray("data.percent");
        QTest::newRow("no folder") << QByteArray("path = \"M5\"\nfrequency = \"Yearly\"") << QByteArray("M5");
    }

    void bad_input() {
        QFETCH(QByteArray, data);
        QFETCH(QByteArray, expected);
        place_.write("bad.toml", "[data]\nlookback = 12\n" + data + "\n[model]\nname = \"naive\"\n");
        VERIFY_RUN(r, 2, {"--batch", "bad.toml", "--out", "bad"});
        VERIFY_HAS(r.err, expected);
        QCOMPARE(r.err.count('\n'), 2);  // the run's number, and the error
        QVERIFY(QDir(place_.path("bad/bad")).entryList(QDir::Files | QDir::NoDotAndDotDot).isEmpty());
    }

    void published_competition_scores_are_reproduced() {
        const auto shared = std::filesystem::path(CASP_SHARED_DATA) / "M4";
        if (!std::filesystem::exists(shared)) QSKIP("M4 is not here (shared/data/M4)");
        const auto path = QByteArray::fromStdString(shared.string());
        const auto rounded = [](double x) { return std::round(1000 * x) / 1000; };
        const auto table = batch(
            "competition", "[data]\npath = \"" + path +
                               "\"\n[run]\ndevice = \"cpu\"\n[sweep]\npreset = "
                               "[\"naive-m4-yearly\", \"naive-m4-hourly\", \"seasonal-naive-m4-hourly\"]\n");
        QCOMPARE(table.rows.size(), qsizetype{3});
        // The competition's tables of its benchmarks.
        QCOMPARE(rounded(table.number(0, "test_smape")), 16.342);
        QCOMPARE(rounded(table.number(0, "test_mase")), 3.974);
        QCOMPARE(rounded(table.number(1, "test_smape")), 43.003);
        QCOMPARE(rounded(table.number(1, "test_mase")), 11.608);
        QCOMPARE(rounded(table.number(2, "test_smape")), 13.912);
        QCOMPARE(rounded(table.number(2, "test_mase")), 1.193);
        QCOMPARE(table.at(0, "data"), QString("M4-Yearly"));
    }

private:
    /// Results of a batch of one file's text.
    [[nodiscard]] test::Table batch(const QString& name, const QByteArray& toml, const QStringList& more = {},
                                    int expected = 0) {
        place_.write(name + ".toml", toml);
        const auto r = place_.run(QStringList{"--batch", name + ".toml"} << more);
        if (r.code != expected) qWarning("%s", r.err.constData());
        out_ = r.out;
        err_ = r.err;
        return test::Table(place_.read("runs/" + name + "/results.csv"));
    }
    test::Workplace place_;
    QByteArray out_, err_;
};

TEST_MAIN_WITHOUT_GUI(TestM4)
#include "test_m4.moc"
