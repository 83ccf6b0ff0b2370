// Collections of series in Monash's .tsf and in JSON lines, and names of frequencies of other libraries.

#include "core/data/series_files.h"
#include "data/prepared.h"
#include "data/reader.h"
#include "test_program.h"
#include "util/digest.h"

using namespace casp;
using namespace casp::data;

class TestSeriesFormats : public QObject, protected SeriesFiles {
    Q_OBJECT

private:
    fs::path file(const char* name, std::string_view bytes) {
        const fs::path path = new_folder() / name;
        write(path, bytes);
        return path;
    }
    fs::path tsf(const std::string& series, const std::string& header = "@frequency hourly\n") {
        return file("x.tsf",
                    "# a comment\n@relation x\n@attribute series_name string\n"
                    "@attribute start_timestamp date\n" +
                        header + "@missing true\n@equallength false\n@data\n" + series);
    }
    std::string tsf_refused(const std::string& series, std::int64_t horizon = 1) {
        return refused(tsf(series), horizon);
    }
    fs::path lines(std::string_view text) { return file("x.jsonl", text); }

private Q_SLOTS:
    void names_of_frequencies_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* expected) {
            QTest::newRow(name) << name << expected;
        };
        // Of the Monash archive.
        row("yearly", "Yearly, 1");
        row("quarterly", "Quarterly, 4");
        row("monthly", "Monthly, 12");
        row("weekly", "Weekly, 1");
        row("daily", "Daily, 1");
        row("hourly", "Hourly, 24");
        row("half_hourly", "30 minutes, 48");
        row("10_minutes", "10 minutes, 144");
        row("minutely", "1 minute, 1440");
        row("4_seconds", "4 seconds, 21600");
        // Of pandas.
        row("H", "Hourly, 24");
        row("h", "Hourly, 24");
        row("15min", "15 minutes, 96");
        row("15T", "15 minutes, 96");
        row("30S", "30 seconds, 2880");
        row("D", "Daily, 1");
        row("1D", "Daily, 1");
        row("B", "1 business day, 5");
        row("W-SUN", "Weekly, 1");
        row("2W", "2 weeks, 1");
        row("M", "Monthly, 12");
        row("MS", "Monthly, 12");
        row("2M", "2 months, 6");
        row("5M", "5 months, 1");
        row("3MS", "Quarterly, 4");
        row("Q-DEC", "Quarterly, 4");
        row("YE", "Yearly, 1");
        row("A-DEC", "Yearly, 1");
        for (const char* unknown : {"", "x", "0H", "min15", "2B", "half_monthly", "99999999999999H", "m4"})
            row(unknown, "none");
    }
    void names_of_frequencies() {
        QFETCH(QString, name);
        QFETCH(QString, expected);
        const auto found = frequency_of_name(name.toStdString());
        QCOMPARE(found ? QString::fromStdString(found->name + ", " + std::to_string(found->season))
                       : QString("none"),
                 expected);
    }

    void monash() {
        const std::string series =
            "T1:2020-01-01 00-00-00:1,2,3.5,4\nT2:2020-01-01 10-00-00:-5e0,6, 7 ,8,9\r\n";
        const auto path = tsf(series);
        QVERIFY(is_collection(path));
        QCOMPARE(reader_for(path).name, std::string("tsf"));
        const auto c = read(path, 1);
        QVERIFY(consistent(c, 1));
        QCOMPARE(c.path, path);
        QCOMPARE(c.ids, (std::vector<std::string>{"T1", "T2"}));
        QCOMPARE(c.values, (Values{1, 2, 3.5, -5, 6, 7, 8}));
        QCOMPARE(c.test, (Values{4, 9}));
        QVERIFY(c.frequency == *find_frequency("Hourly"));
        QVERIFY(c.warnings.empty());
        QCOMPARE(c.sha256, dataset_digest(path, ""));
        QCOMPARE(read(path, 1, "Daily").frequency.name, std::string("Daily"));
        for (const int threads : {1, 3}) QVERIFY(read(path, 1, "", threads).values == c.values);
    }

    /// The file's horizon applies where the settings have none; a difference is said.
    void horizon_of_the_file() {
        const auto path = tsf("A:2020-01-01 00-00-00:1,2,3,4,5,6,7\n", "@frequency 10_minutes\n@horizon 3\n");
        const auto c = read(path, 0);
        QCOMPARE(c.horizon, 3);
        QCOMPARE(c.test, (Values{5, 6, 7}));
        QCOMPARE(c.frequency.name, std::string("10 minutes"));
        QCOMPARE(c.frequency.season, 144);
        QCOMPARE(c.frequency.history, 30);
        QVERIFY(c.warnings.empty());
        const auto other = read(path, 2);
        QCOMPARE(other.horizon, 2);
        QCOMPARE(other.warnings.size(), std::size_t{1});
        QCOMPARE(other.warnings[0].text, std::string("the file asks for a horizon of 3, data.horizon is 2"));
        // What nobody demands gives way to short series.
        const auto shorter = read(tsf("A:2020-01-01 00-00-00:1,2,3,4,5\n", "@frequency daily\n"), 0);
        QCOMPARE(shorter.horizon, 2);
        VERIFY_MESSAGE(shorter.warnings.front().text, "a horizon of 14 needs series of 29 values, and");
    }

    void forms_of_monash() {
        // Latin-1, a byte-order mark, an id that is not the first attribute, and none at all.
        const auto latin = read(tsf("Caf\xE9:2020-01-01 00-00-00:1,2,3\n"), 1);
        QCOMPARE(latin.ids.front(), std::string("Café"));
        const auto other = read(file("x.tsf",
                                     "\xEF\xBB\xBF@relation x\n@attribute state string\n"
                                     "@attribute series_name string\n@frequency daily\n@data\n"
                                     "NSW:T1:1,2,3\nVIC:T2:4,5,6\n"),
                                1);
        QCOMPARE(other.ids, (std::vector<std::string>{"T1", "T2"}));
        const auto numbered = read(
            file("x.tsf",
                 "@attribute start_timestamp date\n@frequency daily\n@data\n2020-01-01 00-00-00:1,2,3\n"),
            1);
        QCOMPARE(numbered.ids, (std::vector<std::string>{"T1"}));
        // Missing values at the ends go, those between are filled if the settings say so.
        const auto path = tsf("A:2020-01-01 00-00-00:?,1,?,3,4,?\n");
        QCOMPARE(read_collection(path, {.horizon = 1, .missing = MissingPolicy::interpolate})->values,
                 (Values{1, 2, 3}));
        VERIFY_MESSAGE(refused(path, 1), "x.tsf:9: 1 missing value in series \"A\", between known ones");
    }

    void errors_of_monash() {
        VERIFY_MESSAGE(refused(file("x.tsf", "@relation x\n@frequency daily\n"), 1),
                       "there is no line @data");
        VERIFY_MESSAGE(refused(file("x.tsf", "@relation x\n@data\n1,2\n"), 1), "x.tsf:2: @data without any");
        VERIFY_MESSAGE(refused(file("x.tsf", "@relation x\nT1:1,2\n@data\n"), 1), "x.tsf:2: \"T1:1,2\"");
        VERIFY_MESSAGE(tsf_refused(""), "there are no series behind @data");
        VERIFY_MESSAGE(tsf_refused("T1:1,2,3\n"), "x.tsf:9: the line has 2 fields between colons; expected");
        VERIFY_MESSAGE(tsf_refused("T1:2020-01-01 00-00-00:1,x,3\n"), "x.tsf:9: series \"T1\", value 2:");
        VERIFY_MESSAGE(tsf_refused("T1:2020-01-01 00-00-00:1,inf,3\n"), "value 2: \"inf\" is infinite");
        VERIFY_MESSAGE(tsf_refused("T1:2020-01-01 00-00-00:?,?\n"), "x.tsf:9: series \"T1\" has no values");
        VERIFY_MESSAGE(tsf_refused("T1:2020-01-01 00-00-00:1,2,3\n\nT1:2020-01-01 00-00-00:1,2,3\n"),
                       "x.tsf:11: series \"T1\" occurs twice, first in line 9");
        VERIFY_MESSAGE(tsf_refused("T1:2020-01-01 00-00-00:1,2,3\n", 2), "has 3 values; expected at least 5");
        VERIFY_MESSAGE(refused(tsf("T1:d:1,2,3\n", "@frequency fortnightly\n"), 1),
                       "data.frequency: not set, and @frequency of ");
        VERIFY_MESSAGE(refused(tsf("T1:d:1,2,3\n", "@frequency fortnightly\n"), 1),
                       "is \"fortnightly\"; expected");
        VERIFY_MESSAGE(refused(tsf("T1:d:1,2,3\n", ""), 1), "has no @frequency");
        for (const char* wrong : {"0", "-3", "x", "3.5", "99999999999", ""})
            VERIFY_MESSAGE(
                refused(tsf("T1:d:1,2,3\n", std::string("@horizon ") + wrong + "\n"), 1),
                "x.tsf:5: @horizon \"" + std::string(wrong) + "\"; expected a whole number above 0");
    }

    void json_lines() {
        const std::string text =
            "{\"start\": \"2020-01-01 00:00:00\", \"target\": [1, 2.5, -3e0, 4], \"item_id\": \"A\", "
            "\"freq\": "
            "\"15min\", \"feat_static_cat\": [0]}\n\n"
            "{\"start\": \"2020-01-01\", \"target\": [5, 6, 7], \"item_id\": 17, \"freq\": \"15min\"}\r\n"
            "{\"target\": [8, 9, 10], \"freq\": \"15min\", \"feat_dynamic_real\": [[1, 2, NaN]]}\n";
        const auto path = lines(text);
        QVERIFY(is_collection(path));
        QCOMPARE(reader_for(path).name, std::string("json-lines"));
        const auto c = read(path, 1);
        QVERIFY(consistent(c, 1));
        QCOMPARE(c.ids, (std::vector<std::string>{"A", "17", "4"}));
        QCOMPARE(c.values, (Values{1, 2.5, -3, 5, 6, 8, 9}));
        QCOMPARE(c.test, (Values{4, 7, 10}));
        QCOMPARE(c.frequency.name, std::string("15 minutes"));
        QCOMPARE(c.sha256, sha256_of(text));
        QCOMPARE(c.warnings.size(), std::size_t{1});
        VERIFY_MESSAGE(c.warnings[0].text, "left out: feat_dynamic_real, feat_static_cat; of a line,");
    }

    void missing_values_of_json() {
        const auto path = lines(
            "{\"target\": [null, 1, NaN, 3, \"NaN\", 5, null], \"item_id\": \"NaN \\\" NaN\", \"freq\": "
            "\"D\"}");
        const auto c = *read_collection(path, {.horizon = 1, .missing = MissingPolicy::interpolate});
        QCOMPARE(c.ids.front(), std::string("NaN \" NaN"));
        QCOMPARE(c.values, (Values{1, 2, 3, 4}));
        QCOMPARE(c.test, (Values{5}));
        VERIFY_MESSAGE(refused(path, 1), "x.jsonl:1: 2 missing values in series");
    }

    /// The settings of a run reach the readers.
    void run_settings_reach_the_readers() {
        config::Config config;
        config.data.path = tsf("A:2020-01-01 00-00-00:1,?,3,4\nB:2020-01-01 00-00-00:5,6,7\n").string();
        config.data.lookback = 4;
        config.data.horizon = 1;
        VERIFY_MESSAGE(input_message([&] { (void)prepare_data(config); }), "1 missing value in series \"A\"");
        config.data.missing = "interpolate";
        const auto data = *prepare_data(config);
        QVERIFY(data.collection != nullptr && data.entry == nullptr);
        QCOMPARE(data.name, std::string("x"));
        QCOMPARE(data.plan.test.windows, 2);
        QCOMPARE(data.collection->values, (Values{1, 2, 3, 5, 6}));
        QCOMPARE(dataset_digest(config.data.path, ""), data.table.sha256);
        config.data.columns = {"y"};
        VERIFY_MESSAGE(input_message([&] { (void)prepare_data(config); }), "data.columns");

        config.data.path = file("long.csv",
                                "unique_id;ds;cost;hours\nA;2/1/2020;1,5;10\nA;3/1/2020;2,5;20\n"
                                "A;4/1/2020;3,5;30\nA;5/1/2020;4,5;40\n")
                               .string();
        config.data.columns = {"cost"};
        config.data_csv.date_format = "month-first";
        const auto monthly = *prepare_data(config);
        QCOMPARE(monthly.collection->frequency.name, std::string("Monthly"));
        QCOMPARE(monthly.collection->values, (Values{1.5, 2.5, 3.5}));
        config.data_csv.date_format = "day-first";
        QCOMPARE(prepare_data(config)->collection->frequency.name, std::string("Daily"));
        config.data_csv.decimal = ".";
        VERIFY_MESSAGE(input_message([&] { (void)prepare_data(config); }), "data.columns");
    }

    void errors_of_json() {
        const std::string good = "{\"target\": [1, 2, 3], \"item_id\": \"A\", \"freq\": \"H\"}\n";
        const auto after = [&](const std::string& line) { return refused(lines(good + line), 1); };
        VERIFY_MESSAGE(after("{\"target\": [1, 2"), "x.jsonl:2: the line is not JSON: ");
        VERIFY_MESSAGE(after("[1, 2]"), "x.jsonl:2: the line is no JSON object; expected a JSON object per");
        VERIFY_MESSAGE(after("{\"item_id\": \"B\"}"), "x.jsonl:2: series \"B\" has no array \"target\"");
        VERIFY_MESSAGE(after("{\"target\": 3}"), "series \"2\" has no array \"target\"");
        VERIFY_MESSAGE(after("{\"target\": [1, \"x\"]}"), "x.jsonl:2: series \"2\", target, value 2: \"x\"");
        VERIFY_MESSAGE(after("{\"target\": [[1, 2], [3, 4]]}"), "expected a target of one dimension");
        VERIFY_MESSAGE(after("{\"target\": [], \"freq\": \"H\"}"), "x.jsonl:2: series \"2\" has no values");
        VERIFY_MESSAGE(after(good), "x.jsonl:2: series \"A\" occurs twice, first in line 1");
        VERIFY_MESSAGE(after("{\"target\": [1, 2, 3], \"freq\": \"D\"}"), "x.jsonl:2: series \"2\" has the");
        VERIFY_MESSAGE(refused(lines("{\"target\": [1, 2, 3]}"), 1), "has no freq; expected Yearly,");
        QCOMPARE(refused(lines("{\"target\": [1, 2, 3]}"), 1, "Daily"), std::string());
    }
};

TEST_MAIN_WITHOUT_GUI(TestSeriesFormats)
#include "test_series_formats.moc"
