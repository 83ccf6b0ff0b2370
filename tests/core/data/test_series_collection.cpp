// Collections of series: M4's files and every error of theirs.

#include <numeric>
#include <thread>

#include "core/data/series_files.h"
#include "test_program.h"
#include "util/digest.h"

using namespace casp;
using namespace casp::data;

namespace {

const fs::path shared_m4 = fs::path(CASP_SHARED_DATA) / "M4";

}  // namespace

class TestSeriesCollection : public QObject, protected SeriesFiles {
    Q_OBJECT

private Q_SLOTS:
    void frequencies_of_m4() {
        std::string all;
        for (const auto& f : frequencies())
            all += std::string(f.name) + " " + std::to_string(f.horizon) + " " + std::to_string(f.season) +
                   " " + std::to_string(f.history) + "; ";
        QCOMPARE(all, std::string("Yearly 6 1 9; Quarterly 8 4 12; Monthly 18 12 27; Weekly 13 1 130; "
                                  "Daily 14 1 140; Hourly 48 24 480; "));
        QCOMPARE(find_frequency("Weekly"), &frequencies()[3]);
        QVERIFY(find_frequency("weekly") == nullptr);
        QVERIFY(find_frequency("") == nullptr);
    }

    void real_yearly() {
        if (!fs::exists(shared_m4 / "Train/Yearly-train.csv")) QSKIP("M4 is not here");
        const auto c = read(shared_m4, 6, "Yearly");
        QVERIFY(consistent(c, 6));
        QCOMPARE(c.path, shared_m4 / "Train/Yearly-train.csv");
        QVERIFY(c.frequency == *find_frequency("Yearly"));
        QCOMPARE(c.size(), 23000);
        QCOMPARE(c.ids.front(), std::string("Y1"));
        QCOMPARE(c.ids.back(), std::string("Y23000"));
        QCOMPARE(c.values.size(), std::size_t(720458));
        QCOMPARE(c.length(0), 31);
        QCOMPARE(list(c.training_of(0).first(4)), (Values{5172.1, 5133.5, 5186.9, 5084.6}));
        QCOMPARE(c.training_of(0).back(), 7261.1);
        QCOMPARE(list(c.test_of(0)), (Values{7290.2, 7392.6, 7527.6, 7594.8, 7720.7, 7823.2}));
        QCOMPARE(list(c.training_of(22999).first(3)), (Values{6850, 6860, 7020}));
        QCOMPARE(list(c.test_of(22999).first(3)), (Values{9010, 9320, 9560}));
        std::int64_t least = 1 << 30;
        std::int64_t most = 0;
        for (std::int64_t s = 0; s < c.size(); ++s) {
            least = std::min(least, c.length(s));
            most = std::max(most, c.length(s));
        }
        QCOMPARE(least, 13);
        QCOMPARE(most, 835);
        // Sum of all values, computed with Python's csv module.
        const double sum = std::accumulate(c.values.begin(), c.values.end(), 0.0);
        QVERIFY(std::fabs(sum - 2658296784.35342) < 1e-3);
        QVERIFY(c.warnings.empty());
        const std::string train = sha256_of_file(shared_m4 / "Train/Yearly-train.csv");
        const std::string test = sha256_of_file(shared_m4 / "Test/Yearly-test.csv");
        QCOMPARE(c.sha256, sha256_of(train + test));
        QCOMPARE(dataset_digest(shared_m4, "Yearly"), c.sha256);

        // One thread, and the training file as path: the same.
        const auto again = read(c.path, 6, "", 1);
        QVERIFY(again.ids == c.ids && again.values == c.values && again.test == c.test);
        QVERIFY(again.offsets == c.offsets && again.sha256 == c.sha256);
    }

    void real_hourly() {
        if (!fs::exists(shared_m4 / "Train/Hourly-train.csv")) QSKIP("M4 is not here");
        const auto c = read(shared_m4, 48, "Hourly");
        QVERIFY(consistent(c, 48));
        QCOMPARE(c.size(), 414);
        QCOMPARE(c.values.size(), std::size_t(353500));
        QCOMPARE(list(c.training_of(0).first(4)), (Values{605, 586, 586, 559}));
        QCOMPARE(list(c.training_of(413).first(3)), (Values{15, 13, 13}));
        QCOMPARE(list(c.test_of(0).first(3)), (Values{619, 565, 532}));
        QCOMPARE(list(c.test_of(413).first(3)), (Values{15, 12, 11}));
        std::int64_t least = 1 << 30;
        for (std::int64_t s = 0; s < c.size(); ++s) least = std::min(least, c.length(s));
        QCOMPARE(least, 700);
        const double sum = std::accumulate(c.values.begin(), c.values.end(), 0.0);
        QVERIFY(std::fabs(sum - 1981780885.7) < 1e-3);
    }

