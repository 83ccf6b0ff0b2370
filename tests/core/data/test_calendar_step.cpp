// Steps in the calendar against pandas' date_range (tests/golden/calendar_steps.csv), and what the reader
// says of such files.

#include <limits>

#include <QFile>

#include "core/data/helpers.h"
#include "data/calendar_step.h"
#include "data/time_text.h"
#include "test_program.h"

using namespace casp;
using namespace casp::data;

namespace {

double at(const char* text) {
    TimeText time;
    return read_time(text, time) ? seconds_since_1970(time, false) : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> all_at(std::initializer_list<const char*> texts) {
    std::vector<double> times;
    for (const char* text : texts) times.push_back(at(text));
    return times;
}

std::string name_of(std::initializer_list<const char*> texts) {
    return frequency_name(detect_step(all_at(texts)));
}

/// A file with these times and one channel.
Table daily(const std::vector<double>& times) {
    std::string text = "date,x\n";
    int row = 0;
    for (const double time : times)
        text += format_time(time).substr(0, 10) + "," + std::to_string(3 * ++row % 7) + ".5\n";
    return read(text);
}

std::string gaps_of(const Table& table) {
    std::string text;
    for (const auto& warning : table.warnings) text += warning.text + "\n";
    return text;
}

}  // namespace

class TestCalendarStep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void as_pandas_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<std::int64_t>("season");
        QTest::addColumn<QList<double>>("times");
        QFile file(QString(CASP_SOURCE_DIR) + "/tests/golden/calendar_steps.csv");
        QVERIFY(file.open(QIODevice::ReadOnly));
        while (!file.atEnd()) {
            const auto cells = QString::fromUtf8(file.readLine()).trimmed().split(',');
            QList<double> times;
            for (const auto& time : cells.at(3).split(' ')) times << time.toDouble();
            QTest::addRow("%s from %s", qPrintable(cells.at(0)), format_time(times.first()).c_str())
                << cells.at(1) << std::int64_t{cells.at(2).toLongLong()} << times;
        }
    }

    void as_pandas() {
        QFETCH(QString, name);
        QFETCH(std::int64_t, season);
        QFETCH(QList<double>, times);
        const std::vector<double> all(times.begin(), times.end());
        QVERIFY(all.size() == 48);
        const auto check = [&](const std::vector<double>& seen) {
            const auto step = detect_step(seen);
            QCOMPARE(QString::fromStdString(frequency_name(step)), name);
            QCOMPARE(season_of(step), season);
            for (std::size_t i = 1; i < all.size(); ++i) {
                QVERIFY2(step.leads(all[i - 1], all[i]), format_time(step.after(all[i - 1])).c_str());
                QCOMPARE(step.after(all[0], static_cast<std::int64_t>(i)), all[i]);
                QCOMPARE(step.after(all[i], -static_cast<std::int64_t>(i)), all[0]);
                QCOMPARE(missing_rows(step, all[0], all[i]), static_cast<std::int64_t>(i) - 1);
            }
        };
        check(all);
        check({all.begin(), all.begin() + 16});
        std::vector<double> with_gaps;  // every fifth row is missing, and one has no time
        for (std::size_t i = 0; i < all.size(); ++i)
            if (i % 5 != 3) with_gaps.push_back(i == 21 ? std::numeric_limits<double>::quiet_NaN() : all[i]);
        check(with_gaps);
    }

    void few_rows() {
        QCOMPARE(name_of({"2015-12-01", "2016-01-01"}), std::string("1 month"));
        QCOMPARE(name_of({"2015-12-01", "2016-03-01"}), std::string("3 months"));
        QCOMPARE(name_of({"2015-12-01", "2016-12-01"}), std::string("1 year"));
        QCOMPARE(name_of({"2016-01-01", "2016-01-31"}), std::string("30 days"));
        QCOMPARE(name_of({"2016-07-07", "2016-07-08", "2016-07-11"}),
                 std::string("1 business day"));  // Thu, Fri, Mon
        QCOMPARE(name_of({"2016-07-04", "2016-07-05", "2016-07-06"}), std::string("1 day"));
        QCOMPARE(name_of({"2016-07-08", "2016-07-11"}), std::string("3 days"));
        QCOMPARE(name_of({"2016-07-08"}), std::string("unknown"));
        // The end of the month, although no row is on the 31st; the 30th, although none is off it.
        QCOMPARE(detect_step(all_at({"2015-02-28", "2015-03-31", "2015-04-30"})).after(at("2015-04-30")),
                 at("2015-05-31"));
        QCOMPARE(detect_step(all_at({"2015-11-30", "2015-12-30", "2016-01-30"})).after(at("2016-02-29")),
                 at("2016-03-30"));
        // In the local time of an offset.
        auto local = all_at({"2015-11-30 22:00", "2015-12-31 22:00", "2016-01-31 22:00"});
        QCOMPARE(detect_step(local, {7200}).after(local[2]), at("2016-02-29 22:00"));
    }

    void seconds_stay_seconds() {
        std::vector<double> every_31_days, every_week, every_365_days;
        for (int i = 0; i < 20; ++i) {
            every_31_days.push_back(at("2019-10-01") + 31 * day * i);
            every_week.push_back(at("2019-10-01") + 7 * day * i);
            every_365_days.push_back(at("1990-01-01") + 365 * day * i);
        }
        QCOMPARE(frequency_name(detect_step(every_31_days)), std::string("31 days"));
        QCOMPARE(frequency_name(detect_step(every_week)), std::string("1 week"));
        QCOMPARE(frequency_name(detect_step(every_365_days)), std::string("365 days"));
        // Rows at no step of any kind.
        QVERIFY(!detect_step(all_at({"2015-01-03", "2015-03-29", "2015-05-02", "2015-08-17", "2015-10-30"}))
                     .is_calendar());
    }

    void weekends_must_be_absent() {
        std::vector<double> times;
        for (int i = 0; i < 365; ++i) {
            const double time = at("2024-01-01") + day * i;  // a Monday
            if (i % 7 < 5 || i == 12) times.push_back(time);
        }
        QCOMPARE(frequency_name(detect_step(times)),
                 std::string("1 business day"));  // one Saturday of 262 rows
        for (int i = 5; i < 365; i += 28) times.push_back(at("2024-01-01") + day * i);
        std::sort(times.begin(), times.end());
        QCOMPARE(frequency_name(detect_step(times)), std::string("1 day"));
    }

    void invalid_times_have_no_step() {
        const double hole = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(!detect_step(std::vector<double>{}).is_known());
        QVERIFY(!detect_step(std::vector<double>{hole, hole}).is_known());
        // Far beyond any calendar: steps of seconds, without overflow.
        const auto far = detect_step(std::vector<double>{1e15, 1e15 + 31 * day, 1e15 + 62 * day});
        QVERIFY(!far.is_calendar());
        QCOMPARE(far.seconds, 31 * day);
        QCOMPARE(far.steps_between(1e15, 1e15 + 62 * day), 2.0);
    }

    void frequencies() {
        const Step month{.seconds = 31 * day, .months = 1};
        const Step other_day{.seconds = 30 * day, .months = 1, .day = 15};
        const Step business{.seconds = day, .business_days = true};
        QVERIFY(same_frequency(month, other_day));
        QVERIFY(!same_frequency(month, {31 * day}));
        QVERIFY(!same_frequency(business, {day}));
        QVERIFY(same_frequency({3600}, {3600}) && !same_frequency({3600}, {900}));
        QCOMPARE(season_of(Step{.seconds = 153 * day, .months = 5}), std::int64_t{0});
    }

    void files_have_no_gaps() {
        std::vector<double> months, business_days;
        for (int i = 0; i < 120; ++i)
            months.push_back(Step{.seconds = 31 * day, .months = 1}.after(at("1990-01-01"), i));
        for (int i = 0; i < 300; ++i)
            business_days.push_back(Step{.seconds = day, .business_days = true}.after(at("2020-01-01"), i));
        const auto table = daily(months);
        QCOMPARE(gaps_of(table), std::string());
        QCOMPARE(frequency_name(table.step), std::string("1 month"));
        QCOMPARE(table.step.seconds, 31 * day);
        QCOMPARE(gaps_of(daily(business_days)), std::string());
        QCOMPARE(frequency_name(daily(business_days).step), std::string("1 business day"));
    }

    void missing_rows_are_counted() {
        std::vector<double> times;
        for (int i = 0; i < 300; ++i)
            if (i != 100 && i != 200 && i != 201)
                times.push_back(Step{.seconds = day, .business_days = true}.after(at("2020-01-01"), i));
        const auto holidays = gaps_of(daily(times));  // 2020-05-20, 2020-10-07 and 2020-10-08
        VERIFY_MESSAGE(holidays, "gap from 2020-05-19 00:00:00 to 2020-05-21 00:00:00: 1 row is missing\n");
        QVERIFY2(has(holidays, "2020-10-09 00:00:00: 2 rows are missing\n"), shown(holidays));
        QCOMPARE(std::count(holidays.begin(), holidays.end(), '\n'), 2);
        times.clear();
        for (int i = 0; i < 60; ++i)
            if (i % 20 != 7)
                times.push_back(Step{.seconds = 31 * day, .months = 1}.after(at("1990-01-01"), i));
        const auto months = gaps_of(daily(times));
        VERIFY_MESSAGE(months, "gap from 1990-07-01 00:00:00 to 1990-09-01 00:00:00: 1 row is missing\n");
        QCOMPARE(std::count(months.begin(), months.end(), '\n'), 3);
    }

    void times_of_day_begin_anew() {
        CsvOptions options;
        options.time_columns = {"when"};
        std::string text = "when,x\n";
        for (int i = 0; i < 96; ++i)
            text += format_time(1800.0 * i).substr(11, 5) + "," + std::to_string(3 * i % 7) + ".5\n";
        QCOMPARE(gaps_of(read(text, options)), std::string());
    }
};

TEST_MAIN_WITHOUT_GUI(TestCalendarStep)
#include "test_calendar_step.moc"
