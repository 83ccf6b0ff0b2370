// Collections of series in one CSV file with a row per value, and every error of such a file.

#include "core/data/series_files.h"
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
        row("large integers",
            "unique_id,ds,y\nB,1,1\nB,2,2\nB,3,3\nA,9223372036854775804,4\n"
            "A,9223372036854775805,5.5\nA,9223372036854775806,-6\nA,9223372036854775807,7\n");
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
        QCOMPARE(c.frequency->name, std::string_view("Daily"));
        QCOMPARE(c.ids, (std::vector<std::string>{"B", "A"}));
        QCOMPARE(list(c.training_of(0)), (Values{1, 2}));
        QCOMPARE(list(c.training_of(1)), (Values{4, 5.5, -6}));
        QCOMPARE(c.test, (Values{3, 7}));
        QCOMPARE(c.sha256, sha256_of(text.toStdString()));
        QCOMPARE(collection_digest(path, ""), c.sha256);
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
        // A fault in a late chunk: its line.
        const std::string faulty = rows + "S5,1,2\n";
        VERIFY_MESSAGE(
            refused(long_file(faulty), horizon, "Weekly"),
            "long.csv:60002: series \"S5\": ds 1 comes after 597 in line 59707; expected increasing "
            "ds within a series. Sort the file by unique_id and ds.");
        VERIFY_MESSAGE(
            refused(long_file(rows + "S5,3,2\n"), horizon, "Weekly"),
            "long.csv:60002: series \"S5\" has ds 3 twice, first in line 307; expected one row per "
            "series and ds. Remove one of the rows.");
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
        // A few gaps do not matter: weekends.
        QCOMPARE(dates({"2020-01-02", "2020-01-03", "2020-01-06", "2020-01-07", "2020-01-08"}),
                 std::string("Daily"));
        VERIFY_MESSAGE(dates({"2020-01-01 00:00", "2020-01-01 00:15", "2020-01-01 00:30"}),
                       "data.frequency: not set, and the median step of ds (15 min 00 s) of ");
        VERIFY_MESSAGE(dates({"1", "2", "3"}), "data.frequency: not set, and the column ds (integers) of ");
        VERIFY_MESSAGE(dates({"1", "2", "3"}), "Set data.frequency.");
        // data.frequency has priority.
        QCOMPARE(
            read(long_file("unique_id,ds,y\nA,2020-01-01,1\nA,2020-01-02,2\nA,2020-01-03,3\n"), 1, "Hourly")
                .frequency->name,
            std::string_view("Hourly"));
    }

    void errors_of_long_files() {
        using namespace std::string_literals;
        VERIFY_MESSAGE(refused(long_file("id,ds,y\nA,1,1\n"), 1),
                       "this is no collection of series: its columns are \"id, ds, y\"; expected the columns "
                       "unique_id, ds and y. For the files of M4, give the folder with Train and Test.");
        VERIFY_MESSAGE(refused(long_file(""), 1), "the file is empty");
        VERIFY_MESSAGE(refused(long_file("unique_id,ds,y\nA,1,\0\n"s), 1), "zero byte");
        VERIFY_MESSAGE(long_refused(""), "the file has a header and no rows");
        VERIFY_MESSAGE(long_refused("\n,,\n"), "the file has a header and no rows");
        VERIFY_MESSAGE(refused(long_file("unique_id,ds,y"), 1), "the file has a header and no rows");
        VERIFY_MESSAGE(
            long_refused("A,1,1\nA,2,x\n"),
            "long.csv:3: series \"A\", column y: \"x\" is not a number; expected a finite number.");
        VERIFY_MESSAGE(long_refused("A,1,1,\"a\nb\n\"\n\nA,2,x\n"),
                       "long.csv:6: series \"A\", column y: \"x\"");
        VERIFY_MESSAGE(long_refused("A,1,1\nA,2,\n"), ":3: series \"A\", column y: the cell has no value");
        VERIFY_MESSAGE(long_refused("A,1,1\nA,2,NaN\n"), ":3: series \"A\", column y: the cell has no value");
        VERIFY_MESSAGE(long_refused("A,1,-inf\n"), ":2: series \"A\", column y: \"-inf\" is infinite");
        VERIFY_MESSAGE(long_refused("A,1,1\n,2,2\n"), ":3: the row has no unique_id");
        VERIFY_MESSAGE(long_refused("A,1,1\nA,2\n"),
                       ":3: the row has 2 cells; expected at least 3 cells, as in the header");
        VERIFY_MESSAGE(long_refused("A,1,1\n\n\"A\",\"2,2\n"), "line 4: a quoted cell begins here");
        VERIFY_MESSAGE(long_refused("A,2020-01-01,1\nA,2,2\n"),
                       ":3: series \"A\", column ds: \"2\" is not a date");
        VERIFY_MESSAGE(long_refused("A,1,1\nA,2020-01-01,2\n"),
                       ":3: series \"A\", column ds: \"2020-01-01\" is not an integer");
        VERIFY_MESSAGE(long_refused("A,1,1\nA,,2\n"), ":3: series \"A\", column ds: \"\" is not an integer");
        VERIFY_MESSAGE(long_refused("A,2021-02-29,1\n"),
                       "\"2021-02-29\" is not a date; expected dates that begin");
        VERIFY_MESSAGE(long_refused("A,01.02.2021,1\n"), "\"01.02.2021\" is not a date");
        VERIFY_MESSAGE(long_refused("A,1.5,1\n"), "\"1.5\" is not an integer");
        VERIFY_MESSAGE(long_refused("A,1e30,1\n"), "\"1e30\" is not an integer");
        VERIFY_MESSAGE(long_refused("A,9223372036854775808,1\n"), "is not an integer");
        // Order and duplicates.
        VERIFY_MESSAGE(
            long_refused("A,2020-01-02,1\nB,2020-01-01,1\nA,2020-01-01,2\nA,2020-01-03,3\nB,2020-01-02,"
                         "1\nB,2020-01-03,1\n"),
            ":4: series \"A\": ds 2020-01-01 00:00:00 comes after 2020-01-02 00:00:00 in line 2");
        VERIFY_MESSAGE(long_refused("A,1,1\nB,1,1\nA,1,2\nA,2,3\nB,2,1\nB,3,3\n"),
                       ":4: series \"A\" has ds 1 twice, first in line 2");
        VERIFY_MESSAGE(long_refused("A,1,1\nA,2,2\nA,1,3\n"),
                       ":4: series \"A\" has ds 1 twice, first in line 2");
        // Too short: 2 H + 1 values are needed.
        VERIFY_MESSAGE(
            long_refused("B,1,1\nB,2,1\nB,3,1\nB,4,1\nB,5,1\nA,1,1\nA,2,2\nA,3,3\nA,4,3\n", 2),
            "long.csv: series \"A\" has 4 values; expected at least 5: 2 test values (the horizon) "
            "and 3 training values. Remove the series, or shorten the horizon.");
        VERIFY_MESSAGE(long_refused("A,1,1\n", 2'000'000'000), "has 1 value; expected at least 4000000001");
    }
};

QTEST_GUILESS_MAIN(TestLongSeries)
#include "test_long_series.moc"
