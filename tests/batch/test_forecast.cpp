// --forecast with the real program: against the forecasts stored in run.h5, intervals and their coverage
// against their definition, formats, bad input.
#include <algorithm>
#include <cmath>
#include <random>

#include <QDirIterator>
#include <QtTest>

#include "batch_fixture.h"
#include "figure_table.h"
#include "store/hdf5_file.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;

namespace {

constexpr int lookback = 48, horizon = 24, rows = 400, channels = 2, test_windows = 57, val_windows = 17;
/// Where the horizon of the last test window begins: a file of the rows before it ends with its look-back.
constexpr int cut = rows - horizon;

QByteArray time_of(int row) {
    return QDateTime::fromSecsSinceEpoch(1577836800LL + 3600LL * row, Qt::UTC)
        .toString("yyyy-MM-dd HH:mm:ss")
        .toLatin1();
}

using Lines = QList<QByteArrayList>;  ///< a file's cells: the header, and each row

Lines series(int first, int end) {
    Lines lines{{"date", "load", "temperature"}};
    for (int r = first; r < end; ++r)
        lines << QByteArrayList{
            time_of(r), QByteArray::number(std::sin(r * 2 * M_PI / 24) + 0.1 * std::cos(r * 1.7), 'f', 5),
            QByteArray::number(10 + 3 * std::cos(r * 2 * M_PI / 24) + 0.2 * std::sin(r * 2.9), 'f', 5)};
    return lines;
}

QByteArray csv(const Lines& lines) {
    QByteArray text;
    for (const auto& line : lines) text += line.join(',') + '\n';
    return text;
}

/// One window at a time, so that run.h5 has the forecasts of windows computed alone.
const QByteArray windows_alone =
    "[data]\npath = \"series.csv\"\nlookback = 48\nhorizon = 24\n"
    "[run]\ndevice = \"cpu\"\nthreads = 1\nstore_forecasts = [\"val\", \"test\"]\n"
    "[train]\nepochs = 1\nbatch_size = 1\n";

/// Predictions and truth of a split, in standard deviations, and the scaler.
struct Stored {
    std::vector<float> prediction, truth;
    std::vector<double> mean, std;

    Stored(const QString& run, const std::string& split, std::int64_t windows) {
        const auto path = (run + "/run.h5").toStdString();
        const auto file = store::Hdf5File::open(path);
        prediction = file.read<float>("/forecast/" + split + "/prediction", {windows, horizon, channels});
        truth = file.read<float>("/forecast/" + split + "/truth", {windows, horizon, channels});
        const auto record = store::read_run_file(path);
        mean = record.data.mean;
        std = record.data.std;
    }
    [[nodiscard]] float error(int window, int cell) const {
        const auto at = static_cast<std::size_t>(window * horizon * channels + cell);
        return std::abs(prediction[at] - truth[at]);
    }
    /// Of the last window, in original units.
    [[nodiscard]] double last(int step, std::size_t channel) const {
        const auto at = prediction.size() - static_cast<std::size_t>((horizon - step) * channels) + channel;
        return static_cast<double>(prediction[at]) * std[channel] + mean[channel];
    }
};

const std::vector<QString> names{"load", "temperature"};

/// Percent of the test values that the program says are inside the intervals; -1: it says nothing.
double stated_coverage(const test::Finished& finished, int level, int windows) {
    const QRegularExpression stated(
        QString("%1 % intervals: from %2 validation windows; they cover ([0-9.]+) %")
            .arg(level)
            .arg(windows));
    const auto match = stated.match(QString::fromUtf8(finished.err));
    return match.hasMatch() ? match.captured(1).toDouble() : -1;
}

}  // namespace

#define VERIFY_FAILS(finished, part)                                                     \
    do {                                                                                 \
        const auto failed = finished;                                                    \
        QVERIFY2(failed.code == 2 && failed.err.contains(part), failed.err.constData()); \
    } while (false)

