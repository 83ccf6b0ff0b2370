// --export with the real program: against the forecasts stored in arrays.h5 and the rows of the data file.
#include <cmath>

#include <QtTest>

#include "batch_fixture.h"
#include "figure_table.h"
#include "inspect/forecast_export.h"
#include "npy_array.h"
#include "store/hdf5_file.h"
#include "test_program.h"
#include "util/error.h"
#include "verify_text.h"

using namespace casp;

namespace {

constexpr int rows = 400, lookback = 48, horizon = 24, channels = 2, windows = 57;
constexpr int first_target = 320;  ///< row of the first test target

/// What a run has stored.
struct StoredArrays {
    std::vector<double> prediction, truth;
    store::RunRecord record;

    explicit StoredArrays(const QString& run)
        : record(store::read_run_file((run + "/run.h5").toStdString())) {
        const auto file = store::Hdf5File::open((run + "/arrays.h5").toStdString());
        prediction = file.read<double>("/forecast/test/prediction", {-1, -1, -1});
        truth = file.read<double>("/forecast/test/truth", {-1, -1, -1});
    }
};

/// Rows at `seconds` after 2020-01-01, "t", and two channels, one with a name that must be quoted.
QByteArray csv_at_steps_of(const QList<double>& seconds) {
    QByteArray text = "t,\"load, MW\",temperature\n";
    for (qsizetype r = 0; r < seconds.size(); ++r)
        text += QDateTime::fromMSecsSinceEpoch(1577836800000LL + std::llround(1000 * seconds[r]), Qt::UTC)
                    .toString("yyyy-MM-dd HH:mm:ss.zzz")
                    .toLatin1() +
                ',' +
                QByteArray::number(1e5 + std::sin(r * 2 * M_PI / 24) + 0.1 * std::cos(r * 1.7), 'f', 4) +
                ',' + QByteArray::number(10 + 3 * std::cos(r * 2 * M_PI / 24), 'f', 4) + '\n';
    return text;
}

QList<double> steps_of(double seconds) {
    QList<double> all;
    for (int r = 0; r < rows; ++r) all << r * seconds;
    return all;
}

}  // namespace

