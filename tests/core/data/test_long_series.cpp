// Collections of series in one CSV file with a row per value, and tables that look like them.

#include "core/data/series_files.h"
#include "data/reader.h"
#include "test_program.h"
#include "util/digest.h"

using namespace casp;
using namespace casp::data;

class TestLongSeries : public QObject, protected SeriesFiles {
    Q_OBJECT

private Q_SLOTS:
    void forms_of_long_files_data() {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const QString& text) { QTest::newRow(name) << text; };
        row("dates",
            "unique_id,ds,y\nB,2020-01-01,1\nB,2020-01-02,2\nB,2020-01-03,3\nA,2020-01-05,4\n"
            "A,2020-01-06,5.5\nA,2020-01-07,-6\nA,2020-01-08,7\n");
        row("integers", "unique_id,ds,y\nB,1,1\nB,2,2\nB,3,3\nA,-1,4\nA,0,5.5\nA,5,-6\nA,6,7\n");
        row("integers with a point",
            "unique_id,ds,y\nB,1.0,1\nB,2.0,2\nB,3.0,3\nA,1.0,4\nA,2.0,5.5\nA,3.0,-6\n"
            "A,4.0,7\n");
        row("interleaved", "unique_id,ds,y\nB,1,1\nA,1,4\nA,2,5.5\nB,2,2\nA,3,-6\nB,3,3\nA,4,7\n");
        row("further columns, other order",
            "x,y,note,ds,z,unique_id\n9,1,\"a\nb, \"\"c\"\"\",1,,B\n9,2,,2,,B\n9,3,,3,,B\n9,4,,1,,A\n"
            "9,5.5,\"\n\",2,,A\n9,-6,,3,,A\n9,7,,4,,A,extra\n");
        row("quoted, CRLF, padded",
            "\"unique_id\",\"ds\",\"y\"\r\n\"B\",\"1\",\"1\"\r\nB,2,2,,\r\n\"B\",\"3\",\"3\"\r\n\r\n,,\r\n"
            "A,1,4\r\nA,2,5.5\r\n\"A\",3,-6\r\n A , 4 , 7 \r\n");
        row("semicolons, byte-order mark, no last line break",
            QString::fromUtf8(
                "\xEF\xBB\xBFunique_id;ds;y\nB;1;1\nB;2;2\nB;3;3\nA;1;4\nA;2;5.5\nA;3;-6\nA;4;7"));
    }
    void forms_of_long_files() {
        QFETCH(QString, text);
        const fs::path path = long_file(text.toStdString());
        QVERIFY(is_collection(path));
        const auto c = read(path, 1, "Daily");
        QVERIFY(consistent(c, 1));
        QCOMPARE(c.path, path);
        QCOMPARE(c.frequency.name, std::string("Daily"));
        QCOMPARE(c.ids, (std::vector<std::string>{"B", "A"}));
        QCOMPARE(list(c.training_of(0)), (Values{1, 2}));
        QCOMPARE(list(c.training_of(1)), (Values{4, 5.5, -6}));
        QCOMPARE(c.test, (Values{3, 7}));
        QCOMPARE(c.sha256, sha256_of(text.toStdString()));
        QCOMPARE(dataset_digest(path, ""), c.sha256);
    }

    void ids_of_long_files() {
        const auto c =
            read(long_file("unique_id,ds,y\n\"a \"\"b\"\"\",1,1\n\"x\"\"\",1,7\n\"a \"\"b\"\"\",2,2\n"
                           "\"x\"\"\",2,8\n\"x\"\"\",3,9\na \"b\",3,3\n"),
                 1, "Daily");
        QCOMPARE(c.ids, (std::vector<std::string>{"a \"b\"", "x\""}));
        QCOMPARE(c.values, (Values{1, 2, 7, 8}));
        QCOMPARE(c.test, (Values{3, 9}));
    }

    /// Several chunks, with the rows of all series interleaved: the same as M4's files with the same values.
    void long_file_equals_m4() {
        constexpr int series = 300;
        constexpr int length = 200;
        constexpr int horizon = 7;
        std::string rows = "unique_id,ds,y\n";
        std::vector<std::string> lines(series);
        for (int t = 0; t < length; ++t)
            for (int s = 0; s < series; ++s) {
                const std::string value = std::to_string(s * 1000 + t) + ".125";
                rows += "S" + std::to_string(s) + "," + std::to_string(t * 3) + "," + value + "\n";
                lines[static_cast<std::size_t>(s)] += "," + value;
                if (t == length - horizon - 1) lines[static_cast<std::size_t>(s)] += "\n";
            }
        std::string train = "V1,V2\n";
        std::string test = "V1,V2\n";
        for (int s = 0; s < series; ++s) {
            const auto& line = lines[static_cast<std::size_t>(s)];
            const auto cut = line.find('\n') + 1;
            const std::string id = "S" + std::to_string(s);
            train += id;
            train += line.substr(0, cut);
            test += id;
            test += line.substr(cut) + "\n";
        }
        const auto wide = read(m4(train, test, "Weekly"), horizon);
        QVERIFY(consistent(wide, horizon));
        const fs::path path = long_file(rows);
        for (const int threads : {1, 3}) {
            const auto tall = read(path, horizon, "Weekly", threads);
            QVERIFY(tall.ids == wide.ids && tall.values == wide.values && tall.test == wide.test);
            QVERIFY(tall.offsets == wide.offsets && tall.frequency == wide.frequency);
        }
        // A fault at the end: its line.
        VERIFY_MESSAGE(refused(long_file(rows + "S5,3,2\n"), horizon, "Weekly"), "long.csv:60002: series");
        VERIFY_MESSAGE(refused(long_file(rows + "S5,x,2\n" + rows + "S5,y,2\n"), horizon, "Weekly"),
                       "long.csv:60002: series \"S5\", column ds: \"x\" is not an integer");
    }

    void frequency_from_dates() {
        const auto dates = [&](const std::vector<std::string>& all) { return frequency_of(all); };
        QCOMPARE(dates({"2020-01-01 22:00", "2020-01-01 23:00", "2020-01-02 00:00"}), std::string("Hourly"));
        QCOMPARE(dates({"2020-02-28", "2020-02-29", "2020-03-01"}), std::string("Daily"));
        QCOMPARE(dates({"2020-01-01", "2020-01-08", "2020-01-15"}), std::string("Weekly"));
        QCOMPARE(dates({"2020-01-31", "2020-02-29", "2020-03-31"}), std::string("Monthly"));
        QCOMPARE(dates({"2019-02-01", "2019-03-01", "2019-04-01", "2019-05-01"}), std::string("Monthly"));
        QCOMPARE(dates({"2020-03-31", "2020-06-30", "2020-09-30", "2020-12-31"}), std::string("Quarterly"));
        QCOMPARE(dates({"1750-01-01", "1751-01-01", "1752-01-01"}), std::string("Yearly"));
        QCOMPARE(dates({"2020-01-01T00:00:00Z", "2020-01-01T01:00:00Z", "2020-01-01T02:00:00Z"}),
                 std::string("Hourly"));
        // The shortest and the longest steps.
        QCOMPARE(dates({"2019-01-31", "2019-02-28", "2019-03-28"}), std::string("Monthly"));
        QCOMPARE(dates({"2019-02-01", "2019-05-01", "2019-07-29"}), std::string("Quarterly"));
        QCOMPARE(dates({"2019-07-01", "2019-10-01", "2020-01-01"}), std::string("Quarterly"));
        QCOMPARE(dates({"2019-03-01", "2020-03-01", "2021-03-01"}), std::string("Yearly"));
        // A few gaps do not matter, and weekends are none.
        QCOMPARE(dates({"2020-01-02", "2020-01-03", "2020-01-04", "2020-01-05", "2020-01-08"}),
                 std::string("Daily"));
        QCOMPARE(dates({"2020-01-02", "2020-01-03", "2020-01-06", "2020-01-07", "2020-01-08"}),
                 std::string("1 business day"));
        // As in Our World in Data.
        const auto years = read(long_file("Country,Year,Value\nA,1990,1\nA,1991,2\nA,1992,3\nB,1990,4\n"
                                          "B,1991,5\nB,1992,6\n"),
                                1);
        QCOMPARE(years.frequency.name, std::string("Yearly"));
        QCOMPARE(years.ids, (std::vector<std::string>{"A", "B"}));
        VERIFY_MESSAGE(dates({"1", "2", "3"}), "data.frequency: not set, and the column ds (whole numbers)");
        VERIFY_MESSAGE(dates({"1", "2", "3"}), "Set data.frequency.");
        // data.frequency has priority.
        QCOMPARE(
            read(long_file("unique_id,ds,y\nA,2020-01-01,1\nA,2020-01-02,2\nA,2020-01-03,3\n"), 1, "Hourly")
                .frequency.name,
            std::string("Hourly"));
    }

    /// Steps that M4 does not have: the season of the step, a history of ten horizons.
    void other_steps() {
        const auto of = [&](const char* second, const char* third) {
            const auto c = read(long_file(std::string("unique_id,ds,y\nA,2020-01-01 00:00,1\nA,") + second +
                                          ",2\nA," + third + ",3\n"),
                                1);
            return c.frequency.name + ", " + std::to_string(c.frequency.season) + ", " +
                   std::to_string(c.frequency.history);
        };
        QCOMPARE(of("2020-01-01 00:15", "2020-01-01 00:30"), std::string("15 minutes, 96, 10"));
        QCOMPARE(of("2020-01-01 02:00", "2020-01-01 04:00"), std::string("2 hours, 12, 10"));
        QCOMPARE(of("2020-01-01 00:00:04", "2020-01-01 00:00:08"), std::string("4 seconds, 21600, 10"));
        QCOMPARE(of("2020-03-01 00:00", "2020-05-01 00:00"), std::string("2 months, 6, 10"));
        // No whole number of values makes a day.
        QCOMPARE(of("2020-01-01 07:00", "2020-01-01 14:00"), std::string("7 hours, 1, 10"));
        QCOMPARE(of("2020-01-01 01:00", "2020-01-01 02:00"), std::string("Hourly, 24, 480"));
    }

    void usual_names_data() {
        QTest::addColumn<QString>("header");
        for (const char* header :
             {"unique_id,ds,y", "item_id,timestamp,target", "series_id,date,value", "Unique_ID,DS,Y",
              "store,date,sales", "id,time,value", "sensor_id,datetime,load", "ticker,date,volume",
              "meter,timestamp,kWh", "group,ds,OT", "site,Zeit,sales", "unique_id,日期,y"})
            QTest::newRow(header) << header;
    }
    void usual_names() {
        QFETCH(QString, header);
        std::string stacked = header.toStdString() + "\n";
        std::string side_by_side = stacked;
        for (const char* id : {"7", "3"})
            for (int day = 1; day <= 9; ++day)
                stacked += std::string(id) + ",2020-01-0" + std::to_string(day) + "," +
                           std::to_string(day + 10 * (id[0] - '0')) + ".5\n";
        for (int day = 1; day <= 9; ++day)
            for (const char* id : {"7", "3"})
                side_by_side += std::string(id) + ",2020-01-0" + std::to_string(day) + "," +
                                std::to_string(day + 10 * (id[0] - '0')) + ".5\n";
        for (const auto& text : {stacked, side_by_side}) {
            const auto path = long_file(text);
            QVERIFY(is_collection(path));
            const auto c = read(path, 2);
            QVERIFY(consistent(c, 2));
            QCOMPARE(c.ids, (std::vector<std::string>{"7", "3"}));
            QCOMPARE(c.frequency.name, std::string("Daily"));
            QCOMPARE(list(c.training_of(0)), (Values{71.5, 72.5, 73.5, 74.5, 75.5, 76.5, 77.5}));
            QCOMPARE(c.test, (Values{78.5, 79.5, 38.5, 39.5}));
            QVERIFY(c.warnings.empty());
            VERIFY_MESSAGE(input_message([&] { (void)read_table(path); }), "this is a collection of series");
        }
    }

    /// A product in a shop: neither column alone says which series a row is of.
    void two_columns_of_ids() {
        std::string text = "date,store,sku,sales\n";
        for (int day = 1; day <= 7; ++day)
            for (const char* store : {"N", "S"})
                for (const char* sku : {"a", "b"})
                    text += "2020-01-0" + std::to_string(day) + "," + store + "," + sku + "," +
                            std::to_string(day) + "\n";
        const auto path = long_file(text);
        QVERIFY(is_collection(path));
        const auto c = read(path, 3);
        QCOMPARE(c.ids, (std::vector<std::string>{"N/a", "N/b", "S/a", "S/b"}));
        QCOMPARE(list(c.training_of(3)), (Values{1, 2, 3, 4}));
    }

    /// What the reader of tables reads, this one reads: separators, encodings, dates.
    void forms_of_tables() {
        const auto same = [&](const std::string& text, const std::vector<std::string>& ids) {
            const auto path = long_file(text);
            QVERIFY(is_collection(path));
            const auto c = read(path, 1);
            QCOMPARE(c.ids, ids);
            QCOMPARE(c.frequency.name, std::string("Daily"));
            QCOMPARE(c.values, (Values{1.5, 2.5, 4.5, 5.5}));
            QCOMPARE(c.test, (Values{3.5, 6.5}));
        };
        same(
            "item_id\ttimestamp\ttarget\nA\t2020-01-30\t1.5\nA\t2020-01-31\t2.5\nA\t2020-02-01\t3.5\n"
            "B\t2020-01-30\t4.5\nB\t2020-01-31\t5.5\nB\t2020-02-01\t6.5\n",
            {"A", "B"});
        same(
            "unique_id;ds;y\nA;30.01.2020;1,5\nA;31.01.2020;2,5\nA;01.02.2020;3,5\n"
            "B;30.01.2020;4,5\nB;31.01.2020;5,5\nB;01.02.2020;6,5\n",
            {"A", "B"});
        same(
            "unique_id,ds,y\nA,1580342400,1.5\nA,1580428800,2.5\nA,1580515200,3.5\n"
            "B,1580342400,4.5\nB,1580428800,5.5\nB,1580515200,6.5\n",
            {"A", "B"});
        same(
            "unique_id,ds,y\nA,20200130,1.5\nA,20200131,2.5\nA,20200201,3.5\n"
            "B,20200130,4.5\nB,20200131,5.5\nB,20200201,6.5\n",
            {"A", "B"});
        same(
            "unique_id;ds;y\n\xC4;1/30/20;1.5\n\xC4;1/31/20;2.5\n\xC4;2/1/20;3.5\n\xD6;1/30/20;4.5\n"
            "\xD6;1/31/20;5.5\n\xD6;2/1/20;6.5\n",
            {"Ä", "Ö"});
        same(
            "unique_id,ds,y\rA,2020-01-30,1.5\rA,2020-01-31,2.5\rA,2020-02-01,3.5\r"
            "B,2020-01-30,4.5\rB,2020-01-31,5.5\rB,2020-02-01,6.5\r",
            {"A", "B"});
        std::string wide = "\xFF\xFE";
        for (const char c :
             std::string("unique_id,ds,y\nA,2020-01-30,1.5\nA,2020-01-31,2.5\nA,2020-02-01,3.5\n"
                         "B,2020-01-30,4.5\nB,2020-01-31,5.5\nB,2020-02-01,6.5\n"))
            wide += std::string{c, '\0'};
        same(wide, {"A", "B"});
    }

    /// A table whose rows are of one series stays a table, whatever its columns are called.
    void tables_stay_tables() {
        std::string numbered = "id,date,OT\n";
        std::string station = "station,date,temp\n";
        std::string moved = "station,date,temp\n";
        for (int day = 1; day <= 9; ++day) {
            const auto rest = ",2020-01-0" + std::to_string(day) + "," + std::to_string(day) + "\n";
            numbered += std::to_string(day) + rest;
            station += "Graz" + rest;
            moved += (day < 5 ? "Graz" : "Wien") + rest;
        }
        for (const auto& text : {numbered, station, moved}) {
            const auto path = long_file(text);
            QVERIFY(!is_collection(path));
            QCOMPARE(read_table(path)->rows(), 9);
        }
    }

    /// Of unusual names: never read as one series.
    void unusual_names_are_refused() {
        std::string stacked = "Anlage,Zeit,Leistung\n";
        std::string side_by_side = stacked;
        std::string row;
        for (const char* name : {"West", "Ost", "Dach"})
            for (int hour = 10; hour < 24; ++hour)
                stacked += std::string(name) + ",2020-01-01 " + std::to_string(hour) + ":00," +
                           std::to_string(hour * 2) + ".5\n";
        for (int hour = 10; hour < 24; ++hour)
            for (const char* name : {"West", "Ost", "Dach"})
                side_by_side += std::string(name) + ",2020-01-01 " + std::to_string(hour) + ":00," +
                                std::to_string(hour * 2) + ".5\n";
        for (const auto& text : {stacked, side_by_side}) {
            const auto path = long_file(text);
            QVERIFY(!is_collection(path));
            const auto message = input_message([&] { (void)read_table(path); });
            VERIFY_MESSAGE(message, "long.csv: the rows are of several series: the column \"Anlage\" says");
            VERIFY_MESSAGE(message, "Rename \"Anlage\" to unique_id, \"Zeit\" to ds and the column of the");
            CsvOptions as_one;
            as_one.time_columns = std::vector<std::string>{};
            QCOMPARE(read_table(path, as_one)->rows(), 42);
        }
    }

    /// Series whose times never coincide would otherwise be sorted into one.
    void unusual_names_at_different_minutes() {
        std::string text = "Anlage,Zeit,Leistung\n";
        for (const char* name : {"West", "Ost"})
            for (int hour = 10; hour < 24; ++hour)
                text += std::string(name) + ",2020-01-01 " + std::to_string(hour) +
                        (name[0] == 'W' ? ":00," : ":30,") + std::to_string(hour % 5) + ".5\n";
        VERIFY_MESSAGE(input_message([&] { (void)read_table(long_file(text)); }), "the column \"Anlage\"");
    }

    /// Unix times that begin anew are no time axis of a table, but times all the same.
    void unusual_names_with_unix_times() {
        std::string text = "place,clock,flow\n";
        for (const char* place : {"weir", "lock"})
            for (int hour = 0; hour < 12; ++hour)
                text += std::string(place) + "," + std::to_string(1580342400 + 3600 * hour) + "," +
                        std::to_string(hour % 4) + ".5\n";
        VERIFY_MESSAGE(input_message([&] { (void)read_table(long_file(text)); }),
                       "the column \"place\" says");
    }

    /// Times that repeat or go back for another reason.
    void times_of_one_series() {
        const auto is_table = [&](const std::string& text) {
            return input_message([&] { (void)read_table(long_file(text)); });
        };
        // The hour that daylight saving repeats, with its name beside it.
        std::string clock = "time,zone,load\n";
        for (int hour = 0; hour < 24; ++hour)
            clock += "2020-10-25 " + std::to_string(hour > 2 ? hour - 1 : hour) + ":00," +
                     (hour > 2 ? "CET" : "CEST") + "," + std::to_string(hour % 5) + "\n";
        QCOMPARE(is_table(clock), std::string());
        // Ten rows a second, written without fractions.
        std::string fast = "time,mode,level\n";
        for (int i = 0; i < 100; ++i)
            fast += "2020-01-01 00:00:0" + std::to_string(i / 10) + (i % 7 < 4 ? ",on," : ",off,") +
                    std::to_string(i % 13) + "\n";
        QCOMPARE(is_table(fast), std::string());
        // Two months in the wrong order, with their names.
        std::string months = "date,month,value\n";
        for (int day = 1; day <= 28; ++day)
            months += "2020-02-" + std::string(day < 10 ? "0" : "") + std::to_string(day) + ",Feb," +
                      std::to_string(day) + "\n";
        for (int day = 1; day <= 31; ++day)
            months += "2020-01-" + std::string(day < 10 ? "0" : "") + std::to_string(day) + ",Jan," +
                      std::to_string(day) + "\n";
        QCOMPARE(is_table(months), std::string());
    }

    void which_column_is_the_target() {
        const auto with = [&](const std::string& header, const std::vector<std::string>& columns = {}) {
            std::string text = header + "\n";
            for (int day = 1; day <= 5; ++day)
                text += "A,2020-01-0" + std::to_string(day) + "," + std::to_string(day) + "," +
                        std::to_string(day * day) + ",x\n";
            CollectionOptions options;
            options.horizon = 1;
            options.columns = columns;
            return *read_collection(long_file(text), options);
        };
        const auto test_value = [&](const std::string& header, const std::vector<std::string>& columns = {}) {
            return with(header, columns).test.front();
        };
        QCOMPARE(test_value("unique_id,ds,temp,y,note"), 25.0);
        QCOMPARE(test_value("unique_id,ds,value,target,note"), 25.0);
        QCOMPARE(test_value("unique_id,ds,sales,price,note"), 5.0);
        QCOMPARE(test_value("unique_id,ds,price,temp,note", {"temp"}), 25.0);
        const auto c = with("unique_id,ds,y,temp,note");
        QCOMPARE(c.warnings.size(), std::size_t{1});
        VERIFY_MESSAGE(c.warnings[0].text, "left out: temp, note; a series has one column of values, y");
        VERIFY_MESSAGE(
            input_message([&] { (void)with("unique_id,ds,price,temp,note"); }),
            "each of the columns price, temp may hold the values of the series; expected one column of "
            "values, or one of them called y. Set data.columns to the one to forecast, as in "
            "data.columns = [\"price\"].");
        VERIFY_MESSAGE(input_message([&] { (void)with("unique_id,ds,sales,demand,note"); }), "sales, demand");
        VERIFY_MESSAGE(input_message([&] { (void)with("unique_id,ds,price,temp,note", {"tmp"}); }),
                       "data.columns: \"tmp\"; expected the one column of the values: price or temp");
        VERIFY_MESSAGE(input_message([&] { (void)with("unique_id,ds,price,temp,y"); }),
                       "the column \"y\" holds no numbers");
    }

    /// Sorting loses nothing; it is said.
    void unsorted_rows_are_sorted() {
        const auto c = read(long_file("unique_id,ds,y\nA,2020-01-03,3\nB,2020-01-01,10\nA,2020-01-01,1\n"
                                      "B,2020-01-02,20\nA,2020-01-02,2\nB,2020-01-03,30\n"),
                            1);
        QCOMPARE(c.values, (Values{1, 2, 10, 20}));
        QCOMPARE(c.test, (Values{3, 30}));
        QCOMPARE(c.warnings.size(), std::size_t{1});
        VERIFY_MESSAGE(c.warnings[0].text, "the rows of series \"A\" were not in the order of their times;");
    }

    void gaps_are_named() {
        const auto c = read(long_file("unique_id,ds,y\nA,2020-01-01,1\nA,2020-01-02,2\nA,2020-01-03,4\n"
                                      "B,2020-01-01,1\nB,2020-01-02,2\nB,2020-01-07,3\n"),
                            1);
        QCOMPARE(c.warnings.size(), std::size_t{1});
        QCOMPARE(c.warnings[0].kind, WarningKind::gap);
        VERIFY_MESSAGE(c.warnings[0].text, "1 step differs from the usual one (1 day), the first in series");
    }

    void missing_values() {
        const auto path =
            long_file("unique_id,ds,y\nA,1,\nA,2,2\nA,3,NA\nA,4,6\nA,5,7\nA,6,\nB,1,1\nB,2,2\nB,3,4\n");
        const auto with = [&](std::optional<MissingPolicy> policy) {
            CollectionOptions options{.frequency = "Daily", .horizon = 1};
            options.missing = policy;
            return *read_collection(path, options);
        };
        const auto filled = with(MissingPolicy::interpolate);
        QCOMPARE(filled.values, (Values{2, 4, 6, 1, 2}));
        QCOMPARE(filled.test, (Values{7, 4}));
        QCOMPARE(filled.warnings.size(), std::size_t{3});
        VERIFY_MESSAGE(filled.warnings[0].text, "1 missing value in series \"A\": before the first known");
        VERIFY_MESSAGE(filled.warnings[1].text, "1 missing value in series \"A\": after the last known");
        VERIFY_MESSAGE(filled.warnings[2].text, "1 missing value in series \"A\": filled from the");
        QCOMPARE(filled.warnings[2].line, 4);
        const auto dropped = with(MissingPolicy::drop_column);
        QCOMPARE(dropped.ids, (std::vector<std::string>{"B"}));
        QVERIFY(with(std::nullopt).values == filled.values);
        VERIFY_MESSAGE(with(std::nullopt).warnings.back().text, "a run needs data.missing");
        for (const auto policy : {MissingPolicy::error, MissingPolicy::keep})
            VERIFY_MESSAGE(input_message([&] { (void)with(policy); }), "long.csv:4: 1 missing value in");
        // A filled test value is no truth.
        const auto in_test =
            *read_collection(long_file("unique_id,ds,y\nA,1,1\nA,2,2\nA,3,3\nA,4,\nA,5,5\n"),
                             {.frequency = "Daily", .horizon = 2, .missing = MissingPolicy::interpolate});
        QCOMPARE(in_test.test, (Values{4, 5}));
        VERIFY_MESSAGE(in_test.warnings.back().text, "1 of them test values, against which errors are");
    }

    void errors_of_long_files() {
        using namespace std::string_literals;
        VERIFY_MESSAGE(
            refused(long_file("name,ds,y\nA,1,1\nA,2,1\n"), 1, "Daily"),
            "this is no collection of series: its columns are \"name, ds, y\"; expected the columns "
            "unique_id, ds and y, or other usual names of them. For the files of M4, give the folder "
            "with Train and Test.");
        VERIFY_MESSAGE(refused(long_file(""), 1), "the file is empty");
        VERIFY_MESSAGE(refused(long_file("unique_id,ds,y\nA,1,\0\n"s), 1), "zero byte");
        VERIFY_MESSAGE(long_refused(""), "the file holds a header and no rows");
        VERIFY_MESSAGE(long_refused("A,1,1\nA,2,x\nA,3,3\nA,4,3\n"), "long.csv:3: series \"A\", column y:");
        VERIFY_MESSAGE(long_refused("A,1,1,\"a\nb\n\"\n\nA,2,x\nA,3,3\nA,4,3\n"), "long.csv:6: series");
        VERIFY_MESSAGE(long_refused("A,1,-inf\nA,2,1\nA,3,1\n"), ":2: series \"A\", column y: \"-inf\" is");
        VERIFY_MESSAGE(long_refused("A,1,1\n,2,2\n"), ":3: the row has no unique_id");
        VERIFY_MESSAGE(long_refused("A,1,1\n\n\"A\",\"2,2\n"), "line 4: a quoted cell begins here");
        VERIFY_MESSAGE(long_refused("A,2020-01-01,1\nA,2,2\nA,2020-01-03,1\n"), ":3: series \"A\", column");
        VERIFY_MESSAGE(long_refused("A,1,1\nA,2020-01-01,2\nA,3,1\n"), ":3: series \"A\", column ds:");
        VERIFY_MESSAGE(long_refused("A,1,1\nA,,2\nA,3,1\n"), ":3: series \"A\", column ds: \"\" is not an");
        VERIFY_MESSAGE(long_refused("A,2021-02-27,1\nA,2021-02-28,1\nA,2021-02-29,1\n"),
                       "\"2021-02-29\" is not a date; expected a date");
        VERIFY_MESSAGE(long_refused("A,1.5,1\nA,2,1\n"), "\"1.5\" is not an integer");
        // Duplicates.
        VERIFY_MESSAGE(long_refused("A,1,1\nB,1,1\nA,1,2\nA,2,3\nB,2,1\nB,3,3\n"),
                       ":4: series \"A\" has ds 1 twice, first in line 2");
        VERIFY_MESSAGE(long_refused("A,1,1\nA,2,2\nA,1,3\n"), ":4: series \"A\" has ds 1 twice, first in");
        // Too short: 2 H + 1 values are needed.
        VERIFY_MESSAGE(
            long_refused("B,1,1\nB,2,1\nB,3,1\nB,4,1\nB,5,1\nA,1,1\nA,2,2\nA,3,3\nA,4,3\n", 2),
            "long.csv: series \"A\" has 4 values; expected at least 5: 2 test values (the horizon) "
            "and 3 training values. Remove the series, or shorten the horizon.");
        VERIFY_MESSAGE(long_refused("A,1,1\nA,2,1\n", 2'000'000'000), "has 2 values; expected at least");
    }
};

TEST_MAIN_WITHOUT_GUI(TestLongSeries)
#include "test_long_series.moc"