class TestForecast : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", csv(series(0, rows)));
        place_.write("plain.toml",
                     windows_alone +
                         "[sweep]\nmodel.name = [\"naive\", \"seasonal-naive\", \"ridge\", \"dlinear\"]\n");
        place_.write("times.toml",
                     windows_alone +
                         "[model]\nname = \"autoformer\"\n[autoformer]\nd_model = 16\nn_heads = "
                         "2\ne_layers = 1\nd_ff = 16\nlabel_len = 24\n");
        place_.write("anchors.toml", test::small_experiment("store_forecasts = [\"val\", \"test\"]\n"));
        VERIFY_CODE(place_.run({"--batch", "plain.toml"}), 0);
        VERIFY_CODE(place_.run({"--batch", "times.toml"}), 0);
        VERIFY_CODE(
            place_.run({"--batch", "anchors.toml", "--set", "train.epochs=1", "--set", "train.batch_size=1"}),
            0);
    }

    void equals_the_stored_forecast_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"naive", "seasonal-naive", "ridge", "dlinear", "autoformer", "casp-llm"})
            QTest::newRow(model) << model;
    }

    void equals_the_stored_forecast() {
        QFETCH(QString, model);
        const auto r = forecast(run_of(model), series(0, cut));
        VERIFY_CODE(r, 0);
        const test::Table table(r.out);
        QCOMPARE(table.columns, (QStringList{"date", "load", "temperature"}));
        QCOMPARE(table.rows.size(), qsizetype{horizon});
        const Stored stored(place_.path(run_of(model)), "test", test_windows);
        for (int step = 0; step < horizon; ++step) {
            QCOMPARE(table.at(step, "date").toLatin1(), time_of(cut + step));
            for (std::size_t c = 0; c < channels; ++c)
                QVERIFY(table.number(step, names[c]) == stored.last(step, c));  // QCOMPARE is fuzzy
        }
        // The look-back is enough.
        const auto short_file = forecast(run_of(model), series(cut - lookback, cut));
        VERIFY_CODE(short_file, 0);
        QCOMPARE(short_file.out, r.out);
    }

    void columns_go_by_name() {
        auto lines = series(0, cut);
        for (int i = 0; i < lines.size(); ++i)
            lines[i] = {i == 0 ? "wind" : QByteArray::number(i % 5), lines[i][2], lines[i][0], lines[i][1]};
        const auto r = forecast(run_of("dlinear"), lines);
        VERIFY_CODE(r, 0);
        QCOMPARE(r.out, forecast(run_of("dlinear"), series(0, cut)).out);
    }

    void file_of_weights() {
        const auto run = run_of("casp-llm");
        const auto of_folder = forecast(run, series(0, cut), {"--level", "80"});
        VERIFY_CODE(of_folder, 0);
        const auto of_best = forecast(run + "/best.safetensors", series(0, cut), {"--level", "80"});
        QCOMPARE(of_best.out, of_folder.out);
        QVERIFY(QFile::copy(place_.path(run + "/best.safetensors"), place_.path("elsewhere.safetensors")));
        const auto elsewhere = forecast("elsewhere.safetensors", series(0, cut), {"--level", "80"});
        VERIFY_CODE(elsewhere, 0);
        QCOMPARE(elsewhere.out, of_folder.out);
        // A file elsewhere needs the run's data set for its scaler; a run has it in run.h5.
        const QStringList moved{"--set", "data.path=\"moved.csv\""};
        VERIFY_CODE(forecast("elsewhere.safetensors", series(0, cut), moved), 2);
        const auto without_data = forecast(run, series(0, cut), moved);
        VERIFY_CODE(without_data, 0);
        QCOMPARE(without_data.out, forecast(run, series(0, cut)).out);
    }

    void times_continue_in_their_format() {
        auto lines = series(cut - 100, cut);
        for (int i = 1; i < lines.size(); ++i)
            lines[i][0] = QDateTime::fromString(QString(lines[i][0]), "yyyy-MM-dd HH:mm:ss")
                              .toString("d.M.yyyy H:mm")
                              .toLatin1();
        const auto r = forecast(run_of("autoformer"), lines, {"--out", "ahead.csv"});
        VERIFY_CODE(r, 0);
        QVERIFY(r.out.isEmpty());
        const test::Table table(place_.read("ahead.csv"));
        // 376 hours after 2020-01-01 00:00.
        QCOMPARE(table.at(0, "date"), QString("16.1.2020 16:00"));
        QCOMPARE(table.at(8, "date"), QString("17.1.2020 0:00"));
        const Stored stored(place_.path(run_of("autoformer")), "test", test_windows);
        QVERIFY(table.number(23, "load") == stored.last(23, 0));
    }

    void calendar_steps_data() {
        QTest::addColumn<bool>("months");
        QTest::addColumn<QString>("frequency");
        QTest::addColumn<int>("season");
        QTest::addColumn<QStringList>("ahead");
        QTest::newRow("months") << true << "1 month" << 12
                                << QStringList{"2015-01-31", "2015-02-28", "2015-03-31"};
        // Without the two holidays, 400 rows from Wednesday, 2014-01-01 end on Thursday, 2015-07-16.
        QTest::newRow("business days")
            << false << "1 business day" << 5 << QStringList{"2015-07-17", "2015-07-20", "2015-07-21"};
    }

    void calendar_steps() {
        QFETCH(bool, months);
        QFETCH(QString, frequency);
        QFETCH(int, season);
        QFETCH(QStringList, ahead);
        const QString folder = months ? "of-months" : "of-business-days";
        Lines lines{{"date", "x"}};
        auto day = months ? QDate(1981, 9, 30) : QDate(2014, 1, 1);
        for (int r = 0; r < 400;) {
            const bool holiday = !months && (day == QDate(2014, 12, 25) || day == QDate(2015, 6, 25));
            if (!holiday && (months || day.dayOfWeek() <= 5)) {
                const double value = r % season + 0.001 * (r / season);
                lines << QByteArrayList{day.toString(Qt::ISODate).toLatin1(),
                                        QByteArray::number(value, 'f', 3)};
                ++r;
            }
            day = months ? QDate(day.year(), day.month(), 1).addMonths(2).addDays(-1) : day.addDays(1);
        }
        place_.write("calendar.csv", csv(lines));
        place_.write("calendar.toml",
                     "[data]\npath = \"calendar.csv\"\nlookback = 24\nhorizon = 3\n"
                     "[model]\nname = \"seasonal-naive\"\n[run]\ndevice = \"cpu\"\n");
        VERIFY_RUN(described, 0, {"--describe", "calendar.csv", "--set", "data.lookback=24"});
        VERIFY_HAS(described.out, "frequency   " + frequency.toUtf8() + '\n');
        QCOMPARE(described.out.contains("no warnings"), months);
        VERIFY_CODE(place_.run({"--batch", "calendar.toml", "--out", folder}), 0);
        QDirIterator runs(place_.path(folder), {"run.h5"}, QDir::Files, QDirIterator::Subdirectories);
        QVERIFY(runs.hasNext());
        VERIFY_RUN(r, 0, {"--forecast", QFileInfo(runs.next()).path(), "--data", "calendar.csv"});
        const test::Table table(r.out);
        for (int h = 0; h < 3; ++h) {
            QCOMPARE(table.at(h, "date"), ahead.at(h));
            // The value of a season before, whatever the season.
            QVERIFY(std::abs(table.number(h, "x") - lines.at(lines.size() - season + h).at(1).toDouble()) <
                    1e-4);
        }
        QCOMPARE(r.err.contains("1 business day has no row in the look-back"), !months);
    }

    void without_times() {
        auto lines = series(0, cut);
        for (auto& line : lines) line.removeFirst();
        const auto r = forecast(run_of("dlinear"), lines);
        VERIFY_CODE(r, 0);
        QCOMPARE(test::Table(r.out).columns, (QStringList{"load", "temperature"}));
        for (int i = 0; i < lines.size(); ++i)
            lines[i].prepend(i == 0 ? QByteArray() : QByteArray::number(i - 1));
        const auto numbered = forecast(run_of("dlinear"), lines);
        VERIFY_CODE(numbered, 0);
        const auto out = numbered.out_lines();
        QVERIFY2(out[0] == ",load,temperature", out[0].constData());
        QVERIFY2(out[1].startsWith("376,"), out[1].constData());
    }

    void intervals_and_coverage_by_definition() {
        for (const QString model : {"naive", "dlinear", "casp-llm"}) {
            const auto r = forecast(run_of(model), series(0, cut), {"--level", "80,50"});
            VERIFY_CODE(r, 0);
            const test::Table table(r.out);
            QCOMPARE(table.columns,
                     (QStringList{"date", "load", "load-lo-80", "load-hi-80", "load-lo-50", "load-hi-50",
                                  "temperature", "temperature-lo-80", "temperature-hi-80",
                                  "temperature-lo-50", "temperature-hi-50"}));
            const Stored val(place_.path(run_of(model)), "val", val_windows);
            const Stored test(place_.path(run_of(model)), "test", test_windows);
            // Ranks 18 · 0.8 = 14.4 and 18 · 0.5 = 9 of 17 errors, rounded up.
            for (const auto& [level, rank] : {std::pair(80, 15), std::pair(50, 9)}) {
                int inside = 0;
                for (int cell = 0; cell < horizon * channels; ++cell) {
                    std::vector<float> errors;
                    for (int w = 0; w < val_windows; ++w) errors.push_back(val.error(w, cell));
                    std::sort(errors.begin(), errors.end());
                    const float offset = errors[static_cast<std::size_t>(rank - 1)];
                    for (int w = 0; w < test_windows; ++w) inside += test.error(w, cell) <= offset ? 1 : 0;
                    const auto c = static_cast<std::size_t>(cell % channels);
                    const int step = cell / channels;
                    const double width = static_cast<double>(offset) * val.std[c];
                    const auto of = [&](const char* side) {
                        return table.number(step, names[c] + side + QString::number(level));
                    };
                    QVERIFY(of("-lo-") == test.last(step, c) - width);
                    QVERIFY(of("-hi-") == test.last(step, c) + width);
                }
                const double coverage = 100.0 * inside / (horizon * channels * test_windows);
                QVERIFY2(std::abs(stated_coverage(r, level, val_windows) - coverage) < 0.0501,
                         r.err.constData());
            }
        }
        const auto r = forecast(run_of("dlinear"), series(0, cut), {"--level", "95"});
        VERIFY_CODE(r, 2);
        VERIFY_HAS(r.err, "--level 95: the run has 17 validation windows; expected at least 19");
    }

    void intervals_cover_at_the_stated_level() {
        // Independent values: the windows of all splits are alike, as the intervals assume.
        QByteArray text = "x\n";
        std::mt19937 generator(7);
        for (int r = 0; r < 6000; ++r) text += QByteArray::number(generator() / 65536.0, 'f', 4) + '\n';
        place_.write("noise.csv", text);
        place_.write("noise.toml",
                     "[data]\npath = \"noise.csv\"\nlookback = 24\nhorizon = 12\n[model]\nname = \"naive\"\n"
                     "[run]\ndevice = \"cpu\"\n");
        VERIFY_CODE(place_.run({"--batch", "noise.toml"}), 0);
        VERIFY_RUN(r, 0, {"--forecast", "runs/noise/single", "--data", "noise.csv", "--level", "80,95"});
        for (const int level : {80, 95})
            QVERIFY2(std::abs(stated_coverage(r, level, 589) - level) < 3, r.err.constData());
    }

    void intervals_need_the_data_of_the_run() {
        const auto before = forecast(run_of("dlinear"), series(0, rows));
        VERIFY_CODE(before, 0);
        place_.write("series.csv", csv(series(0, rows + 1)));
        const auto after = forecast(run_of("dlinear"), series(0, rows));
        const auto with_level = forecast(run_of("dlinear"), series(0, rows), {"--level", "80"});
        place_.write("series.csv", csv(series(0, rows)));
        VERIFY_CODE(after, 0);  // with the scaler of run.h5
        QCOMPARE(after.out, before.out);
        VERIFY_CODE(with_level, 2);
        VERIFY_HAS(with_level.err, "the file has changed since the run");
    }

    void missing_values_are_interpolated_on_request() {
        auto lines = series(0, cut);
        lines[20][1] = "";  // before the look-back
        const auto early = forecast(run_of("dlinear"), lines);
        VERIFY_CODE(early, 0);
        QCOMPARE(early.out, forecast(run_of("dlinear"), series(0, cut)).out);
        lines[370][1] = "";
        VERIFY_CODE(forecast(run_of("dlinear"), lines), 2);
        const auto filled = forecast(run_of("dlinear"), lines, {"--set", "data.missing=interpolate"});
        VERIFY_CODE(filled, 0);
        lines[370][1] =
            QByteArray::number(lines[369][1].toDouble() * 0.5 + lines[371][1].toDouble() * 0.5, 'g', 17);
        QCOMPARE(filled.out, forecast(run_of("dlinear"), lines).out);
    }

    void bad_files_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<Lines>("lines");
        QTest::addColumn<QByteArrayList>("parts");
        const auto row = [](const char* name, const Lines& lines, const QByteArrayList& parts,
                            const char* model = "dlinear") {
            QTest::newRow(name) << model << lines << parts;
        };
        const auto changed = [](const auto& change) {
            auto lines = series(0, cut);
            change(lines);
            return lines;
        };
        row("too few rows", series(0, 47), {"new.csv: it has 47 rows", "48 rows"});
        row("missing column", changed([](Lines& l) { l[0][1] = "loads"; }),
            {"the run's column \"load\" is missing", "The file has \"loads\", \"temperature\"."});
        row("empty cell", changed([](Lines& l) { l[372][1] = ""; }),
            {"new.csv, line 373: column \"load\" has no value", "data.missing=interpolate"});
        row("several cells", changed([](Lines& l) { l[340][2] = l[341][2] = "NA"; }),
            {"new.csv, line 341: column \"temperature\" has no value (2 cells of the last 48 rows)"});
        row("infinite", changed([](Lines& l) { l.last()[2] = "inf"; }), {"line 377", "\"temperature\""});
        row("gap", changed([](Lines& l) { l.removeAt(350); }),
            {"new.csv, line 351: the time 2020-01-15 14:00:00 follows 2020-01-15 12:00:00", "1 hour"});
        row("repeated row", changed([](Lines& l) { l.insert(350, l[350]); }), {"line 352", "is repeated"});
        row("no time", changed([](Lines& l) { l[360][0] = "2020-02-31 00:00:00"; }),
            {"line 361", "no time that can be read"});
        row("times are read", changed([](Lines& l) {
                for (auto& line : l) line.removeFirst();
            }),
            {"new.csv: it has no time column", "the model reads"}, "autoformer");
    }

    void bad_files() {
        QFETCH(QString, model);
        QFETCH(Lines, lines);
        QFETCH(QByteArrayList, parts);
        const auto r = forecast(run_of(model), lines, {"--out", "bad.csv"});
        VERIFY_CODE(r, 2);
        for (const auto& part : parts)
            QVERIFY2(r.err.contains(part), (r.err + "\nlacks: " + part).constData());
        QVERIFY(r.out.isEmpty());
        QVERIFY(!QFile::exists(place_.path("bad.csv")));
    }

    void bad_runs() {
        const auto lines = series(0, cut);
        QDir().mkpath(place_.path("unfinished"));
        place_.write("unfinished/config.toml", place_.read(run_of("dlinear") + "/config.toml"));
        VERIFY_FAILS(forecast("unfinished", lines), "best.safetensors is missing");
        VERIFY_FAILS(forecast("nothing", lines), "there is no such file");
        VERIFY_CODE(test::run_years(place_), 0);
        VERIFY_FAILS(forecast("runs/years/single", lines), "a collection of series");
        VERIFY_FAILS(forecast("runs/years/single", lines), "runs/years/single/submission.csv");
    }

    void bad_out() {
        const auto lines = series(0, cut);
        const auto run = run_of("naive");
        VERIFY_FAILS(forecast(run, lines, {"--out", "./new.csv"}), "is the file of --data");
        QCOMPARE(place_.read("new.csv"), csv(lines));
        VERIFY_FAILS(forecast(run, lines, {"--out", "runs"}), "is a folder");
        VERIFY_FAILS(forecast(run, lines, {"--out", "no/where.csv"}), "there is no folder");
    }

    void rolling_data() { equals_the_stored_forecast_data(); }

    /// Each block is the single forecast of a file that ends at the origin, to the bit.
    void rolling() {
        QFETCH(QString, model);
        constexpr int origins = 3;
        const QStringList levels{"--level", "80"};
        const auto r = forecast(run_of(model), series(0, cut), QStringList{"--origins", "3"} + levels);
        VERIFY_CODE(r, 0);
        auto expected = QByteArrayList();
        for (int o = 0; o < origins; ++o) {
            const int end = cut - origins + 1 + o;
            const auto single = forecast(run_of(model), series(0, end), levels);
            VERIFY_CODE(single, 0);
            const auto lines = single.out_lines();
            if (o == 0) expected << "cutoff," + lines.front();
            for (const auto& line : lines.mid(1)) expected << time_of(end - 1) + ',' + line;
        }
        QCOMPARE(r.out_lines(), expected);
        // One origin is the ordinary file; the rows needed are enough.
        QCOMPARE(forecast(run_of(model), series(0, cut), QStringList{"--origins", "1"} + levels).out,
                 forecast(run_of(model), series(0, cut), levels).out);
        QCOMPARE(forecast(run_of(model), series(cut - lookback - origins + 1, cut),
                          QStringList{"--origins", "3"} + levels)
                     .out,
                 r.out);
    }

    void rolling_cutoffs() {
        auto lines = series(0, cut);
        for (qsizetype i = 1; i < lines.size(); ++i) {
            const auto time = lines[i].takeFirst().split(' ');
            lines[i].prepend(time[1]);
            lines[i].prepend(time[0]);
        }
        lines[0].insert(1, "time");
        const auto two_columns = forecast(run_of("dlinear"), lines, {"--origins", "2"});
        VERIFY_CODE(two_columns, 0);
        const test::Table table(two_columns.out);
        QCOMPARE(table.columns, (QStringList{"cutoff", "date", "time", "load", "temperature"}));
        QCOMPARE(table.at(0, "cutoff").toLatin1(), time_of(cut - 2));
        QCOMPARE(table.at(0, "time").toLatin1(), time_of(cut - 1).split(' ')[1]);
        QCOMPARE(table.at(horizon, "cutoff").toLatin1(), time_of(cut - 1));

        lines = series(0, cut);
        for (auto& line : lines) line.removeFirst();
        const auto none = forecast(run_of("dlinear"), lines, {"--origins", "2"});
        VERIFY_CODE(none, 0);
        QCOMPARE(test::Table(none.out).columns, (QStringList{"cutoff", "load", "temperature"}));
        QCOMPARE(test::Table(none.out).at(0, "cutoff"), QString::number(cut - 2));
        QCOMPARE(test::Table(none.out).at(horizon, "cutoff"), QString::number(cut - 1));
        for (qsizetype i = 0; i < lines.size(); ++i)
            lines[i].prepend(i == 0 ? QByteArray("id") : QByteArray::number(i));
        const auto numbered = forecast(run_of("dlinear"), lines, {"--origins", "2"});
        VERIFY_CODE(numbered, 0);
        QCOMPARE(test::Table(numbered.out).at(0, "cutoff"), QString::number(cut - 1));
        QCOMPARE(test::Table(numbered.out).at(0, "id"), QString::number(cut));
    }

    void rolling_needs_its_rows() {
        const auto run = run_of("dlinear");
        const QStringList ten{"--origins", "10"};
        VERIFY_FAILS(forecast(run, series(0, 56), ten),
                     "it has 56 rows; expected at least 57 rows: the look-back");
        VERIFY_CODE(forecast(run, series(0, 57), ten), 0);
        auto lines = series(0, cut);
        lines[cut - 52][1] = "";  // before the look-back of the last origin
        VERIFY_CODE(forecast(run, lines), 0);
        VERIFY_FAILS(forecast(run, lines, ten), "of the last 57 rows");
        QStringList filled{"--set", "data.missing=interpolate"};
        VERIFY_CODE(forecast(run, lines, ten + filled), 0);
        // Interpolation at an origin would read what comes after it; at the last one, nothing does.
        lines = series(0, cut);
        lines[cut][1] = "";
        VERIFY_CODE(forecast(run, lines, ten + filled), 0);
        lines[cut - 1][1] = "";
        VERIFY_CODE(forecast(run, lines, filled), 0);
        VERIFY_FAILS(forecast(run, lines, ten + filled),
                     "line 376: column \"load\" has no value at an origin");
        lines = series(0, cut);
        lines.removeAt(cut - 52);
        VERIFY_FAILS(forecast(run, lines, ten), "equal steps");
    }

private:
    [[nodiscard]] QString run_of(const QString& model) const {
        return model == "casp-llm"     ? "runs/anchors/single"
               : model == "autoformer" ? "runs/times/single"
                                       : "runs/plain/name-" + model;
    }
    [[nodiscard]] test::Finished forecast(const QString& run, const Lines& lines,
                                          const QStringList& more = {}) const {
        place_.write("new.csv", csv(lines));
        return place_.run(QStringList{"--forecast", run, "--data", "new.csv"} << more);
    }
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestForecast)
#include "test_forecast.moc"