class TestExportCommand : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", csv_at_steps_of(steps_of(3600)));
        place_.write("small.toml",
                     test::small_experiment().replace("epochs = 3", "epochs = 1\nmax_steps = 4"));
        VERIFY_CODE(place_.run({"--batch", "small.toml"}), 0);
        VERIFY_CODE(test::run_years(place_), 0);
    }

    void arrays_are_those_of_the_run() {
        const auto r = place_.run({"--export", "runs/small/single", "--out", "out/npy"});  // npy by default
        VERIFY_CODE(r, 0);
        QCOMPARE(r.out, QByteArray("Forecasts of 57 windows, 24 steps and 2 channels: out/npy/pred.npy "
                                   "out/npy/true.npy\n"));
        const StoredArrays stored(place_.path("runs/small/single"));
        for (const auto& [name, values] :
             {std::pair("pred.npy", &stored.prediction), std::pair("true.npy", &stored.truth)}) {
            const auto bytes = place_.read(QString("out/npy/") + name).toStdString();
            const auto header = data::parse_npy_header(bytes, bytes.size(), name);
            QCOMPARE(header.width, std::size_t{4});
            QCOMPARE(header.data % 64, std::size_t{0});  // as NumPy aligns it
            const auto array = data::parse_npy(bytes, name);
            QVERIFY(array.shape == (std::vector<std::int64_t>{windows, horizon, channels}));
            QVERIFY(array.values == *values);
        }
        QVERIFY(stored.prediction != stored.truth);
    }

    /// The same errors as the arrays, and the same run if it is imported.
    void arrays_and_table_pass_the_audit() {
        const QStringList data{"--data",           "series.csv", "--set",
                               "data.lookback=48", "--set",      "data.horizon=24"};
        VERIFY_CODE(exported("runs/small/single"), 0);
        VERIFY_CODE(exported("runs/small/single", "csv"), 0);
        const auto arrays = place_.run(QStringList{"--audit", "out/npy"} << data);
        const auto table = place_.run(QStringList{"--audit", "out/csv/forecasts.csv"} << data);
        QVERIFY2(arrays.code == 0 && arrays.out.startsWith("clean: "), (arrays.out + arrays.err).constData());
        QVERIFY2(
            table.code == 0 && table.out.startsWith("clean: ") && table.out.contains("in original units"),
            (table.out + table.err).constData());
        const auto shared = [](const QByteArray& out) { return out.mid(out.indexOf("Over the 57 of 57")); };
        QCOMPARE(shared(table.out), shared(arrays.out));
        VERIFY_CODE(place_.run(QStringList{"--import", "out/csv/forecasts.csv"} << data), 0);
        const auto read = [&](const QString& run) {
            return store::Hdf5File::open(place_.path(run + "/arrays.h5").toStdString())
                .read<float>("/forecast/test/prediction", {windows, horizon, channels});
        };
        const auto ours = read("runs/small/single"), imported = read("runs/forecasts/single");
        for (std::size_t i = 0; i < ours.size(); ++i) QVERIFY(std::abs(ours[i] - imported[i]) < 1e-6);
    }

    void long_table() {
        const auto r = exported("runs/small/single", "csv");
        VERIFY_CODE(r, 0);
        QCOMPARE(r.out,
                 QByteArray("Forecasts of 57 windows, 24 steps and 2 channels: out/csv/forecasts.csv\n"));
        const test::Table table(place_.read("out/csv/forecasts.csv"));
        QCOMPARE(table.columns, (QStringList{"unique_id", "ds", "cutoff", "y", "casp-llm"}));
        QCOMPARE(table.rows.size(), qsizetype{windows * horizon * channels});
        const StoredArrays stored(place_.path("runs/small/single"));
        const test::Table data(csv_at_steps_of(steps_of(3600)));
        const auto time = [&](int row) { return data.at(row, "t").chopped(4); };  // without milliseconds
        const auto& scaler = stored.record.data;
        int row = 0;
        for (int w = 0; w < windows; ++w)
            for (int c = 0; c < channels; ++c)
                for (int h = 0; h < horizon; ++h, ++row) {
                    const auto channel = static_cast<std::size_t>(c);
                    const auto at = static_cast<std::size_t>((w * horizon + h) * channels + c);
                    const auto& name = data.columns[1 + c];
                    QCOMPARE(table.at(row, "unique_id"), name);
                    QCOMPARE(table.at(row, "ds"), time(first_target + w + h));
                    QCOMPARE(table.at(row, "cutoff"), time(first_target + w - 1));
                    // QCOMPARE would be fuzzy.
                    QVERIFY(table.number(row, "casp-llm") ==
                            stored.prediction[at] * scaler.std[channel] + scaler.mean[channel]);
                    // The file's values, up to float32 in standard deviations.
                    QVERIFY(std::abs(table.number(row, "y") - data.number(first_target + w + h, name)) <
                            1e-6 * scaler.std[channel]);
                }
        QCOMPARE(time(1), QString("2020-01-01 01:00:00"));
    }

    void milliseconds() {
        train("fast", csv_at_steps_of(steps_of(0.25)));
        VERIFY_CODE(exported("runs/fast/single", "csv"), 0);
        const test::Table table(place_.read("out/csv/forecasts.csv"));
        // Row 320 is a whole second: written like the others, or pandas would not read them.
        QCOMPARE(table.at(0, "ds"), QString("2020-01-01 00:01:20.000"));
        QCOMPARE(table.at(0, "cutoff"), QString("2020-01-01 00:01:19.750"));
        QCOMPARE(table.columns.last(), QString("naive"));
    }

    void without_times() {
        auto text = csv_at_steps_of(steps_of(3600)).split('\n');
        for (auto& line : text) line.remove(0, line.indexOf(',') + 1);
        train("numbers", text.join('\n'));
        VERIFY_CODE(exported("runs/numbers/single", "csv"), 0);
        const test::Table table(place_.read("out/csv/forecasts.csv"));
        QCOMPARE(table.at(0, "ds"), QString::number(first_target));
        QCOMPARE(table.at(0, "cutoff"), QString::number(first_target - 1));
        QCOMPARE(table.rows.last()[1], QString::number(rows - 1));
        // Times of day have no date, and are repeated.
        for (qsizetype r = 0; r + 1 < text.size(); ++r)
            text[r].prepend(
                r == 0 ? QByteArray("clock,")
                       : QTime(0, 0).addSecs(600 * static_cast<int>(r)).toString("HH:mm:ss,").toLatin1());
        train("clocks", text.join('\n'), "[data.csv]\ntime_column = \"clock\"\n");
        QVERIFY(!StoredArrays(place_.path("runs/clocks/single")).record.data.time.empty());
        VERIFY_CODE(exported("runs/clocks/single", "csv"), 0);
        QCOMPARE(test::Table(place_.read("out/csv/forecasts.csv")).at(0, "ds"),
                 QString::number(first_target));
    }

    void a_collection_of_series() {
        constexpr int years = 6;
        VERIFY_CODE(exported("runs/years/single"), 0);
        const auto bytes = place_.read("out/npy/pred.npy").toStdString();
        QCOMPARE(data::parse_npy_header(bytes, bytes.size(), "pred.npy").width, std::size_t{8});
        const auto array = data::parse_npy(bytes, "pred.npy");
        QVERIFY(array.shape == (std::vector<std::int64_t>{5, years, 1}));
        QVERIFY(array.values == StoredArrays(place_.path("runs/years/single")).prediction);

        VERIFY_CODE(exported("runs/years/single", "csv"), 0);
        const test::Table table(place_.read("out/csv/forecasts.csv"));
        QCOMPARE(table.rows.size(), qsizetype{5 * years});
        for (int i = 0; i < 5; ++i)
            for (int h = 0; h < years; ++h) {
                const int row = i * years + h, training = 13 + 7 * i;
                QCOMPARE(table.at(row, "unique_id"), "Y" + QString::number(i + 1));
                QCOMPARE(table.at(row, "cutoff"), QString::number(training));
                QCOMPARE(table.at(row, "ds"), QString::number(training + h + 1));
                QCOMPARE(table.number(row, "y"), 100 * i + 3.5 * (training + h));
                QCOMPARE(table.number(row, "naive"), 100 * i + 3.5 * (training - 1));
            }
    }

    /// 2^21 values are read at once: windows of other sizes than that divides.
    void several_parts_are_one_file() {
        std::int64_t reports = 0;
        const auto folder = place_.path("parts");
        QByteArray text = "a,b,c,d,e,f,g\n";
        for (int r = 0; r < 9000; ++r) {
            for (int c = 0; c < 7; ++c)
                text += (c == 0 ? "" : ",") + QByteArray::number(std::sin(r * 0.1 + c), 'f', 3);
            text += '\n';
        }
        place_.write("wide.csv", text);
        place_.write("wide.toml",
                     "[data]\npath = \"wide.csv\"\nlookback = 48\nhorizon = 240\n[model]\nname = \"naive\"\n"
                     "[run]\ndevice = \"cpu\"\n");
        VERIFY_CODE(place_.run({"--batch", "wide.toml"}), 0);
        const auto run = place_.path("runs/wide/single");
        const auto result =
            inspect::export_arrays(run.toStdString(), folder.toStdString(), [&](const Progress& p) {
                ++reports;
                QCOMPARE(p.unit, std::string("windows"));
            });
        QVERIFY2(reports > 1, "all values fit one part");
        QVERIFY(result.windows > 1000);
        const StoredArrays stored(run);
        QVERIFY(data::parse_npy(place_.read("parts/pred.npy").toStdString(), "pred").values ==
                stored.prediction);
        QVERIFY(data::parse_npy(place_.read("parts/true.npy").toStdString(), "true").values == stored.truth);
    }

    void files_are_replaced_and_never_half_written() {
        QDir().mkpath(place_.path("kept"));
        place_.write("kept/pred.npy", "former");
        const auto run = place_.path("runs/wide/single").toStdString();
        for (const bool arrays : {true, false}) {
            std::stop_source source;
            const auto stop_it = [&](const Progress&) { source.request_stop(); };
            const std::filesystem::path folder = place_.path("kept").toStdString();
            bool cancelled = false;
            try {
                if (arrays)
                    (void)inspect::export_arrays(run, folder, stop_it, source.get_token());
                else
                    (void)inspect::export_table(run, folder / "forecasts.csv", stop_it, source.get_token());
            } catch (const Cancelled&) {
                cancelled = true;
            }
            QVERIFY(cancelled);
        }
        QCOMPARE(QDir(place_.path("kept")).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList{"pred.npy"});
        QCOMPARE(place_.read("kept/pred.npy"), QByteArray("former"));
        VERIFY_CODE(place_.run({"--export", "runs/small/single", "--out", "kept"}), 0);
        VERIFY_CODE(exported("runs/small/single"), 0);
        QCOMPARE(place_.read("kept/pred.npy"), place_.read("out/npy/pred.npy"));
    }

    void bad_requests_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* name, const QStringList& arguments, const char* message) {
            QTest::newRow(name) << arguments << QByteArray(message);
        };
        row("no run", {"nothing"}, "nothing: run.h5 is missing; expected the folder of a run. Runs");
        row("a batch", {"runs/small"}, "runs/small: run.h5 is missing");
        row("not finished", {"stopped"}, "stopped: the run is interrupted; expected a finished run");
        row("without forecasts", {"runs/bare/single"}, "run.store_forecasts = [\"test\"]");
        row("other forecasts", {"runs/val/single"}, "run.store_forecasts = [\"test\"]");
        row("of another run", {"mixed"}, "the mean squared error of its windows");
        row("a file", {"runs/small/single", "--out", "series.csv"}, "series.csv: ");
    }

    void bad_requests() {
        if (qstrcmp(QTest::currentDataTag(), "no run") == 0) {
            place_.write("bare.toml",
                         "[data]\npath = \"series.csv\"\nlookback = 48\nhorizon = 24\n[model]\nname = "
                         "\"naive\"\n[run]\ndevice = \"cpu\"\nstore_forecasts = []\n");
            VERIFY_CODE(place_.run({"--batch", "bare.toml"}), 0);
            VERIFY_CODE(place_.run({"--batch", "bare.toml", "--set", "name=\"val\"", "--set",
                                    "run.store_forecasts=[\"val\"]"}),
                        0);
            for (const char* folder : {"stopped", "mixed"}) QDir().mkpath(place_.path(folder));
            auto record = store::read_run_file(place_.path("runs/small/single/run.h5").toStdString());
            record.attributes.state = store::RunState::interrupted;
            store::write_run_file(place_.path("stopped").toStdString(), record);
            QVERIFY(QFile::copy(place_.path("runs/small/single/run.h5"), place_.path("mixed/run.h5")));
            QVERIFY(
                QFile::copy(place_.path("runs/numbers/single/arrays.h5"), place_.path("mixed/arrays.h5")));
        }
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, message);
        auto all = QStringList{"--export"} << arguments;
        if (!all.contains("--out"))
            all << "--out"
                << "out/none";
        VERIFY_RUN(r, 2, all);
        VERIFY_HAS(r.err, message);
        QVERIFY(r.out.isEmpty());
        QVERIFY(!QFile::exists(place_.path("out/none")));
    }

private:
    [[nodiscard]] test::Finished exported(const QString& run, const QString& format = "npy") const {
        return place_.run({"--export", run, "--format", format, "--out", "out/" + format});
    }
    /// Trains the persistence forecast on a file.
    void train(const char* name, const QByteArray& data, const QByteArray& more = {}) const {
        place_.write("data.csv", data);
        place_.write("data.toml", QByteArray("name = \"") + name +
                                      "\"\n[data]\npath = \"data.csv\"\nlookback = 48\nhorizon = 24\n"
                                      "[model]\nname = \"naive\"\n[run]\ndevice = \"cpu\"\n" +
                                      more);
        VERIFY_CODE(place_.run({"--batch", "data.toml"}), 0);
    }
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestExportCommand)
#include "test_export_command.moc"