    void real_errors() {
        if (!fs::exists(shared_m4 / "Train/Yearly-train.csv")) QSKIP("M4 is not here");
        VERIFY_MESSAGE(refused(shared_m4, 6),
                       "data.frequency: not set, and " + shared_m4.string() +
                           " has several frequencies; expected Yearly or Hourly. Set data.frequency.");
        VERIFY_MESSAGE(refused(shared_m4, 8, "Yearly"), "series \"Y1\" and all others have 6 test values;");
        VERIFY_MESSAGE(refused(shared_m4, 13, "Weekly"), "Train/Weekly-train.csv: there is no such file;");
        const fs::path table = fs::path(CASP_SHARED_DATA) / "ETTh1.csv";
        if (!fs::exists(table)) QSKIP("ETTh1.csv is not here");
        QVERIFY(!is_collection(table));
        VERIFY_MESSAGE(refused(table, 24, "Hourly"), "its columns are \"date, HUFL, HULL, MUFL");
    }

    /// 100,000 series in seconds. The limit is generous: other work may share the machine.
    void many_series() {
        std::string train = "V1,V2,V3,V4\n";
        std::string test = "V1,V2\n";
        for (int s = 0; s < 100'000; ++s) {
            const std::string id = "S" + std::to_string(s);
            train += '"' + id + "\",\"" + std::to_string(s) + ".25\",\"-1e-3\",\"7\",,,,,,,,,\n";
            test += '"' + id + "\",\"" + std::to_string(s) + "\"\n";
        }
        QElapsedTimer timer;
        timer.start();
        const auto c = read(m4(train, test), 1);
        QVERIFY(timer.elapsed() < 20'000);
        QVERIFY(consistent(c, 1));
        QCOMPARE(c.size(), 100'000);
        for (std::int64_t s = 0; s < c.size(); s += 997) {
            const auto number = static_cast<double>(s);
            QCOMPARE(c.ids[static_cast<std::size_t>(s)], "S" + std::to_string(s));
            QCOMPARE(list(c.training_of(s)), (Values{number + 0.25, -0.001, 7}));
            QCOMPARE(list(c.test_of(s)), (Values{number}));
        }
    }

    void forms_of_m4_data() {
        QTest::addColumn<QString>("train");
        QTest::addColumn<QString>("test");
        const QString test = "id,V2,V3\nA,1,2\nB,3,4\n";
        const auto row = [](const char* name, const QString& train, const QString& other) {
            QTest::newRow(name) << train << other;
        };
        row("plain", "V1,V2,V3,V4,V5\nA,1,2,3\nB,4,5.5,-6e1,7\n", test);
        row("quoted, padded",
            "\"V1\",\"V2\",\"V3\"\n\"A\",\"1\",\"2\",\"3\",,\n\"B\",\"4\",\"5.5\",\"-60\",\"7\",\n",
            "\"V1\",\"V2\"\n\"A\",\"1\",\"2\"\n\"B\",\"3\",\"4\"\n");
        row("CRLF", "V1,V2\r\nA,1,2,3,\r\nB,4,5.5,-60,7\r\n", "V1,V2\r\nA,1,2\r\nB,3,4\r\n");
        row("no last line break", "V1,V2\nA,1,2,3\nB,4,5.5,-60,7", "V1,V2\nA,1,2\nB,3,4");
        row("NA behind the values", "V1,V2\nA,1,2,3,NA\nB,4,5.5,-60,7,NaN,\"\",na,\n", test);
        row("semicolons", "V1;V2\nA;1;2;3;\nB;4;5.5;-60;7\n", "V1;V2\nA;1;2;\nB;3;4\n");
        row("blanks", "V1, V2\n A , 1, 2 , 3 ,\n \"B\" , \"4\" ,+5.5,-60,7 , ,\t,\n", test);
        row("byte-order mark", QString::fromUtf8("\xEF\xBB\xBFV1,V2\nA,1,2,3\nB,4,5.5,-60,7\n"), test);
        row("empty lines", "\n\nV1,V2\n\nA,1,2,3\n,,,\n\"\",\"\",\nB,4,5.5,-60,7\n\n\n", test);
        row("no header", "A,1,2,3\nB,4,5.5,-60,7\n", "A,1,2\nB,3,4\n");
        row("numbers as names", "unique_id,0,1,2,3\nA,1,2,3\nB,4,5.5,-60,7\n", ",0,1\nA,1,2\nB,3,4\n");
        row("only one name", "V1\nA,1,2,3\nB,4,5.5,-60,7\n", "V1\nA,1,2\nB,3,4\n");
        row("semicolons in a quoted name", "\"a;b;c\",V2\nA,1,2,3\nB,4,5.5,-60,7\n", test);
        row("other order of the training file", "V1,V2\nB,4,5.5,-60,7\nA,1,2,3\n", test);
    }
    void forms_of_m4() {
        QFETCH(QString, train);
        QFETCH(QString, test);
        const fs::path folder = m4(train.toStdString(), test.toStdString());
        const auto c = read(folder, 2);
        QVERIFY(consistent(c, 2));
        QCOMPARE(c.ids, (std::vector<std::string>{"A", "B"}));
        QCOMPARE(list(c.training_of(0)), (Values{1, 2, 3}));
        QCOMPARE(list(c.training_of(1)), (Values{4, 5.5, -60, 7}));
        QCOMPARE(c.test, (Values{1, 2, 3, 4}));
        QCOMPARE(c.frequency.name, std::string("Yearly"));
        QVERIFY(c.warnings.empty());
        QCOMPARE(c.sha256, sha256_of(sha256_of(train.toStdString()) + sha256_of(test.toStdString())));
        QCOMPARE(dataset_digest(folder, ""), c.sha256);
    }

    /// The series are those of the test file, in its order.
    void order_of_the_test_file() {
        const auto c = read(m4("V1,V2\nC,1,2\nA,3,4,5\nB,6,7\n", "V1,V2\nB,60\nC,10\nA,30\n"), 1);
        QVERIFY(consistent(c, 1));
        QCOMPARE(c.ids, (std::vector<std::string>{"B", "C", "A"}));
        QCOMPARE(list(c.training_of(0)), (Values{6, 7}));
        QCOMPARE(list(c.training_of(1)), (Values{1, 2}));
        QCOMPARE(list(c.training_of(2)), (Values{3, 4, 5}));
        QCOMPARE(c.test, (Values{60, 10, 30}));
    }

    void ids() {
        const auto c =
            read(m4("id,V2\n\"a \"\"b\"\", c\",1,2\n\xE4,3,4\n", "id,V2\n\"a \"\"b\"\", c\",5\n\xE4,6\n"), 1);
        QCOMPARE(c.ids, (std::vector<std::string>{"a \"b\", c", "\xC3\xA4"}));
    }

    void which_paths_are_collections() {
        const fs::path folder = m4("V1,V2\nA,1,2\n", "V1,V2\nA,1\n");
        const fs::path train = folder / "Train/Yearly-train.csv";
        QVERIFY(is_collection(folder));
        QVERIFY(is_collection(train));
        QVERIFY(is_collection(folder / "Train/../Train/Yearly-train.csv"));
        QVERIFY(!is_collection(folder / "Train/Hourly-train.csv"));
        QVERIFY(!is_collection(folder / "Test/Yearly-test.csv"));
        QVERIFY(!is_collection(folder / "absent"));
        QVERIFY(is_collection(long_file("unique_id,ds,y\n")));
        QVERIFY(is_collection(long_file("\xEF\xBB\xBF\"y\";\"x\";\"DS\";\"Unique_ID\"\r\n")));
        QVERIFY(is_collection(long_file("unique_id,ds,y")));
        QVERIFY(is_collection(long_file("unique_id,ds,z\n")));
        QVERIFY(!is_collection(long_file("name,ds,y\n")));
        QVERIFY(!is_collection(long_file("id,date,y\nunique_id,ds,y\n")));
        QVERIFY(!is_collection(long_file("")));
        QVERIFY(!is_collection(long_file("\n\n")));
        QVERIFY(!is_collection(long_file(std::string(200'000, ','))));
        QVERIFY(!is_collection(long_file(std::string_view("u\0n\0i\0", 6))));
        QVERIFY(!is_collection("/dev/zero"));
        write(folder / "Yearly-train.csv", "V1,V2\nA,1,2\n");  // not in a folder Train
        QVERIFY(!is_collection(folder / "Yearly-train.csv"));
    }

    /// A training file without a folder in its path.
    void relative_path() {
        const fs::path folder = m4("V1,V2\nA,1,2\n", "V1,V2\nA,1\n");
        const fs::path before = fs::current_path();
        fs::current_path(folder / "Train");
        const bool found = is_collection("Yearly-train.csv");
        const std::string message = refused("Yearly-train.csv", 1);
        fs::current_path(before);
        QVERIFY(found);
        QCOMPARE(message, std::string());
    }

    void errors_of_paths() {
        VERIFY_MESSAGE(refused(place() / "absent.csv", 1), "absent.csv: there is no such file");
        VERIFY_MESSAGE(refused("/dev/zero", 1), "a device");
        VERIFY_MESSAGE(refused(place(), -5), "data.horizon: -5; expected 1 to 2147483647");
        VERIFY_MESSAGE(refused(place(), std::int64_t(1) << 40), "data.horizon");
        VERIFY_MESSAGE(refused(place(), 1, "Hurly"), "data.frequency: \"Hurly\" is not a frequency;");

        const fs::path empty = new_folder();
        fs::create_directories(empty);
        QCOMPARE(refused(empty, 1),
                 empty.string() +
                     ": there is no file Train/NAME-train.csv in this folder; expected the files "
                     "of M4: Train/Yearly-train.csv and Test/Yearly-test.csv, or of another "
                     "frequency. Give the folder that contains Train and Test.");
        VERIFY_MESSAGE(refused(empty, 1, "Daily"),
                       (empty / "Train/Daily-train.csv").string() + ": there is no");

        const fs::path folder = m4("V1,V2\nA,1,2\n", "V1,V2\nA,1\n");
        QCOMPARE(refused(folder, 1), std::string());
        QCOMPARE(
            refused(folder, 1, "Hourly"),
            (folder / "Train/Hourly-train.csv").string() +
                ": there is no such file; expected a frequency of this folder: Yearly. Set data.frequency "
                "to it, or add the file.");
        VERIFY_MESSAGE(refused(folder / "Train/Hourly-train.csv", 1), "Hourly-train.csv: there is no such");
        QCOMPARE(refused(folder / "Train/Yearly-train.csv", 1, "Hourly"),
                 std::string("data.frequency: \"Hourly\", but data.path is Yearly-train.csv; expected "
                             "\"Yearly\". Correct one of them, or leave data.frequency empty."));
        QCOMPARE(refused(folder / "Train/Yearly-train.csv", 1, "Yearly"), std::string());

        write(folder / "Train/Daily-train.csv", "V1,V2\nA,1,2\n");
        QCOMPARE(refused(folder, 1), "data.frequency: not set, and " + folder.string() +
                                         " has several frequencies; expected Yearly or Daily. Set "
                                         "data.frequency.");
        const std::string no_test = (folder / "Test/Daily-test.csv").string() +
                                    ": there is no such file; expected the test values of " +
                                    (folder / "Train/Daily-train.csv").string() +
                                    ". Add the file; both files are there for Yearly.";
        QCOMPARE(refused(folder, 1, "Daily"), no_test);
        QCOMPARE(refused(folder / "Train/Daily-train.csv", 1), no_test);
        QCOMPARE(input_message([&] { (void)dataset_digest(folder, "Daily"); }), no_test);
        fs::remove(folder / "Test/Yearly-test.csv");
        VERIFY_MESSAGE(refused(folder, 1, "Yearly"), "Yearly-train.csv. Add the file.");
    }

    void errors_of_cells() {
        VERIFY_MESSAGE(train_refused("id,V2\nA,1,2,3\nB,4,x5,6\n"), "Yearly-train.csv:3: series \"B\",");
        VERIFY_MESSAGE(train_refused("\n\nid,V2\n\nA,1,2,3\nB,4,\"1,5\",6\n"), "Yearly-train.csv:6: series");
        VERIFY_MESSAGE(train_refused("id;V2\nA;1;2;3\nB;4;1,5;6\n"), "Write numbers with a decimal point.");
        VERIFY_MESSAGE(train_refused("id,V2\nA,1,2,inf\n"), ":2: series \"A\", column 4: \"inf\" is");
        VERIFY_MESSAGE(train_refused("id,V2\nA,1,2,\"-Infinity\"\n"), "\"-Infinity\" is infinite");
        VERIFY_MESSAGE(train_refused("id,V2\nA,1,2,3,1e999\n"), "column 5: \"1e999\"");
        VERIFY_MESSAGE(train_refused("id,V2\nA,1,,,3\n"), ":2: series \"A\": column 3 is empty, but column");
        VERIFY_MESSAGE(train_refused("id,V2\nA,NA,2,3\n"), "column 2 is empty, but column 3 has a value");
        VERIFY_MESSAGE(train_refused("id,V2\nA,1,nan,3\n"), "column 3 is empty, but column 4 has a value");
        VERIFY_MESSAGE(train_refused("id,V2\nA,1,\"\",3\n"), "column 3 is empty, but column 4 has a value");
        VERIFY_MESSAGE(train_refused("id,V2\nA,1,,x\n"), "column 4: \"x\" is not a number");
        VERIFY_MESSAGE(train_refused("id,V2\nA,,,\nB,1,2,3\n"), ":2: series \"A\" has no values");
        VERIFY_MESSAGE(train_refused("id,V2\nA\n"), ":2: series \"A\" has no values");
        VERIFY_MESSAGE(train_refused("id,V2\n,1,2,3\n"), ":2: the line has no series id");
        VERIFY_MESSAGE(train_refused("id,V2\nA,1,\"2,3\nB,1,2,3\n"), ":2: \"A\": a quoted cell is never");
        VERIFY_MESSAGE(train_refused("id,V2\n\"A,1,2,3\nB,1,2,3\n"), ":2: \"A,1,2,3\": a quoted cell");
        VERIFY_MESSAGE(train_refused("id,V2\nA,1,\"2\"3,4\n"), "column 3: \"\"2\"3\" is not a number");
        // In the test file.
        VERIFY_MESSAGE(refused(m4("V1,V2\nA,1,2\n", "V1,V2\nA,?x\n"), 1), "Yearly-test.csv:2: series \"A\",");
        // A long text is abbreviated.
        const std::string message = train_refused("id,V2\nA,1,2," + std::string(100'000, 'z') + "\n");
        VERIFY_MESSAGE(message, "zzz");
        QVERIFY(message.size() < 600);
    }

    void errors_of_texts() {
        using namespace std::string_literals;
        VERIFY_MESSAGE(train_refused(""), "Yearly-train.csv: the file is empty");
        VERIFY_MESSAGE(train_refused("\xEF\xBB\xBF"), "only empty lines");
        VERIFY_MESSAGE(train_refused("\n\r\n\n"), "only empty lines");
        VERIFY_MESSAGE(train_refused("V1,V2\n"), "the file has a header and no series");
        VERIFY_MESSAGE(train_refused("V1,V2\n\n,,,\n"), "the file has a header and no series");
        VERIFY_MESSAGE(train_refused("V1,V2\nA,1,\0002,3\n"s), "a zero byte at offset 10");
        VERIFY_MESSAGE(train_refused("\xFF\xFEV\0001\0"s), "UTF-16");
        VERIFY_MESSAGE(train_refused("\x1F\x8B\x08 gz"), "gzip");
        VERIFY_MESSAGE(train_refused("V1,V2\rA,1,2\r"), "CR only");
        VERIFY_MESSAGE(refused(m4("V1,V2\nA,1,2\n", "V1,V2\n"), 1), "Yearly-test.csv: the file has a header");
        VERIFY_MESSAGE(refused(m4("V1,V2\nA,1,2\n", ""), 1), "Yearly-test.csv: the file is empty");
    }

    void errors_of_series() {
        const auto said = [&](const char* train, const char* test, std::int64_t horizon = 2) {
            return refused(m4(train, test), horizon);
        };
        const char* both = "id,V2,V3\nA,1,2\nB,3,4\n";
        // Twice in one file.
        VERIFY_MESSAGE(
            said("id,V2\nA,1,2,3\n\nB,4,5,6\nA,1,2,3\nB,1,2,3\n", both),
            "Yearly-train.csv:5: series \"A\" occurs twice, first in line 2; expected one line per "
            "series. Remove or rename one of them.");
        VERIFY_MESSAGE(said("id,V2\nA,1,2,3\nB,4,5,6\n", "id,V2,V3\nA,1,2\nB,3,4\nB,5,6\nB,7,8\n"),
                       "Yearly-test.csv:4: series \"B\" occurs twice, first in line 3");
        // In one file only.
        VERIFY_MESSAGE(said("id,V2\nX,1,2,3\nA,1,2,3\nB,4,5,6\nC,4,5,6\nE,1,2,3\n", both),
                       "Yearly-train.csv:2: series \"X\" and 2 more series are missing in ");
        VERIFY_MESSAGE(said("id,V2\nX,1,2,3\nA,1,2,3\nB,4,5,6\n", both), ":2: series \"X\" is missing in ");
        VERIFY_MESSAGE(said("id,V2\nB,4,5,6\n", both), "Yearly-test.csv:2: series \"A\" is missing in ");
        VERIFY_MESSAGE(said("id,V2\nB,4,5,6\n", "id,V2\nA,1,2\nB,1,2\nC,1,2\n"), "Yearly-test.csv:2: series");
        VERIFY_MESSAGE(said("id,V2\nB,4,5,6\n", "id,V2\nA,1,2\nB,1,2\nC,1,2\n"),
                       "Yearly-train.csv; expected the same series in both files. Add them there, or remove");
        // None in both. This comes before the numbers of values, which differ, too.
        const std::string message = said("id,V2\nY1,1,2,3\nY2,1,2,3\n", "id,V2\nH1,1,2,3\nH2,1,2,3\n");
        VERIFY_MESSAGE(message, "is in this file: the first ids are \"Y1\" and \"H1\"; expected the same");
        VERIFY_MESSAGE(message, "The files seem to be of different frequencies.");
        // Number of test values.
        VERIFY_MESSAGE(
            said("id,V2\nA,1,2,3\nB,4,5,6\n", "id,V2\nA,1,2\nB,1,2,3\n"),
            "Yearly-test.csv:3: series \"B\" has 3 test values; expected 2 (data.horizon = 2). All "
            "series need the same number of test values");
        VERIFY_MESSAGE(said("id,V2\nA,1,2,3\nB,4,5,6\n", "id,V2\nA,1,2\nB,1\n"),
                       "has 1 test value; expected 2");
        VERIFY_MESSAGE(said("id,V2\nA,1,2,3\nB,4,5,6\n", "id,V2\nA,1\nB,1\n"), "Yearly-test.csv:2: series");
        VERIFY_MESSAGE(said("id,V2\nA,1,2,3\nB,4,5,6\n", "id,V2\nA,1\nB,1,2,3\n"),
                       ":2: series \"A\" has 1 test value; expected 2 (data.horizon = 2). All series");
        VERIFY_MESSAGE(said("id,V2\nA,1,2,3\n", "id,V2\nA,1,2,3\n"), "Set data.horizon = 3.");
        // Number of training values.
        VERIFY_MESSAGE(said("id,V2\nA,1,2,3\nB,4,5\n", both), "Yearly-train.csv:3: series \"B\" has 2");
        QCOMPARE(said("id,V2\nA,1,2,3\nB,4,5,6\n", both), std::string());
    }

    /// Without data.horizon: that of the test file, or of the frequency.
    void horizon_not_set() {
        const char* train = "id,V2\nA,1,2,3,4\nB,4,5,6,7\n";
        const auto c = read(m4(train, "id,V2\nA,1,2,3\nB,4,5,6\n"), 0);
        QVERIFY(consistent(c, 3));
        QCOMPARE(list(c.test_of(1)), (Values{4, 5, 6}));
        VERIFY_MESSAGE(refused(m4(train, "id,V2\nA,1,2\nB,4,5,6\n"), 0), "Yearly-test.csv:3: series \"B\"");
        VERIFY_MESSAGE(refused(m4(train, "id,V2\nA,1,2,3,4\nB,4,5,6,7\n"), 0), "Yearly-train.csv:2: series");

        std::string text = "unique_id,ds,y\n";
        for (int year = 2000; year < 2013; ++year) text += "A," + std::to_string(year) + "-01-01,1.5\n";
        const auto d = read(long_file(text), 0);
        QVERIFY(consistent(d, 6));
        QVERIFY(d.frequency == *find_frequency("Yearly"));
        QCOMPARE(d.length(0), 7);
        QCOMPARE(read(long_file(text), 0, "Quarterly").horizon, 6);
        VERIFY_MESSAGE(refused(long_file(text), 8, "Quarterly"), "has 13 values; expected at least 17");
        VERIFY_MESSAGE(refused(long_file("unique_id,ds,y\nA,2000-01-01,1\nB,2000-01-01,1\n"), 0),
                       "data.frequency: not set, and the only time of each series of ");
    }

    /// Of several faults the first in the file is reported, whatever the number of threads.
    void first_of_several_errors() {
        std::string train = "V1,V2\n";
        std::string test = "V1,V2\n";
        for (int s = 0; s < 60'000; ++s) {
            const bool wrong = s >= 20'000 && s % 5000 == 0;
            train += "S" + std::to_string(s) + ",1,2," + (wrong ? "bad" : "3") + ",,,,,,,,\n";
            test += "S" + std::to_string(s) + ",1\n";
        }
        const fs::path folder = m4(train, test);
        for (const int threads : {1, 2, 7})
            VERIFY_MESSAGE(refused(folder, 1, "", threads), "Yearly-train.csv:20002: series \"S20000\",");
    }

    void constant_series() {
        const auto c = read(m4("id,V2\nA,5,5,5\nB,1,1,2\nC,0,-0,0\n", "id,V2\nA,1\nB,1\nC,1\n"), 1);
        QCOMPARE(c.size(), 3);
        QCOMPARE(c.warnings.size(), std::size_t(1));
        QCOMPARE(c.warnings[0].kind, WarningKind::constant_column);
        QCOMPARE(c.warnings[0].count, 2);
        QCOMPARE(c.warnings[0].column, std::string("A"));
        VERIFY_MESSAGE(c.warnings[0].text, "the training values of 2 series are constant, the first is");
        // Only the training values count.
        const auto d = read(long_file("unique_id,ds,y\nA,1,5\nA,2,5\nA,3,6\n"), 1, "Daily");
        QCOMPARE(d.warnings.size(), std::size_t(1));
        VERIFY_MESSAGE(d.warnings[0].text, "the training values of series \"A\" are constant: its MASE is");
    }

    void progress_and_cancel() {
        std::string train = "V1,V2\n";
        std::string test = "V1,V2\n";
        for (int s = 0; s < 20'000; ++s) {
            train += "S" + std::to_string(s) + ",1,2,3,,,,,,,,\n";
            test += "S" + std::to_string(s) + ",1\n";
        }
        const fs::path folder = m4(train, test);
        const auto caller = std::this_thread::get_id();
        bool elsewhere = false;
        std::int64_t reports = 0;
        const auto report = [&](const Progress& progress) {
            elsewhere |= std::this_thread::get_id() != caller;
            reports += progress.unit == "bytes" && progress.done <= progress.total ? 1 : 0;
        };
        (void)read_series(folder, with_threads(3, 1), report, {});
        QVERIFY(!elsewhere);
        QVERIFY(reports >= 2);

        std::stop_source source;
        const auto cancelled = [&](const fs::path& path) {
            try {
                (void)read_series(
                    path, with_threads(1, 1, "Yearly"), [&](const Progress&) { source.request_stop(); },
                    source.get_token());
            } catch (const Cancelled&) {
                return true;
            }
            return false;
        };
        QVERIFY(cancelled(folder));
        QVERIFY(cancelled(long_file("unique_id,ds,y\nA,1,1\nA,2,2\nA,3,3\n")));
    }

    /// A header with millions of cells over short rows: memory stays a small multiple of the file.
    void wide_header() {
        const std::string header(8u << 20u, ',');
        VERIFY_MESSAGE(refused(long_file("unique_id,ds,y" + header + "\nA,1,1\nA,2,2\nA,3,\n"), 1, "Daily"),
                       "8388611 columns; expected at most 100000");
        QCOMPARE(refused(m4("V1,V2" + header + "\nA,1,2\n", "V1\nA,1\n"), 1), std::string());
        VERIFY_MESSAGE(train_refused("V1\nA,1,2,3" + header + "4\n"), "column 5 is empty, but column");
    }
};

TEST_MAIN_WITHOUT_GUI(TestSeriesCollection)
#include "test_series_collection.moc"
