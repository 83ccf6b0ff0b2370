// Quirks of CSV files that the importer promises to understand, one by one; test_pollution has most others.

#include <cstdlib>
#include <functional>
#include <limits>
#include <random>

#include <QDateTime>
#include <QLocale>

#include "config/text_utils.h"
#include "core/data/helpers.h"
#include "data/time_text.h"
#include "helpers.h"
#include "test_program.h"

using namespace casp::data;

namespace {
constexpr double hole = std::numeric_limits<double>::quiet_NaN();
constexpr double july = 1467331200;  // 2016-07-01 00:00 UTC
}  // namespace

class TestCsvImport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plain() {
        const Table t = read("date,a,b\n2016-07-01 00:00:00,1.5,-2\n2016-07-01 01:00:00,2.5e3,.25\n");
        QCOMPARE(names(t), std::string("a|b"));
        QVERIFY(same(t.columns[0].values, {1.5, 2500}));
        QVERIFY(same(t.columns[1].values, {-2, 0.25}));
        QVERIFY(same(t.time, {july, july + 3600}));
        QCOMPARE(t.step.seconds, 3600.0);
        QCOMPARE(t.format.time_format, std::string("ISO 8601"));
        QVERIFY(t.warnings.empty());
        QCOMPARE(t.line_of(0), 2);
        QCOMPARE(t.line_of(1), 3);
    }

    void commas_that_group_thousands_are_no_decimal_commas() {
        Table t = read(
            "date,load\n2020-01-01 00:00,\"1,234\"\n2020-01-01 01:00,\"33,415\"\n"
            "2020-01-01 02:00,950\n2020-01-01 03:00,12\n");
        QCOMPARE(t.format.decimal, '.');
        QVERIFY(same(t.columns.at(0).values, {1234, 33415, 950, 12}));
        // Three decimals throughout, or beside other numbers of decimals, or beside large whole numbers.
        QCOMPARE(read("date;x\n2020-01-01;1,234\n2020-01-02;33,415\n").format.decimal, ',');
        QCOMPARE(read("date;x\n2020-01-01;1,234\n2020-01-02;9\n2020-01-03;2,5\n").format.decimal, ',');
        QCOMPARE(read("date;x\n2020-01-01;0,234\n2020-01-02;9\n").format.decimal, ',');
        QCOMPARE(read("date;x\n2020-01-01;1,234\n2020-01-02;1500\n").format.decimal, ',');
        // Nothing tells which: decimals, and a warning that says so.
        t = read("date;x\n2020-01-01;1,234\n2020-01-02;33,415\n");
        QCOMPARE(t.columns.at(0).values.at(1), 33.415);
        QCOMPARE(of_kind(t, WarningKind::decimal_sign).size(), std::size_t(1));
        for (const char* sure :
             {"date;x\n2020-01-01;1,234\n2020-01-02;0,415\n", "date;x\n2020-01-01;1,234\n2020-01-02;1500\n",
              "date,x\n2020-01-01,1.234\n2020-01-02,33.415\n"})
            QVERIFY2(of_kind(read(sure), WarningKind::decimal_sign).empty(), sure);
        // Semicolons are where the comma is decimal.
        t = read("date;x\n2020-01-01;1.234\n2020-01-02;33.415\n");
        QCOMPARE(of_kind(t, WarningKind::decimal_sign).size(), std::size_t(1));
        QCOMPARE(t.columns.at(0).values.at(1), 33.415);
    }
    /// A column around 1000 in any narrow range, and decimals beside the whole numbers that they come from.
    void points_that_group_thousands() {
        for (const int spread : {20, 300, 900}) {
            std::string text = "date;load\n";
            std::vector<double> values;
            for (int i = 0; i < 200; ++i) {
                const int value = 1000 - spread + (i * 7919) % (2 * spread + 1);
                values.push_back(value);
                std::string digits = std::to_string(value);
                if (digits.size() > 3) digits.insert(digits.size() - 3, ".");
                text += format_time(july + 3600.0 * i) + ";" + digits + "\n";
            }
            const Table t = read(text);
            QVERIFY2(same(t.columns.at(0).values, values), std::to_string(spread).c_str());
        }
        std::string text = "date;load\n";
        std::vector<double> values;
        for (int i = 0; i < 200; ++i) {
            const double value = 20 + (i * 7919 % 997) / 1000.0;
            values.push_back(i % 10 == 0 ? 20 : value);
            char digits[32];
            std::snprintf(digits, sizeof digits, "%.3f", value);
            text += format_time(july + 3600.0 * i) + ";" + (i % 10 == 0 ? "20" : digits) + "\n";
        }
        const Table t = read(text);
        QVERIFY(same(t.columns.at(0).values, values));
    }
    /// Files as grid operators, weather services and search engines write them.
    void formats_of_public_data_services_data() {
        QTest::addColumn<QString>("head");
        QTest::addColumn<QString>("row");  // %1: time, %2: time an hour later, %3: a number, %4: hour 1 to 24
        QTest::addColumn<QString>("time");
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("channels");
        const QString german = "dd.MM.yyyy HH:mm";
        QTest::newRow("span") << "\"MTU (CET)\",\"Load [MW]\""
                              << "\"%1 - %2\",\"%3\"" << german << "Load [MW]" << 1012.5 << 1;
        QTest::newRow("both signs, two times")
            << "from;to;load [MWh]"
            << "%1;%2;7.001.0%4,50" << german << "load [MWh]" << 7001001.5 << 1;
        QTest::newRow("quoted groups, a.m.") << "t,kW"
                                             << "%1,\"7,0%4.50\""
                                             << "M/d/yyyy h:mm AP"
                                             << "kW" << 7001.5 << 1;
        QTest::newRow("the whole query's time first") << "#group,a\n#datatype,b\n_start,_time,_value"
                                                      << "2019-12-01T00:00:00Z,%1,%3"
                                                      << "yyyy-MM-ddTHH:mm:ssZ"
                                                      << "_value" << 1012.5 << 1;
        QTest::newRow("names in a comment, hours to 24") << "# institute\n# STN,YYYYMMDD,   HH,   FH\n#"
                                                         << "  260,%1,%4,%3"
                                                         << "yyyyMMdd"
                                                         << "FH" << 1012.5 << 2;
        QTest::newRow("value and quality code") << "date,tmp,p"
                                                << "%1,\"+05%4,1\",%3"
                                                << "yyyy-MM-dd HH:mm"
                                                << "p" << 1012.5 << 1;
        QTest::newRow("a property before the names") << "Model,TDS\nInterval,1e-3\n\nt,CH1,CH2"
                                                     << "%1,%3,-%3"
                                                     << "yyyy-MM-dd HH:mm"
                                                     << "CH1" << 1012.5 << 2;
        QTest::newRow("hour without minutes") << "Date (HE),Price"
                                              << "%1,%3"
                                              << "MM/dd/yyyy HH"
                                              << "Price" << 1012.5 << 1;
        QTest::newRow("a title before two columns") << "Category: all\n\nWeek,python: (Worldwide)"
                                                    << "%1,%3"
                                                    << "yyyy-MM-dd HH:mm"
                                                    << "python: (Worldwide)" << 1012.5 << 1;
    }
    void formats_of_public_data_services() {
        QFETCH(QString, head);
        QFETCH(QString, row);
        QFETCH(QString, time);
        QFETCH(QString, name);
        QFETCH(double, value);
        QFETCH(int, channels);
        QString text = head + "\n";
        const QDateTime first(QDate(2020, 1, 1), QTime(0, 0), Qt::UTC);
        for (int i = 0; i < 200; ++i) {
            const auto at = [&](int hour) { return QLocale::c().toString(first.addSecs(3600 * hour), time); };
            auto cells = row;
            for (const auto& [mark, cell] :
                 {std::pair("%1", at(i)), std::pair("%2", at(i + 1)),
                  std::pair("%3", QString::number(1012.5 + i * 7919 % 31)),
                  std::pair("%4", QString("%1").arg(i % 24 + 1, 2, 10, QChar('0')))})
                cells.replace(mark, cell);
            text += cells + "\n";
        }
        const auto table = read(text.toStdString());
        QCOMPARE(table.rows(), 200);
        QCOMPARE(static_cast<int>(table.columns.size()), channels);
        const auto column = table.find_column(name.toStdString());
        QVERIFY(column >= 0);
        QCOMPARE(table.columns[static_cast<std::size_t>(column)].values[0], value);
        QCOMPARE(table.time[0], static_cast<double>(first.toSecsSinceEpoch()));
        QCOMPARE(table.step.seconds, 3600.0);
    }
    /// Years as names, behind names in text and lines of another width.
    void series_in_rows() {
        std::string text = "\"Source\",\"World\",\n\n\"Updated\",\"2024-01-01\",\n\n\"Country\",\"Code\"";
        for (int year = 1960; year < 2021; ++year) text += ",\"" + std::to_string(year) + "\"";
        for (const std::string country : {"Aruba", "Belgium", "Chile"}) {
            text += ",\n\"" + country + "\",\"" + country.substr(0, 3) + "\"";
            for (int year = 0; year < 61; ++year) text += ",\"" + std::to_string(year * 7919 % 31) + ".5\"";
        }
        const auto table = read(text + ",\n");
        QCOMPARE(table.rows(), 3);
        QCOMPARE(table.columns[0].name, std::string("1960"));
        QCOMPARE(of_kind(table, WarningKind::order).size(), std::size_t(1));
    }
    void hours_in_columns() {
        const auto days = [](const std::function<std::string(int)>& name, int hours) {
            std::string text = "date";
            for (int hour = 0; hour < hours; ++hour) text += "," + name(hour);
            for (int day = 1; day < 29; ++day) {
                text += "\n2020-01-" + std::string(day < 10 ? "0" : "") + std::to_string(day);
                for (int hour = 0; hour < hours; ++hour) text += "," + std::to_string(day * hour % 17) + ".5";
            }
            return of_kind(read(text + "\n"), WarningKind::order);
        };
        const auto numbered = [](int hour) { return "H" + std::to_string(hour + 1); };
        QCOMPARE(days(numbered, 24).size(), std::size_t{1});
        VERIFY_MESSAGE(days(numbered, 24)[0].text, "24 columns have hours as names, such as \"H24\"");
        QCOMPARE(days([](int hour) { return "HE " + std::to_string(hour + 1); }, 25).size(), std::size_t{1});
        QCOMPARE(days([](int half) { return format_time(1800.0 * half).substr(11, 5); }, 48).size(),
                 std::size_t{1});
        QVERIFY(days(numbered, 12).empty());  // heaters, perhaps
        QVERIFY(days([](int channel) { return std::to_string(channel); }, 24).empty());
    }
    void months_in_columns() {
        std::string named = "Oxford\nLocation: 450900E\n   yyyy  mm   tmax\n              degC\n";
        std::string unnamed = "# decimal year\n";
        for (int i = 0; i < 120; ++i) {
            char line[80];
            std::snprintf(line, sizeof line, "   %d  %2d   %5.1f\n", 1958 + i / 12, i % 12 + 1,
                          i * 7919 % 31 + 0.5);
            named += line;
            std::snprintf(line, sizeof line, "%d  %2d  %9.4f %5.1f\n", 1958 + i / 12, i % 12 + 1,
                          1958 + (i + 0.5) / 12, i * 7919 % 31 + 0.5);
            unnamed += line;
        }
        for (const auto& text : {named, unnamed}) {
            const auto table = read(text);
            QCOMPARE(table.rows(), 120);
            QVERIFY(table.step.months == 1);
            QCOMPARE(table.columns.back().values[0], 0.5);
        }
        // The decimal year has rounded steps.
        QCOMPARE(of_kind(read(unnamed), WarningKind::clock_channel).size(), std::size_t(1));
    }
    /// Thousands that only some rows far from the beginning have.
    void thousands_separators_far_from_the_beginning() {
        const auto year = [](const std::string& thousands, const char* more) {
            std::string text = "time;load\n";
            for (int i = 0; i < 8760; ++i) {
                int value = 439 + i * 7919 % 549;
                if (i > 4000 && i % 50 == 7) value = 1000 + i % 81;
                auto digits = std::to_string(value);
                if (value >= 1000) digits.insert(1, thousands);
                text += format_time(july + 3600.0 * i) + ";" + digits + more + "\n";
            }
            return read(text);
        };
        for (const std::string thousands : {".", ",", " ", "\u00a0", "'"})
            for (const char* more : {"", thousands == "." ? ",5" : ".5"}) {
                const auto table = year(thousands, more);
                QCOMPARE(
                    *std::max_element(table.columns.at(0).values.begin(), table.columns.at(0).values.end()),
                    *more == 0 ? 1080.0 : 1080.5);
                QVERIFY(of_kind(table, WarningKind::bad_number).empty());
            }
        // 1.5 among whole numbers is a decimal.
        QCOMPARE(read("a;b\n" +
                      [] {
                          std::string text;
                          for (int i = 0; i < 5000; ++i)
                              text += std::to_string(i % 97) + (i == 3000 ? ".125;1\n" : ";1\n");
                          return text;
                      }())
                     .columns[0]
                     .values[3000],
                 3000 % 97 + 0.125);
    }
    /// A sign that is proven in one column is that of the file.
    void separators_are_inferred_across_columns() {
        for (const bool german : {true, false}) {
            const char point = german ? '.' : ',', comma = german ? ',' : '.';
            for (const bool both : {true, false}) {
                std::string text = "t;v;w\n";
                for (int i = 0; i < 60; ++i) {
                    const std::string thousands =
                        std::to_string(1 + i * 7 % 9) + point + std::to_string(100 + i * 37 % 900);
                    text += format_time(july + 3600.0 * i) + ";" + thousands + ";" +
                            (both ? thousands : std::to_string(i)) + comma + "5\n";
                }
                const auto table = read(text);
                QCOMPARE(table.columns.size(), std::size_t{2});
                QCOMPARE(table.columns[0].values[1], 8137.0);
                QCOMPARE(table.columns[1].values[1], both ? 8137.5 : 1.5);
            }
        }
        CsvOptions options;
        options.thousands = '.';
        QCOMPARE(read("a;b\n1.234;2\n5;3\n", options).columns[0].values[0], 1234.0);
    }
    void settings_are_obeyed_or_refused() {
        std::string iso = "date,x\n", slashes = "date,x\n", elapsed = "Time (s),x\n";
        for (int i = 0; i < 20; ++i) {
            const auto cell = "," + std::to_string(i == 7 ? -200 : i * 7919 % 31) + "\n";
            iso += format_time(july + 3600.0 * i) + cell;
            slashes += "0" + std::to_string(i % 9 + 1) + "/05/2020 0" + std::to_string(i / 9) + ":00" + cell;
            elapsed += std::to_string(3600 * i) + cell;
        }
        const auto reads = [](const std::string& text, TimeStyle style) {
            CsvOptions options;
            options.time_style = style;
            return read(text, options);
        };
        using S = TimeStyle;
        for (const auto style : {S::digits, S::unix_seconds, S::excel_days, S::julian_days, S::elapsed})
            VERIFY_MESSAGE(input_message([&] { (void)reads(iso, style); }), "does not fit column \"date\",");
        VERIFY_MESSAGE(input_message([&] { (void)reads(slashes, S::iso); }), "day/month/year");
        VERIFY_MESSAGE(of_kind(reads(iso, S::day_first), WarningKind::time_format).at(0).text,
                       "has no effect");
        QVERIFY(of_kind(reads(iso, S::iso), WarningKind::time_format).empty());
        QCOMPARE(reads(elapsed, S::elapsed).step.seconds, 3600.0);
        VERIFY_MESSAGE(input_message([&] { (void)reads(elapsed, S::iso); }), "fits no column");

        CsvOptions options;
        options.missing = {"-200"};
        const auto table = read(iso, options);
        QVERIFY(std::isnan(table.columns[0].values[7]) && table.columns[0].missing == 1);
        QCOMPARE(of_kind(table, WarningKind::missing_value).at(0).line, 9);
        options = {};
        options.encoding = "UTF-8";
        VERIFY_MESSAGE(
            of_kind(read("date,\xB5mol\n2020-01-01,1\n2020-01-02,2\n", options), WarningKind::encoding)
                .at(0)
                .text,
            "not UTF-8, as it is said to be");
    }
    /// Hourly dates as exports write them, each read as in the column beside it.
    void times_in_words() {
        const auto read_times = [](const std::vector<std::string>& cells) {
            std::string text = "time|x\n";
            for (std::size_t i = 0; i < cells.size(); ++i)
                text += cells[i] + "|" + std::to_string(i * 7 % 5) + ".5\n";
            return read(text).time;
        };
        const double third = 1614729600;  // 2021-03-03
        const std::vector<std::vector<std::string>> hours{
            {"Mi 03.03.2021 13:00", "Mi 03.03.2021 14:00", "Do 04.03.2021 13:00"},
            {"2021-03-03 下午 1:00", "2021-03-03 下午 2:00", "2021-03-04 下午 1:00"},
            {"3.3.2021, 1:00:00\u202FPM", "3.3.2021, 2:00:00\u202FPM", "4.3.2021, 1:00:00\u202FPM"},
            {"2021-03-03 1 PM", "2021-03-03 2 PM", "2021-03-04 1 PM"},
            {"13:00 03.03.2021", "14:00 03.03.2021", "13:00 04.03.2021"},
            {"03.03.2021 13:00 Uhr", "03.03.2021 14:00 Uhr", "04.03.2021 13:00 Uhr"},
            {"2021년 03월 03일 13시", "2021년 03월 03일 14시", "2021년 03월 04일 13시"},
            {"20210303_130000", "20210303_140000", "20210304_130000"},
            {"20210303T13", "20210303T14", "20210304T13"},
            {"2021-03-03(Wed) 13:00", "2021-03-03(Wed) 14:00", "2021-03-04(Thu) 13:00"}};
        for (const auto& cells : hours) {
            const auto times = read_times(cells);
            QVERIFY2(same(times, {third + 13 * 3600, third + 14 * 3600, third + 37 * 3600}),
                     cells[0].c_str());
        }
        for (const char* month : {"Jan90|Feb90|Mar90", "Jan/90|Feb/90|Mar/90", "1990m1|1990m2|1990m3",
                                  "1990-M01|1990-M02|1990-M03"}) {
            std::vector<std::string> cells;
            for (const auto& cell : QString(month).split('|')) cells.push_back(cell.toStdString());
            QVERIFY2(same(read_times(cells), {631152000, 633830400, 636249600}), month);
        }
        QVERIFY(read_times({"Mar 15 10:00", "Mar 15 11:00", "Mar 16 10:00"}).empty());  // no year
    }

    /// A part of the time in a column of its own: what each row of 48 hours holds in it.
    void parts_beside_the_date() {
        const auto table_of = [](const char* names, const std::function<std::string(int)>& cells,
                                 int rows = 200) {
            std::string text = std::string(names) + ",x\n";
            for (int i = 0; i < rows; ++i) text += cells(i) + "," + std::to_string(i * 7919 % 31) + ".5\n";
            return read(text);
        };
        const auto date = [](int day_number) {
            return format_time(july + day_number * 86400.0).substr(0, 10);
        };
        const auto compact = [&](int day_number) {
            auto text = date(day_number);
            std::erase(text, '-');
            return text;
        };
        const auto two = [](int n) { return (n < 10 ? "0" : "") + std::to_string(n); };
        const Table tables[] = {
            table_of("Date,SettlementPeriod",
                     [&](int i) { return date(i / 48) + "," + std::to_string(i % 48 + 1); }),
            table_of("Date,qh", [&](int i) { return date(i / 96) + "," + std::to_string(i % 96); }),
            table_of("<DATE>,<TIME>", [&](int i) { return compact(i / 24) + "," + two(i % 24) + "0000"; }),
            table_of("Date,Timestamp", [&](int i) { return compact(i / 24) + "," + two(i % 24) + ":00:00"; }),
            table_of(
                "Date,Hours",
                [&](int i) { return date(i / 24) + "," + two(i % 24) + ":00-" + two(i % 24 + 1) + ":00"; }),
            table_of(
                "Ano,Mês,Dia,Hora",
                [&](int i) { return "2016,7," + std::to_string(i / 24 + 1) + "," + std::to_string(i % 24); }),
            table_of("Y,M,D,H", [&](int i) {
                return "2016,7," + std::to_string(i / 24 + 1) + "," + std::to_string(i % 24);
            })};
        const double steps[] = {1800, 900, 3600, 3600, 3600, 3600, 3600};
        for (std::size_t k = 0; k < std::size(steps); ++k) {
            QCOMPARE(tables[k].columns.size(), std::size_t{1});
            QCOMPARE(tables[k].step.seconds, steps[k]);
            QCOMPARE(tables[k].time.front(), july);
            QCOMPARE(tables[k].time.back(), july + 199 * steps[k]);
        }
        CsvOptions options;
        options.time_columns = {"Date", "SettlementPeriod"};
        std::string set = "Date,SettlementPeriod,x\n";
        for (int i = 0; i < 200; ++i)
            set += date(i / 48) + "," + std::to_string(i % 48 + 1) + "," + std::to_string(i * 7 % 5) + ".5\n";
        QCOMPARE(read(set, options).step.seconds, 1800.0);
        const auto years = table_of(
            "Date,SP", [&](int i) { return date(i / 48) + "," + std::to_string(i % 48 + 1); }, 100'000);
        QCOMPARE(years.step.seconds, 1800.0);
        const auto days = table_of("Year,Day", [](int i) { return "2016," + std::to_string(i + 1); });
        QCOMPARE(days.time.back(), july + (199 - 182) * day);
    }

    /// Months and quarters whose days and months can be exchanged, and the newest first.
    void order_by_calendar_steps() {
        const auto dates = [](int months, bool month_first, bool reversed, char sign) {
            std::vector<std::string> rows;
            for (int i = 0; i < 36; ++i) {
                const int month = i * months % 12 + 1, year = 2003 + i * months / 12;
                const std::string m = (month < 10 ? "0" : "") + std::to_string(month);
                rows.push_back((month_first ? m + sign + "01" : "01" + std::string(1, sign) + m) + sign +
                               std::to_string(year));
            }
            if (reversed) std::reverse(rows.begin(), rows.end());
            std::string text = "date;x\n";
            for (std::size_t i = 0; i < rows.size(); ++i)
                text += rows[i] + ";" + std::to_string(i * 7 % 5) + ".5\n";
            return read(text);
        };
        for (const int months : {1, 3})
            for (const bool month_first : {false, true})
                for (const bool reversed : {false, true})
                    for (const char sign : {'/', '.'}) {
                        const auto table = dates(months, month_first, reversed, sign);
                        QCOMPARE(table.step.months, months);
                        QCOMPARE(table.rows(), 36);
                        QVERIFY(of_kind(table, WarningKind::gap).empty());
                    }
    }

    /// 21/03/03, which may also begin with the day.
    void short_years_first() {
        for (const char sign : {'/', '-', '.'})
            for (const double step : {3600.0, 86400.0}) {
                std::string text = "time,x\n", ambiguous = text;
                for (int i = 0; i < 100; ++i) {
                    auto time = format_time(july + step * i).substr(2, 14);
                    time[2] = time[5] = sign;
                    text += time + "," + std::to_string(i * 7919 % 31) + ".5\n";
                }
                const auto table = read(text);
                QCOMPARE(table.time.front(), july);
                QCOMPARE(table.time.back(), july + 99 * step);
                QCOMPARE(table.format.time_format, std::string("year/month/day"));
            }
        CsvOptions options;
        options.time_style = TimeStyle::year_first;
        QCOMPARE(read("d,a\n03/01/02,1\n03/01/03,2\n", options).time.front(), 1041465600.0);
    }

    /// Clocks that rise, but not evenly: weeks, quarters, counters that skip.
    void rising_columns_have_a_word() {
        std::string text = "time,week_no,qn,count,load\n";
        for (int i = 0; i < 120; ++i)
            text += format_time(july + 3600.0 * i) + "," + std::to_string(202001 + i / 52 * 100 + i % 52) +
                    "," + std::to_string((2000 + i / 4) * 10 + i % 4 + 1) + "," + std::to_string(i + i / 10) +
                    "," + std::to_string(i * 7919 % 31) + ".5\n";
        QCOMPARE(of_kind(read(text), WarningKind::clock_channel).size(), std::size_t{3});
    }

    void totals_in_month_13() {
        std::string text = "YYYYMM,Value\n";
        for (int i = 0; i < 130; ++i)
            text += std::to_string((1973 + i / 13) * 100 + i % 13 + 1) + "," + std::to_string(i * 7919 % 31) +
                    ".5\n";
        const auto table = read(text);
        QCOMPARE(table.rows(), 120);
        QCOMPARE(table.step.months, 1);
        QVERIFY(!of_kind(table, WarningKind::no_row).empty());
    }

    /// Some rows without a time among months whose order is open.
    void date_order_ignores_invalid_times() {
        std::string text = "date,x\n";
        for (int i = 0; i < 36; ++i)
            text += (i % 9 == 4 ? "00/00/2003"
                                : (i % 12 < 9 ? "0" : "") + std::to_string(i % 12 + 1) + "/01/" +
                                      std::to_string(2003 + i / 12)) +
                    "," + std::to_string(i * 7 % 5) + ".5\n";
        const auto table = read(text);
        QCOMPARE(table.step.months, 1);
        QCOMPARE(table.format.time_format, std::string("month/day/year"));
    }

    void clocks_that_are_not_exact() {
        for (const double step : {60.0, 900.0, 3600.0, 86400.0}) {
            std::string text = "time,x\n";
            for (int i = 0; i < 200; ++i)
                text += format_time(july + i * step + i * i * 7919 % 13 * step / 1000) + "," +
                        std::to_string(i * 7 % 5) + ".5\n";
            const auto table = read(text);
            QCOMPARE(table.step.seconds, step);
            VERIFY_MESSAGE(of_kind(table, WarningKind::time_format).at(0).text, "most times are not exactly");
        }
    }

    /// Columns that are the time in other words, whatever they are called.
    void clocks_under_other_names() {
        std::string text = "time,a,b,c,d\n";
        for (int i = 0; i < 400; ++i) {
            auto day = format_time(july + 3600.0 * i).substr(0, 10);
            std::erase(day, '-');
            text += format_time(july + 3600.0 * i) + "," + std::to_string(i % 24 + 1) + "," + day + "," +
                    std::to_string((i / 24 + 4) % 7) + "," + std::to_string(i * 7919 % 24) + "\n";
        }
        const auto warnings = of_kind(read(text), WarningKind::clock_channel);
        QCOMPARE(warnings.size(), std::size_t{3});
        QCOMPARE(warnings[0].column + warnings[1].column + warnings[2].column, std::string("abc"));
    }

    void headers_that_count_or_name_the_time() {
        std::string counted = ",0,1\n", whole = "0,1,2\n",
                    keyed = "Region,Berlin,\nUnit,MW,\ndate,load,temp\n";
        std::string months = "yyyymm_x,load\n", years = ",load\n";
        for (int i = 0; i < 60; ++i) {
            const auto value = std::to_string(i * 7919 % 31);
            counted += std::to_string(i) + "," + value + ".25,1" + value + ".5\n";
            whole += value + "," + value + ",1" + value + "\n";
            keyed += format_time(july + 3600.0 * i) + "," + value + ".5," + value + "\n";
            months += std::to_string((2016 + i / 12) * 100 + i % 12 + 1) + "," + value + ".5\n";
            years += std::to_string(1900 + i) + "," + value + ".5\n";
        }
        QCOMPARE(names(read(counted)), std::string("0|1"));
        QCOMPARE(read(counted).rows(), 60);
        QCOMPARE(names(read(whole)), std::string("0|1|2"));
        QCOMPARE(names(read(keyed)), std::string("load|temp"));
        QCOMPARE(read(months).step.months, 1);
        QCOMPARE(read(years).step.months, 12);
    }

    void notes_and_second_tables() {
        std::string text = "date,load\n";
        for (int i = 0; i < 60; ++i)
            text += format_time(july + 3600.0 * i) + "," + std::to_string(i * 7 % 31) + ".5\n";
        QCOMPARE(read(text + "1. Preliminary, subject to revision\n2) Excl. losses,\n").rows(), 60);
        const auto two = read(text + "date,temp\n" + format_time(july + 3600.0 * 60) + ",7\n");
        VERIFY_MESSAGE(of_kind(two, WarningKind::no_row).at(0).text, "if other columns begin here");
    }

    void accounts_and_currencies() {
        const auto table =
            read("a;b;c;d\n-$1,234.50;$(2.50);USD 7;\"– 5\"\n$3.25;4.5;EUR 8;- 6\n1.5;2.5;9;7\n");
        QVERIFY(same(table.columns[0].values, {-1234.5, 3.25, 1.5}));
        QVERIFY(same(table.columns[1].values, {-2.5, 4.5, 2.5}));
        QVERIFY(same(table.columns[2].values, {7, 8, 9}));
        QVERIFY(same(table.columns[3].values, {-5, -6, 7}));
    }

    /// Columns of text before the numbers are no reason for another delimiter.
    void text_columns_and_delimiters() {
        for (int texts = 0; texts < 6; ++texts)
            for (const bool german : {false, true}) {
                const char sign = german ? ';' : ',';
                std::string text = "Zeit";
                for (int k = 0; k < texts; ++k) text += sign + ("s" + std::to_string(k));
                text += std::string(1, sign) + "Wert\n";
                for (int i = 0; i < 60; ++i) {
                    text += (german ? "03.03.2021 " : "3/3/2021 ") + format_time(60.0 * i).substr(11, 5);
                    for (int k = 0; k < texts; ++k) text += sign + std::string("MW");
                    text += sign + std::to_string(20 + i % 7) + (german ? "," : ".") +
                            std::to_string(10 + i) + "\n";
                }
                const auto table = read(text);
                QCOMPARE(names(table), std::string("Wert"));
                QCOMPARE(table.columns[0].values[3], 23.13);
                QCOMPARE(table.step.seconds, 60.0);
            }
    }
    void totals_are_no_rows() {
        const auto rows_of = [](const std::string& end, bool time) {
            std::string text = time ? "date,a,b\n" : "a,b\n";
            for (int i = 0; i < 30; ++i)
                text += (time ? format_time(july + 3600.0 * i) + "," : std::string()) +
                        std::to_string(i * 7919 % 31) + ",1" + "\n";
            return read(text + end);
        };
        for (const std::string end : {",,\nTotal,450,30\n", "Sum,,\n", ",450,30\nSource: us\n"})
            QCOMPARE(rows_of(end, true).rows(), 30);
        for (const std::string end : {"Total,30\n", ",\nTotal,30\n", "Total,30\n,\n", "Source: us\n"}) {
            const auto table = rows_of(end, false);
            QVERIFY2(table.rows() == 30, end.c_str());
            QVERIFY(std::any_of(table.warnings.begin(), table.warnings.end(),
                                [](const Warning& warning) { return warning.kind == WarningKind::no_row; }));
        }
        // A text that other rows have, too, stands for a missing value.
        QCOMPARE(rows_of("n/s,1\n4,1\nn/s,1\n", false).rows(), 33);
        QCOMPARE(rows_of("5,none\n", false).rows(), 31);
    }
    void decimal_comma_seen_late() {
        std::string text = "d;a\n";
        for (int i = 0; i < 40000; ++i)
            text += format_time(july + 3600.0 * i) + ";" + std::to_string(i % 977) +
                    (i % 100 == 99 ? ",5" : "") + "\n";
        const Table t = read(text);
        QCOMPARE(t.format.decimal, ',');
        QCOMPARE(t.columns[0].values[39999], 39999 % 977 + 0.5);
        QVERIFY(t.warnings.empty());
    }

    void quoting() {
        const Table t = read(
            "date,\"a, \"\"first\"\"\",\"b\nline two\",note\n"
            "2016-07-01,\"1\", \"2\" ,\"say \"\"hi\"\", he said\"\n"
            "2016-07-02,3,4,\"two\n\nlines\"\n"
            "2016-07-03,5,x,5\" pipe\n");
        QCOMPARE(names(t), std::string("a, \"first\"|b line two"));
        QVERIFY(same(t.columns[0].values, {1, 3, 5}));
        QVERIFY(same(t.columns[1].values, {2, 4, hole}));
        const auto bad = of_kind(t, WarningKind::bad_number);
        QCOMPARE(bad.size(), std::size_t(1));
        QCOMPARE(bad[0].line, 7);  // after a header of two lines and a row of three
        QCOMPARE(bad[0].column, std::string("b line two"));
        QCOMPARE(of_kind(t, WarningKind::text_column).size(), std::size_t(1));
        QCOMPARE(t.line_of(0), 3);
        QCOMPARE(t.line_of(1), 4);
        QCOMPARE(t.line_of(2), 7);
    }

    void other_quote() {
        CsvOptions options;
        options.quote = '\'';
        const Table t = read("a,b\n'1','2'\n3,4\n", options);
        QVERIFY(same(t.columns[1].values, {2, 4}));
        options.quote = '\0';
        QCOMPARE(names(read("\"a,b\n1,2\n3,4\n", options)), std::string("\"a|b"));
    }

    void empty_lines() {
        for (const std::string eol : {"\n", "\r\n", "\r"}) {
            const Table t = read("d,a" + eol + "2020-01-01,1" + eol + eol + "2020-01-02,x" + eol +
                                 "2020-01-03,3" + eol + eol + eol);
            QCOMPARE(of_kind(t, WarningKind::bad_number).at(0).line, 4);
            const auto empty = of_kind(t, WarningKind::ragged_row);
            QCOMPARE(empty.size(), std::size_t(1));  // the two at the end do not count
            QCOMPARE(empty[0].line, 3);
        }
    }

    void encodings() {
        Table t = read(
            "\xEF\xBB\xBF"
            "date,\xC2\xB5mol\n2020-01-01,1\n2020-01-02,2\n");
        QVERIFY(t.format.bom);
        QCOMPARE(t.format.time_columns.at(0), std::string("date"));
        QCOMPARE(names(t), std::string("\xC2\xB5mol"));
        t = read(
            "date,\xB5mol \xB0"
            "C\n2020-01-01,1\n2020-01-02,2\n");
        QCOMPARE(t.format.encoding, std::string("Latin-1"));
        QCOMPARE(names(t), std::string("\xC2\xB5mol \xC2\xB0"
                                       "C"));
        QCOMPARE(of_kind(t, WarningKind::encoding).size(), std::size_t(1));

        // A lone surrogate of UTF-16, and half a unit at the end.
        std::string wide;
        for (const char c : std::string("a;?;x\n1;2;5\n3;1;6\n"))
            wide += c == '?' ? std::string{'\0', '\xD8'} : std::string{c, '\0'};
        t = read(wide + "7");
        QCOMPARE(names(t), std::string("a|\uFFFD|x"));
        VERIFY_MESSAGE(of_kind(t, WarningKind::encoding).at(0).text, "2 broken UTF-16 characters");
    }

    void encodings_that_are_set() {
        const std::pair<const char*, const char*> texts[] = {
            {"Windows-1251", "\xCC\xEE\xF9\xED\xEE\xF1\xF2\xFC"},  // Мощность
            {"Big5", "\xA5\xCE\xB9\x71\xB6\x71"},                  // 用電量
            {"EUC-KR", "\xC0\xFC\xB7\xC2"},                        // 전력
            {"EUC-JP", "\xC5\xC5\xCE\xCF"},                        // 電力
            {"Latin-1", "\x80/MWh"},                               // €/MWh, as Windows writes it
        };
        const char* const expected[] = {"Мощность", "用電量", "전력", "電力", "€/MWh"};
        for (std::size_t i = 0; i < std::size(texts); ++i) {
            CsvOptions options;
            options.encoding = texts[i].first;
            const Table t = read(
                "date," + std::string(texts[i].second) + ",x\n2020-01-01,1,2\n2020-01-02,3,2\n", options);
            QCOMPARE(t.columns.at(0).name, std::string(expected[i]));
        }
    }

    /// Texts in messages end at a whole character.
    void quoted_texts_are_whole() {
        std::string text = "date,x,y\n";
        for (int i = 1; i < 29; ++i)
            text += "2020-01-" + std::string(i < 10 ? "0" : "") + std::to_string(i) + "," +
                    std::to_string(i * i % 7) +
                    (i == 5 ? ",这个单元格包含很长的中文说明文字没有数字" : ",1") + "\n";
        const auto bad = of_kind(read(text), WarningKind::bad_number);
        QCOMPARE(bad.size(), std::size_t{1});
        VERIFY_MESSAGE(bad[0].text, "这个单元格包含很长的中文说");
        QVERIFY(casp::config::is_utf8(bad[0].text.english()) &&
                bad[0].text.english().find("\xC3") == std::string::npos);
    }

    void header_or_none() {
        Table t = read("2020-01-01,1,2\n2020-01-02,3,4\n");
        QVERIFY(!t.format.has_header);
        QCOMPARE(names(t), std::string("column 2|column 3"));
        QCOMPARE(t.rows(), 2);
        QCOMPARE(t.line_of(0), 1);
        QVERIFY(read("d,1,2\n2020-01-01,1,2\n2020-01-02,3,4\n").format.has_header);
        CsvOptions options;
        options.header = true;
        QCOMPARE(names(read("1,2\n3,4\n5,6\n", options)), std::string("1|2"));
        t = read("5\n7\n6\n");
        QCOMPARE(t.rows(), 3);
        QCOMPARE(names(t), std::string("column 1"));
        QCOMPARE(names(read("\"\",\"a\"\n\"x1\",1\n\"x2\",2\n")), std::string("a"));  // R, quoted
        QCOMPARE(names(read("a b\nr1 1 2\nr2 3 4\n")), std::string("a|b"));           // R, one name fewer
    }

    void column_kinds() {
        const Table t = read("Unnamed: 0,a,a,text,empty,,same\n0,1,2,x,,4,7\n1,3,4,y,NA,5,7\n2,5,6,z,,6,7\n");
        QCOMPARE(names(t), std::string("a|a.1|column 6|same"));
        QCOMPARE(of_kind(t, WarningKind::index_column).at(0).column, std::string("Unnamed: 0"));
        QCOMPARE(of_kind(t, WarningKind::duplicate_column).at(0).column, std::string("a"));
        QCOMPARE(of_kind(t, WarningKind::text_column).at(0).column, std::string("text"));
        QCOMPARE(of_kind(t, WarningKind::missing_value).at(0).column, std::string("empty"));
        QCOMPARE(of_kind(t, WarningKind::constant_column).at(0).column, std::string("same"));
    }

    void unix_time_by_content() {
        QCOMPARE(read("time,a\n1467331200,1\n1467334800,2\n1467338400,3\n").format.time_format,
                 std::string("Unix seconds"));
        QCOMPARE(read("a,timestamp\n1,1467331200000\n2,1467334800000\n").format.time_format,
                 std::string("Unix milliseconds"));
        QVERIFY(read("flow,a\n1467331200,1\n1467334800,2\n1467331201,3\n").time.empty());  // not increasing
        QVERIFY(read("a,flow\n1,1467331200\n2,1467334800\n").time.empty());  // neither first nor called so
    }

    void day_or_month_first() {
        // Both numbers at most 12: the order with the more regular steps.
        std::string text = "d,a\n";
        for (int i = 1; i <= 9; ++i) text += "0" + std::to_string(i) + "/01/2020," + std::to_string(i) + "\n";
        Table t = read(text);  // daily, or monthly with steps of 28 to 31 days
        QCOMPARE(t.format.time_format, std::string("day/month/year"));
        QCOMPARE(t.step.seconds, day);
        QCOMPARE(of_kind(t, WarningKind::time_format).size(), std::size_t(1));
        text = "d,a\n";
        for (int i = 1; i <= 9; ++i) text += "01/0" + std::to_string(i) + "/2020," + std::to_string(i) + "\n";
        t = read(text);
        QCOMPARE(t.format.time_format, std::string("month/day/year"));
        QCOMPARE(t.step.seconds, day);
        CsvOptions options;
        options.time_style = TimeStyle::day_first;
        t = read(text, options);
        QCOMPARE(t.format.time_format, std::string("day/month/year"));
        QCOMPARE(t.time[1] - t.time[0], 31 * day);
        // A number over 12 anywhere settles it, also far down, without a warning.
        t = read("d,a\n01/02/2020,1\n02/02/2020,2\n13/02/2020,3\n");
        QCOMPARE(t.time[1] - t.time[0], day);
        QVERIFY(of_kind(t, WarningKind::time_format).empty());
    }

    void given_time_column() {
        CsvOptions options;
        options.time_columns = {"b"};
        const std::string text = "a,b,x\n2016-07-01,2020-07-01,1\n2016-07-02,2020-07-03,2\n";
        Table t = read(text, options);
        QCOMPARE(t.step.seconds, 2 * day);
        QCOMPARE(of_kind(t, WarningKind::text_column).at(0).column, std::string("a"));
        options.time_columns = std::vector<std::string>{};
        t = read(text, options);
        QVERIFY(t.time.empty());
        QCOMPARE(names(t), std::string("x"));
        options.time_columns = {"bb"};
        VERIFY_MESSAGE(input_message([&] { (void)read(text, options); }), "nearest name is \"b\"");
        options.time_columns = {"x"};
        QCOMPARE(read("x,y\nfoo,1\nbar,2\n").time.size(), std::size_t(0));
        VERIFY_MESSAGE(input_message([&] { (void)read("x,y\nfoo,1\nbar,2\n", options); }), "no dates");
    }

    void time_axis_warnings() {
        const Table t = read(
            "d,a\n2020-01-01 00:00,1\n2020-01-01 01:00,2\n2020-01-01 01:00,3\n2020-01-01 02:00,4\n"
            "2020-01-01 05:00,5\n2020-01-01 04:00,6\nsoon,7\n2020-01-01 05:00,8\n2020-02-30 05:00,9\n");
        QCOMPARE(of_kind(t, WarningKind::duplicate_time).at(0).line, 4);
        QCOMPARE(of_kind(t, WarningKind::gap).at(0).line, 6);
        VERIFY_MESSAGE(of_kind(t, WarningKind::gap).at(0).text, "2 rows are missing");
        QCOMPARE(of_kind(t, WarningKind::non_monotonic_time).at(0).line, 7);
        // A text where each row has its time is no row; a date that does not exist is.
        QCOMPARE(of_kind(t, WarningKind::no_row).at(0).line, 8);
        QCOMPARE(t.rows(), 8);
        const auto bad = of_kind(t, WarningKind::bad_number);
        QCOMPARE(bad.size(), std::size_t(1));
        QCOMPARE(bad[0].line, 10);
        QVERIFY(std::isnan(t.time[7]));
        QCOMPARE(t.line_of(5), 7);
        QCOMPARE(t.line_of(6), 9);
    }

    void missing_and_bad_cells() {
        std::string text = "d,a,b\n";
        int i = 0;
        for (const char* marker :
             {"", "NA", "N/A", "n/a", "null", "None", "-", "?", "--", "#N/A", "nil", " "})
            text += format_time(july + 60 * i++) + "," + marker + ",1\n";
        for (const char* cell : {"NaN", "inf", "-Infinity", "1e999", "12x", "1.2.3", "+5", "0x10"})
            text += format_time(july + 60 * i++) + "," + cell + ",2\n";
        for (; i < 60; ++i) text += format_time(july + 60 * i) + ",4,3\n";
        const Table t = read(text);
        QCOMPARE(names(t), std::string("a|b"));
        QCOMPARE(t.columns[0].missing, 12 + 7);
        QCOMPARE(t.columns[0].values[18], 5.0);
        QCOMPARE(std::count_if(t.columns[0].values.begin(), t.columns[0].values.end(),
                               [](double v) { return std::isnan(v); }),
                 19);
        QCOMPARE(of_kind(t, WarningKind::missing_value).at(0).count, 12);
        QCOMPARE(of_kind(t, WarningKind::missing_value).at(0).line, 2);
        QCOMPARE(of_kind(t, WarningKind::not_a_number).at(0).line, 14);
        QCOMPARE(of_kind(t, WarningKind::infinite).size(), std::size_t(3));
        QCOMPARE(of_kind(t, WarningKind::infinite).at(2).line, 17);
        const auto bad = of_kind(t, WarningKind::bad_number);
        QCOMPARE(bad.size(), std::size_t(3));
        QCOMPARE(bad[0].line, 18);
        VERIFY_MESSAGE(bad[0].text, "\"12x\"");
    }

    void ragged_rows() {
        const Table t = read("a,b,c\n1,2,3\n4,5\n6,7,8,9\n1,2,3,,\n10\n1,1,1\n");
        QVERIFY(same(t.columns[2].values, {3, hole, 8, 3, hole, 1}));
        const auto ragged = of_kind(t, WarningKind::ragged_row);
        QCOMPARE(ragged.size(), std::size_t(3));  // superfluous delimiters at the end are no cells
        QCOMPARE(ragged[0].line, 3);
        QCOMPARE(ragged[1].line, 6);
        QCOMPARE(ragged[2].line, 4);
        QCOMPARE(t.columns[2].missing, 2);
    }

    void warnings_are_folded() {
        std::string text = "a,b\n";
        for (int i = 0; i < 100; ++i) text += std::to_string(i) + (i % 2 == 0 ? ",oops\n" : ",1\n");
        for (int i = 0; i < 100; ++i) text += "1,2\n";
        const auto bad = of_kind(read(text), WarningKind::bad_number);
        QCOMPARE(bad.size(), std::size_t(21));
        QCOMPARE(bad[19].line, 40);
        QCOMPARE(bad[20].count, 30);
        QCOMPARE(bad[20].line, 0);
    }

    void sentinels() {
        std::string text = "low,fine,wide,high\n";
        for (int i = 0; i < 200; ++i)
            text += std::string(i == 7 ? "-9999" : std::to_string(i % 20)) + "," + std::to_string(i % 100) +
                    "," + (i == 9 ? "999" : std::to_string(5 * i)) + "," +
                    (i > 190  ? "99999"
                     : i == 3 ? "-999"
                              : "0.5") +
                    "\n";
        const auto hits = of_kind(read(text), WarningKind::sentinel);
        QCOMPARE(hits.size(), std::size_t(3));
        QCOMPARE(hits[0].column, std::string("low"));
        QCOMPARE(hits[0].line, 9);
        QCOMPARE(hits[1].column, std::string("high"));
        QCOMPARE(hits[2].column, std::string("high"));
        QCOMPARE(hits[1].count + hits[2].count, 10);
    }

    /// Correct rounding against strtod, and the same table on any number of threads, quoted or not.
    void numbers_and_threads() {
        std::mt19937_64 random(7);
        std::uniform_real_distribution<double> exponent(-300, 300);
        std::string plain = "a,b,c\n";
        std::string quoted = plain;
        std::vector<std::vector<double>> expected(3);
        for (int i = 0; i < 20000; ++i) {
            std::string cells[3];
            for (std::size_t k = 0; k < 3; ++k) {
                char text[64];
                const double sign = random() % 2 == 0 ? 1 : -1;
                const double v = std::pow(10.0, exponent(random)) * sign;
                // 0 to 9 digits on each side of the point
                if (k == 0)
                    std::snprintf(text, sizeof text, "%.*f", static_cast<int>(random() % 10),
                                  sign * static_cast<double>(random() % (1ULL << (random() % 31))) / 1e3);
                else
                    std::snprintf(text, sizeof text, k == 1 ? "%.17g" : "%.25e", v);
                cells[k] = text;
                expected[k].push_back(std::strtod(text, nullptr));
            }
            plain += cells[0] + "," + cells[1] + "," + cells[2] + "\n";
            quoted += "\"" + cells[0] + "\"," + cells[1] + ",\"" + cells[2] + "\"\n";
        }
        for (const std::string& text : {plain, quoted})
            for (const int threads : {1, 2, 5}) {
                CsvOptions options;
                options.threads = threads;
                const Table t = read(text, options);
                QCOMPARE(t.columns.size(), std::size_t(3));
                for (std::size_t k = 0; k < 3; ++k) QVERIFY(same(t.columns[k].values, expected[k]));
                QCOMPARE(t.line_of(12345), 12347);
            }
    }

    void format_of_times() {
        QCOMPARE(format_time(july + 3661.5), std::string("2016-07-01 01:01:01.500"));
        QCOMPARE(format_time(-1), std::string("1969-12-31 23:59:59"));
        QCOMPARE(format_time(951782400), std::string("2000-02-29 00:00:00"));
        QCOMPARE(format_time(hole), std::string("?"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestCsvImport)
#include "test_csv_import.moc"
