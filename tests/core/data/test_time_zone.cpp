// Local times of a zone against pandas (tests/golden/local_times.csv), and what is said of them without a
// zone.

#include <QFile>

#include "core/data/helpers.h"
#include "data/describe.h"
#include "data/future_times.h"
#include "data/table_checks.h"
#include "data/time_features.h"
#include "data/time_text.h"
#include "data/time_zone.h"
#include "test_program.h"

using namespace casp;
using namespace casp::data;

namespace {

double utc_of(const char* text) {
    TimeText time;
    return read_time(text, time) ? seconds_since_1970(time, false) : -1;
}

std::string file_with(const std::vector<std::string>& times) {
    std::string text = "when;x\n";
    int row = 0;
    for (const auto& time : times) text += time + ";" + std::to_string(3 * ++row % 7) + ".5\n";
    return text;
}

std::vector<std::string> texts_of(const std::vector<double>& times) {
    std::vector<std::string> texts;
    for (const double time : times) texts.push_back(format_time(time).substr(0, 16));
    return texts;
}

/// A file with these times, in the zone.
Table in_zone(const std::vector<std::string>& times, const std::string& zone) {
    auto table = read(file_with(times));
    table.path = "test.csv";
    table.warnings.clear();
    apply_time_zone(table, zone);
    check_time(table);
    return table;
}

std::string warnings_of(const Table& table) {
    std::string text;
    for (const auto& warning : table.warnings) text += warning.text + "\n";
    return text;
}

QString joined_times(const FutureTimes& future) {
    QStringList cells;
    for (const auto& row : future.cells) cells << QString::fromStdString(row.front());
    return cells.join(" | ");
}

/// Local times from `first` to `last`, each `step` seconds: of Berlin's clock in 2023, with its skipped and
/// repeated hours.
std::vector<std::string> berlin_2023(const char* first, const char* last, double step) {
    const LocalTime berlin{0, find_zone("Europe/Berlin")};
    std::vector<double> times;
    for (double utc = berlin.to_utc(utc_of(first)); utc <= berlin.to_utc(utc_of(last)); utc += step)
        times.push_back(berlin.shown(utc));
    return texts_of(times);
}

}  // namespace

