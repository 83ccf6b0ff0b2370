// Times after the last row, in the format of the file; values worked out by hand with a calendar.

#include "core/data/helpers.h"
#include "data/future_times.h"
#include "data/time_like.h"
#include "data/time_text.h"
#include "test_program.h"

using namespace casp;
using namespace casp::data;

namespace {

/// A file with these times (comma-separated cells of the time columns) and one channel.
Table with_times(const std::string& header, const QStringList& times, CsvOptions options = {}) {
    std::string text = header + ";x\n";
    int row = 0;
    for (const auto& time : times) text += time.toStdString() + ";" + std::to_string(3 * ++row % 7) + ".5\n";
    options.delimiter = ';';
    auto table = read(text, options);
    table.path = "test.csv";
    return table;
}

QString joined(const FutureTimes& future) {
    QStringList lines;
    for (const auto& cells : future.cells) {
        QStringList line;
        for (const auto& cell : cells) line << QString::fromStdString(cell);
        lines << line.join(';');
    }
    return lines.join(" | ");
}

double seconds_at(const char* text) {
    TimeText time;
    return read_time(text, time) ? seconds_since_1970(time, false) : -1;
}

}  // namespace

class TestFutureTimes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void formats_data() {
        QTest::addColumn<QStringList>("times");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const QStringList& times, const char* expected) {
            QTest::newRow(name) << times << expected;
        };
        row("ISO", {"2016-12-31 21:00:00", "2016-12-31 22:00:00", "2016-12-31 23:00:00"},
            "2017-01-01 00:00:00 | 2017-01-01 01:00:00");
        row("T", {"2016-02-28T22:00", "2016-02-28T22:30", "2016-02-28T23:00", "2016-02-28T23:30"},
            "2016-02-29T00:00 | 2016-02-29T00:30");
        row("date only", {"2015-02-26", "2015-02-27", "2015-02-28"}, "2015-03-01 | 2015-03-02");
        row("without leading zeros", {"2016/7/1 7:00", "2016/7/1 8:00", "2016/7/1 9:00"},
            "2016/7/1 10:00 | 2016/7/1 11:00");
        row("one digit seen in an early row only", {"2016/9/8 22:00", "2016/9/9 22:00", "2016/9/10 22:00"},
            "2016/9/11 22:00 | 2016/9/12 22:00");
        row("day first", {"29.12.2016 00:00", "30.12.2016 00:00", "31.12.2016 00:00"},
            "01.01.2017 00:00 | 02.01.2017 00:00");
        row("month first", {"12/29/2016", "12/30/2016", "12/31/2016"}, "01/01/2017 | 01/02/2017");
        row("two digits of the year", {"12/29/16", "12/30/16", "12/31/16"}, "01/01/17 | 01/02/17");
        row("half days", {"7/1/2016 9:00 AM", "7/1/2016 10:00 AM", "7/1/2016 11:00 AM"},
            "7/1/2016 12:00 PM | 7/1/2016 1:00 PM");
        row("midnight of half days", {"7/30/2016 9:30 pm", "7/30/2016 10:30 pm", "7/30/2016 11:30 pm"},
            "7/31/2016 12:30 am | 7/31/2016 1:30 am");
        row("decimals", {"2016-07-01 00:00:59.25", "2016-07-01 00:00:59.50", "2016-07-01 00:00:59.75"},
            "2016-07-01 00:01:00.00 | 2016-07-01 00:01:00.25");
        row("more decimals are needed",
            {"2016-07-01 00:00:00.5", "2016-07-01 00:00:00.75", "2016-07-01 00:00:01.0"},
            "2016-07-01 00:00:01.25 | 2016-07-01 00:00:01.5");
        row("offset", {"2016-07-01T22:00:00+02:00", "2016-07-01T23:00:00+02:00", "2016-07-02T00:00:00+02:00"},
            "2016-07-02T01:00:00+02:00 | 2016-07-02T02:00:00+02:00");
        row("offset changes",
            {"2016-03-27T00:00:00+01:00", "2016-03-27T01:00:00+01:00", "2016-03-27T03:00:00+02:00"},
            "2016-03-27T04:00:00+02:00 | 2016-03-27T05:00:00+02:00");
        row("UTC", {"2016-07-01T22:00:00Z", "2016-07-01T23:00:00Z", "2016-07-02T00:00:00Z"},
            "2016-07-02T01:00:00Z | 2016-07-02T02:00:00Z");
        row("compact", {"20151229", "20151230", "20151231"}, "20160101 | 20160102");
        row("midnight without a time of day",
            {"2016-07-01 12:00", "2016-07-02", "2016-07-02 12:00", "2016-07-03"},
            "2016-07-03 12:00 | 2016-07-04");
        row("weeks", {"2002-12-17", "2002-12-24", "2002-12-31"}, "2003-01-07 | 2003-01-14");
        row("year and month", {"1980-10", "1980-11", "1980-12"}, "1981-01 | 1981-02");
        row("quarters", {"2015Q2", "2015Q3", "2015Q4"}, "2016Q1 | 2016Q2");
        row("names of months", {"29 Dec 2016", "30 Dec 2016", "31 Dec 2016"}, "01 Jan 2017 | 02 Jan 2017");
        row("month names and times of day", {"Dec 31, 2016 10:00 PM", "Dec 31, 2016 11:00 PM"},
            "Jan 01, 2017 12:00 AM | Jan 01, 2017 01:00 AM");
        row("ISO 8601 without signs", {"20161231T220000Z", "20161231T230000Z"},
            "20170101T000000Z | 20170101T010000Z");
        row("digits with minutes", {"201612312230", "201612312245"}, "201612312300 | 201612312315");
        row("digits with hours", {"2016123122", "2016123123"}, "2017010100 | 2017010101");
        row("named offset", {"2016-12-31 22:00 CET", "2016-12-31 23:00 CET"},
            "2017-01-01 00:00 CET | 2017-01-01 01:00 CET");
        row("Chinese", {"2016年12月30日", "2016年12月31日"}, "2017年01月01日 | 2017年01月02日");
        row("Chinese with hours", {"2016年12月31日 22时", "2016年12月31日 23时"},
            "2017-01-01 00:00:00 | 2017-01-01 01:00:00");
        row("four weeks", {"2015-01-04", "2015-02-01", "2015-03-01", "2015-03-29"},
            "2015-04-26 | 2015-05-24");
    }

    void formats() {
        QFETCH(QStringList, times);
        QFETCH(QString, expected);
        const auto table = with_times("when", times);
        const auto future = future_times(table, table.rows(), 2, {});
        QCOMPARE(joined(future), expected);
        QCOMPARE(future.columns, std::vector<std::string>{"when"});
        // What was written is read as the same time.
        QStringList all = times;
        all << expected.split(" | ");
        const auto again = with_times("when", all);
        QCOMPARE(again.time.size(), table.time.size() + 2);
        for (std::size_t i = 0; i < 2; ++i) QCOMPARE(again.time[table.time.size() + i], future.seconds[i]);
    }

    void dates_and_times_of_day_in_two_columns() {
        CsvOptions options;
        options.time_columns = {"day", "hour"};
        options.time_style = TimeStyle::day_first;
        const auto table =
            with_times("day;hour", {"1/7/2016;21:00", "1/7/2016;22:00", "1/7/2016;23:00"}, options);
        const auto future = future_times(table, 3, 2, {});
        QCOMPARE(future.columns, (std::vector<std::string>{"day", "hour"}));
        QCOMPARE(joined(future), QString("2/7/2016;00:00 | 2/7/2016;01:00"));
        QCOMPARE(future.seconds[1], seconds_at("2016-07-02 01:00"));
    }

    void parts_in_columns() {
        std::string text = "year,month,day,hour,x\n", ending = "Date,HE,x\n";
        for (int hour = 0; hour < 47; ++hour) {
            const auto day = std::to_string(30 + hour / 24), of_day = std::to_string(hour % 24);
            const auto value = "," + std::to_string(3 * hour % 7) + ".5\n";
            text += "2016,12," + day + "," + of_day + value;
            ending += "2016-12-" + day + "," + std::to_string(hour % 24 + 1) + value;
        }
        const auto parts = read(text);
        const auto future = future_times(parts, 24, 2, {});
        QCOMPARE(future.columns, (std::vector<std::string>{"year", "month", "day", "hour"}));
        QCOMPARE(joined(future), QString("2016;12;31;23 | 2017;1;1;0"));
        QCOMPARE(joined(future_times(read(ending), 24, 2, {})), QString("2016-12-31;24 | 2017-01-01;1"));
    }

    void numbers_of_days_and_years() {
        std::string text = "serial,x\n";
        for (int day = 0; day < 20; ++day)
            text += std::to_string(45'000 + day) + "," + std::to_string(3 * day % 7) + ".5\n";
        QCOMPARE(joined(future_times(read(text), 10, 2, {})), QString("45020 | 45021"));
        text = "year,x\n";
        for (int year = 1949; year < 1969; ++year)
            text += std::to_string(year) + "," + std::to_string(3 * year % 7) + ".5\n";
        QCOMPARE(joined(future_times(read(text), 10, 2, {})), QString("1969 | 1970"));
    }

    void times_of_day() {
        CsvOptions options;
        options.time_columns = {"when"};
        const auto evening = with_times("when", {"22:45:00", "23:00:00", "23:15:00", "23:30:00"}, options);
        QCOMPARE(joined(future_times(evening, 4, 2, {})), QString("23:45:00 | 00:00:00"));
        const auto night = with_times("when", {"23:30", "23:45", "00:00", "00:15"}, options);
        const auto future = future_times(night, 4, 2, {});
        QCOMPARE(joined(future), QString("00:30 | 00:45"));
        QCOMPARE(future.seconds[0], 1800.0);
    }

    void unix_times() {
        const auto seconds = with_times("t", {"1599999000", "1599999300", "1599999600"});
        QCOMPARE(joined(future_times(seconds, 3, 2, {})), QString("1599999900 | 1600000200"));
        const auto milliseconds = with_times("t", {"1599999000000", "1599999000250", "1599999000500"});
        const auto future = future_times(milliseconds, 3, 2, {});
        QCOMPARE(joined(future), QString("1599999000750 | 1599999001000"));
        QCOMPARE(future.seconds[1], 1599999001.0);
        // 1600000000 itself, whose shortest form would be 1.6e+09.
        const auto round = with_times("t", {"1599999800", "1599999900"});
        QCOMPARE(joined(future_times(round, 2, 1, {})), QString("1600000000"));
    }

    void calendar_months_data() {
        QTest::addColumn<QStringList>("times");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const QStringList& times, const char* expected) {
            QTest::newRow(name) << times << expected;
        };
        row("first days", {"2015-11-01", "2015-12-01", "2016-01-01"}, "2016-02-01 | 2016-03-01 | 2016-04-01");
        row("two rows", {"2015-12-01", "2016-01-01"}, "2016-02-01 | 2016-03-01 | 2016-04-01");
        row("last days", {"2015-10-31", "2015-11-30", "2015-12-31"}, "2016-01-31 | 2016-02-29 | 2016-03-31");
        row("last days of short months", {"2015-02-28", "2015-03-31", "2015-04-30"},
            "2015-05-31 | 2015-06-30 | 2015-07-31");
        row("the 30th", {"2015-10-30", "2015-11-30", "2015-12-30"}, "2016-01-30 | 2016-02-29 | 2016-03-30");
        row("quarters", {"2015-03-31", "2015-06-30", "2015-09-30"}, "2015-12-31 | 2016-03-31 | 2016-06-30");
        row("years", {"2014-05-17 08:00", "2015-05-17 08:00", "2016-05-17 08:00"},
            "2017-05-17 08:00 | 2018-05-17 08:00 | 2019-05-17 08:00");
        row("local months",
            {"2015-11-01T00:00:00+02:00", "2015-12-01T00:00:00+02:00", "2016-01-01T00:00:00+02:00"},
            "2016-02-01T00:00:00+02:00 | 2016-03-01T00:00:00+02:00 | 2016-04-01T00:00:00+02:00");
    }

    void calendar_months() {
        QFETCH(QStringList, times);
        QFETCH(QString, expected);
        const auto table = with_times("when", times);
        QCOMPARE(joined(future_times(table, table.rows(), 3, {})), expected);
    }

    void business_days() {
        // 2016-07-08 is a Friday.
        QStringList times{"2016-07-06", "2016-07-07", "2016-07-08", "2016-07-11", "2016-07-12", "2016-07-13"};
        auto table = with_times("when", times);
        auto future = future_times(table, table.rows(), 3, {});
        QCOMPARE(joined(future), QString("2016-07-14 | 2016-07-15 | 2016-07-18"));
        QCOMPARE(future.holidays, std::int64_t{0});
        times << "2016-07-15"
              << "2016-07-19";  // a holiday on a Thursday, another on a Monday
        table = with_times("when", times);
        future = future_times(table, table.rows(), 4, {});
        QCOMPARE(joined(future), QString("2016-07-20 | 2016-07-21 | 2016-07-22 | 2016-07-25"));
        QCOMPARE(future.holidays, std::int64_t{2});
    }

    void a_calendar_step_of_the_whole_table() {
        // The last three rows alone, Wednesday to Friday, are days.
        const auto week = with_times("when", {"2016-06-30", "2016-07-01", "2016-07-04", "2016-07-05",
                                              "2016-07-06", "2016-07-07", "2016-07-08"});
        QCOMPARE(joined(future_times(week, 3, 2, {})), QString("2016-07-11 | 2016-07-12"));
        // And these are the 30th of the month; the whole table shows that they are its end.
        const auto ends = with_times(
            "when", {"2016-01-31", "2016-02-29", "2016-03-31", "2016-04-30", "2016-05-31", "2016-06-30"});
        QCOMPARE(joined(future_times(ends, 2, 2, {})), QString("2016-07-31 | 2016-08-31"));
    }

    void future_times_do_not_drift() {
        // 0.1 is no sum of powers of two: 100 steps must not drift.
        const auto table =
            with_times("t", {"2016-07-01 00:00:00.0", "2016-07-01 00:00:00.1", "2016-07-01 00:00:00.2"});
        const auto future = future_times(table, 3, 108, {});
        QCOMPARE(future.seconds[107], seconds_at("2016-07-01 00:00:11.0"));
        QCOMPARE(future.cells[107][0], std::string("2016-07-01 00:00:11.0"));
    }

    void row_numbers_are_continued() {
        const auto pandas = read(",x\n0,1.5\n1,2.5\n2,0.5\n3,1.5\n");
        const auto future = future_times(pandas, 2, 2, {});
        QCOMPARE(future.columns, std::vector<std::string>{""});
        QCOMPARE(joined(future), QString("4 | 5"));
        QVERIFY(future.seconds.empty());
        const auto named = read("id,x\n1,1.5\n2,2.5\n3,0.5\n");
        QCOMPARE(future_times(named, 2, 1, {}).columns, std::vector<std::string>{"id"});
        QCOMPARE(joined(future_times(named, 2, 1, {})), QString("4"));
    }

    void midnight_at_the_end_of_the_day() {
        const auto next = [](const QStringList& times, CsvOptions options = {}) {
            const bool two = times.front().contains(';');
            const auto table = with_times(two ? "day;hour" : "when", times, std::move(options));
            return joined(future_times(table, table.rows(), 3, {}));
        };
        QCOMPARE(next({"31.12.2016 21:00", "31.12.2016 22:00", "31.12.2016 23:00", "31.12.2016 24:00",
                       "01.01.2017 01:00", "01.01.2017 02:00", "01.01.2017 03:00", "01.01.2017 04:00",
                       "01.01.2017 05:00", "01.01.2017 06:00", "01.01.2017 07:00", "01.01.2017 08:00",
                       "01.01.2017 09:00", "01.01.2017 10:00", "01.01.2017 11:00", "01.01.2017 12:00",
                       "01.01.2017 13:00", "01.01.2017 14:00", "01.01.2017 15:00", "01.01.2017 16:00",
                       "01.01.2017 17:00", "01.01.2017 18:00", "01.01.2017 19:00", "01.01.2017 20:00",
                       "01.01.2017 21:00", "01.01.2017 22:00"}),
                 QString("01.01.2017 23:00 | 01.01.2017 24:00 | 02.01.2017 01:00"));
        QCOMPARE(next({"2016-12-30T24:00:00", "2016-12-31T12:00:00"}),
                 QString("2016-12-31T24:00:00 | 2017-01-01T12:00:00 | 2017-01-01T24:00:00"));
        CsvOptions options;
        options.time_columns = {"day", "hour"};
        options.time_style = TimeStyle::day_first;
        QCOMPARE(next({"30/6/2016;24:00", "1/7/2016;12:00", "1/7/2016;24:00", "2/7/2016;12:00"}, options),
                 QString("2/7/2016;24:00 | 3/7/2016;12:00 | 3/7/2016;24:00"));
        options.time_columns = {"when"};
        QCOMPARE(next({"12:00", "18:00", "24:00", "06:00", "12:00"}, options),
                 QString("18:00 | 24:00 | 06:00"));
        // 00:00 is what such files use otherwise.
        QCOMPARE(next({"2016-12-31 00:00", "2016-12-31 12:00"}),
                 QString("2017-01-01 00:00 | 2017-01-01 12:00 | 2017-01-02 00:00"));
    }

    void neither_times_nor_row_numbers() {
        const auto future = future_times(read("x,y\n1.5,2\n2.5,1\n0.5,7\n"), 2, 3, {3600});
        QVERIFY(future.columns.empty() && future.seconds.empty() && future.cells.empty());
    }

    void only_the_last_rows_count() {
        const QStringList times{"2016-07-01", "2016-07-01", "2016-08-05", "2016-08-06", "2016-08-07"};
        QCOMPARE(joined(future_times(with_times("when", times), 3, 1, {})), QString("2016-08-08"));
        QVERIFY(!input_message([&] { (void)future_times(with_times("when", times), 4, 1, {}); }).empty());
    }

    void irregular_times_data() {
        QTest::addColumn<QStringList>("times");
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* name, const QStringList& times, const char* line, const char* found) {
            QTest::newRow(name) << times << line << found;
        };
        row("gap", {"2016-07-01", "2016-07-02", "2016-07-04", "2016-07-05", "2016-07-06"}, "line 4",
            "2016-07-04 00:00:00 follows 2016-07-02");
        row("repeated", {"2016-07-01", "2016-07-02", "2016-07-02", "2016-07-03"}, "line 4", "repeated");
        row("back", {"2016-07-03", "2016-07-04", "2016-07-05", "2016-07-01"}, "line 2",
            "2016-07-03 00:00:00 follows 2016-07-01");
        row("no time", {"2016-07-01", "2016-07-02", "2016-07-03", "", "2016-07-05"}, "line 5", "no time");
        row("missing month", {"2015-10-01", "2015-11-01", "2015-12-01", "2016-02-01", "2016-03-01"}, "line 5",
            "2016-02-01 00:00:00 follows 2015-12-01");
        row("off the day", {"2015-10-01", "2015-11-01", "2015-12-01", "2016-01-02"}, "line 5", "2016-01-02");
        row("two weeks without business days",
            {"2016-07-06", "2016-07-07", "2016-07-08", "2016-07-11", "2016-07-12", "2016-07-27"}, "line 7",
            "2016-07-27 00:00:00 follows 2016-07-12");
    }

    void irregular_times() {
        QFETCH(QStringList, times);
        QFETCH(QString, line);
        QFETCH(QString, found);
        const auto table = with_times("when", times);
        const auto message = input_message([&] { (void)future_times(table, table.rows(), 2, {}); });
        QVERIFY2(has(message, "test.csv, " + line.toStdString() + ":"), shown(message));
        QVERIFY2(has(message, found.toStdString()), shown(message));
        QVERIFY2(has(message, "data.csv.time_column"), shown(message));
    }

    void a_single_row() {
        const auto table = with_times("when", {"2016-07-01 00:00"});
        QCOMPARE(joined(future_times(table, 1, 2, {900})), QString("2016-07-01 00:15 | 2016-07-01 00:30"));
        QVERIFY(has(input_message([&] { (void)future_times(table, 1, 2, {}); }), "at least two rows"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestFutureTimes)
#include "test_future_times.moc"