class TestTimeZone : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void as_pandas_data() {
        QTest::addColumn<QString>("zone");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QList<double>>("local");
        QTest::addColumn<QList<double>>("utc");
        QFile file(QString(CASP_SOURCE_DIR) + "/tests/golden/local_times.csv");
        QVERIFY(file.open(QIODevice::ReadOnly));
        while (!file.atEnd()) {
            const auto cells = QString::fromUtf8(file.readLine()).trimmed().split(',');
            QList<double> times[2];
            for (int i = 0; i < 2; ++i)
                for (const auto& time : cells.at(2 + i).split(' ')) times[i] << time.toDouble();
            QTest::addRow("%s, %s from %s", qPrintable(cells.at(0)), qPrintable(cells.at(1)),
                          format_time(times[0].first()).c_str())
                << cells.at(0) << cells.at(1) << times[0] << times[1];
        }
    }

    void as_pandas() {
        QFETCH(QString, zone);
        QFETCH(QString, name);
        QFETCH(QList<double>, local);
        QFETCH(QList<double>, utc);
        const std::vector<double> expected(utc.begin(), utc.end()), written(local.begin(), local.end());
        const auto table = in_zone(texts_of(written), zone.toStdString());
        QCOMPARE(table.time, expected);
        QCOMPARE(warnings_of(table), std::string());
        QCOMPARE(QString::fromStdString(frequency_name(table.step)), name);
        for (std::size_t i = 1; i < expected.size(); ++i) {
            QCOMPARE(table.step.after(expected[0], static_cast<std::int64_t>(i)), expected[i]);
            QVERIFY(table.step.leads(expected[i - 1], expected[i]));
            QCOMPARE(table.step.local.shown(expected[i]), written[i]);
        }
        // Continued from the middle as the file goes on.
        const auto half = static_cast<std::ptrdiff_t>(expected.size() / 2);
        const auto texts = texts_of(written);
        const auto first_half = in_zone({texts.begin(), texts.begin() + half}, zone.toStdString());
        const auto future = future_times(first_half, first_half.rows(), 6, {});
        for (std::size_t i = 0; i < 6; ++i) {
            QCOMPARE(future.seconds[i], expected[static_cast<std::size_t>(half) + i]);
            QCOMPARE(future.cells[i], std::vector<std::string>{texts[static_cast<std::size_t>(half) + i]});
        }
    }

    void without_the_zone_a_warning_names_it_data() {
        QTest::addColumn<double>("step");
        QTest::newRow("hours") << 3600.0;
        QTest::newRow("quarters of an hour") << 900.0;
        QTest::newRow("half hours") << 1800.0;
    }

    void without_the_zone_a_warning_names_it() {
        QFETCH(double, step);
        const auto times = berlin_2023("2023-03-20 00:00", "2023-11-05 00:00", step);
        const auto table = read(file_with(times));
        VERIFY_MESSAGE(warnings_of(table),
                       "the times are local times with daylight saving: they skip an hour");
        QCOMPARE(table.warnings.front().count, std::int64_t{2});
        QCOMPARE(table.warnings.front().line, table.line_of(std::llround(146 * 3600 / step)));
        QCOMPARE(warnings_of(in_zone(times, "Europe/Berlin")), std::string());
        // Another zone does not fit.
        QVERIFY(has(warnings_of(in_zone(times, "America/New_York")), "gap"));
    }

    void gaps_that_are_no_daylight_saving() {
        auto times = berlin_2023("2023-03-20 00:00", "2023-04-05 00:00", 3600);  // no autumn
        VERIFY_MESSAGE(warnings_of(read(file_with(times))), "gap from 2023-03-26 01:00:00 to 2023-03-26");
        times =
            berlin_2023("2023-04-01 00:00", "2023-11-05 00:00", 3600);  // and a gap of an hour utc_of noon
        times.erase(std::find(times.begin(), times.end(), "2023-04-10 12:00"));
        const auto warnings = warnings_of(read(file_with(times)));
        QVERIFY2(has(warnings, "1 row is missing") && has(warnings, "is repeated from the row before"),
                 shown(warnings));
        QVERIFY2(!has(warnings, "daylight saving"), shown(warnings));
    }

    void skipped_hours() {
        // A logger whose clock is not put forward.
        const auto table =
            in_zone({"2023-03-26 00:30", "2023-03-26 01:30", "2023-03-26 02:30", "2023-03-26 04:30"},
                    "Europe/Berlin");
        QCOMPARE(table.time[2], utc_of("2023-03-26 01:30"));
        const auto warnings = warnings_of(table);
        QVERIFY2(has(warnings, "1 time does not exist in Europe/Berlin"), shown(warnings));
        QVERIFY2(has(warnings, "the first here is read as 2023-03-26 03:30:00"), shown(warnings));
        QCOMPARE(table.warnings.front().line, std::int64_t{4});
    }

    void unknown_zones() {
        const auto message = input_message([] {
            (void)in_zone({"2023-03-26 00:30", "2023-03-26 01:30"}, "Europe/Berln");
        });
        QVERIFY2(has(message, "data.csv.time_zone"), shown(message));
        QVERIFY2(has(message, "The nearest is \"Europe/Berlin\"."), shown(message));
        QVERIFY(!input_message([] { (void)find_zone("../../../etc/passwd"); }).empty());
    }

    void times_after_the_rules() {
        const auto message = input_message([] {
            (void)in_zone({"2045-03-26 00:30", "2045-03-26 01:30"}, "Europe/Berlin");
        });
        QVERIFY2(has(message, "times before 2038"), shown(message));
    }

    void times_of_day() {
        CsvOptions options;
        options.time_columns = {"when"};
        auto table = read(file_with({"01:00", "02:00", "03:00"}), options);
        apply_time_zone(table, "Europe/Berlin");
        QCOMPARE(table.time[1], 7200.0);
        QVERIFY2(has(warnings_of(table), "data.csv.time_zone has no effect"), shown(warnings_of(table)));
    }

    void forecasts_are_in_local_time() {
        const std::vector<std::string> autumn{"28.10.2023 23:00", "29.10.2023 00:00", "29.10.2023 01:00"};
        const auto table = in_zone(autumn, "Europe/Berlin");
        QCOMPARE(joined_times(future_times(table, 3, 4, {})),
                 QString("29.10.2023 02:00 | 29.10.2023 02:00 | 29.10.2023 03:00 | 29.10.2023 04:00"));
        // Without a zone, the message about the hour names the setting.
        const auto spring =
            read(file_with({"2023-03-26 00:00", "2023-03-26 01:00", "2023-03-26 03:00", "2023-03-26 04:00"}));
        const auto message = input_message([&] { (void)future_times(spring, 4, 1, {}); });
        QVERIFY2(has(message, "data.csv.time_zone"), shown(message));
        // Unix times stay what they are; their days are those of the zone.
        const auto days = in_zone({"1679698800", "1679785200", "1679868000"}, "Europe/Berlin");
        QCOMPARE(joined_times(future_times(days, 3, 1, {})),
                 QString("1679954400"));  // 2023-03-28 00:00 in Berlin
    }

    void offsets_follow_the_zone() {
        const std::vector<std::string> days{"2023-10-26T00:00:00+02:00", "2023-10-27T00:00:00+02:00",
                                            "2023-10-28T00:00:00+02:00"};
        QCOMPARE(
            joined_times(future_times(in_zone(days, "Europe/Berlin"), 3, 3, {})),
            QString("2023-10-29T00:00:00+02:00 | 2023-10-30T00:00:00+01:00 | 2023-10-31T00:00:00+01:00"));
        const std::vector<std::string> hours{"2023-11-05 00:00-0400", "2023-11-05 01:00-0400"};
        QCOMPARE(joined_times(future_times(in_zone(hours, "America/New_York"), 2, 2, {})),
                 QString("2023-11-05 01:00-0500 | 2023-11-05 02:00-0500"));
        const std::vector<std::string> utc{"2023-10-29T00:00:00Z", "2023-10-29T01:00:00Z"};
        QCOMPARE(joined_times(future_times(in_zone(utc, "Europe/Berlin"), 2, 1, {})),
                 QString("2023-10-29T02:00:00Z"));
    }

    void features_are_of_local_time() {
        const auto table = in_zone({"2023-07-01 00:00", "2023-07-01 01:00"}, "Europe/Berlin");
        const auto features = time_features(table.time, table.step);
        QCOMPARE(features[0], -0.5F);  // the hour
        QCOMPARE(features, time_features({utc_of("2023-07-01 00:00"), utc_of("2023-07-01 01:00")}, {3600}));
    }

    void descriptions_are_in_local_time() {
        const auto table = in_zone({"2023-07-01 00:00", "2023-07-01 01:00"}, "Europe/Berlin");
        const auto text = describe(table, nullptr, {});
        QVERIFY2(has(text, "2023-07-01 00:00:00 to 2023-07-01 01:00:00 (Europe/Berlin)"), shown(text));
    }
};

TEST_MAIN_WITHOUT_GUI(TestTimeZone)
#include "test_time_zone.moc"
