// The registry of readers, and [data.csv] as options of the CSV reader.

#include <cmath>
#include <filesystem>
#include <fstream>

#include <QTemporaryDir>

#include "config/options.h"
#include "core/data/helpers.h"
#include "data/csv_settings.h"
#include "data/prepared.h"
#include "data/preset_data.h"
#include "data/reader.h"
#include "test_program.h"

using namespace casp;
using namespace casp::data;

class TestReader : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

    [[nodiscard]] std::filesystem::path write(const char* name, const std::string& bytes) const {
        const auto path = std::filesystem::path(folder_.path().toStdString()) / name;
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }

    /// Squares, and five times the number of the row.
    static std::string series_text(int rows) {
        std::string text = "a,b\n";
        for (int row = 0; row < rows; ++row)
            text += std::to_string(row * row) + "," + std::to_string(5 * row) + "\n";
        return text;
    }
    static config::Config run_on(const std::filesystem::path& path) {
        config::Config config;
        config.data.path = path.string();
        config.data.lookback = 24;
        config.data.horizon = 12;
        config.data_csv.row_numbers = "channel";
        return config;
    }

private Q_SLOTS:
    void readers_are_complete() {
        QVERIFY(!readers().empty());
        for (const auto& reader : readers()) {
            QVERIFY(!reader.name.empty() && !reader.title.empty());
            QVERIFY(reader.recognises != nullptr);
            QVERIFY((reader.read == nullptr) != (reader.read_series == nullptr));
        }
        QCOMPARE(readers().back().name, std::string("csv"));
        QCOMPARE(readable_files(), std::string("a file of these kinds: Monash .tsf, JSON lines, CSV"));
    }

    void content_decides() {
        QCOMPARE(reader_for(write("x.csv", "a,b\n1,2\n")).name, std::string("csv"));
        QCOMPARE(reader_for(write("x.unknown", "a,b\n1,2\n")).name, std::string("csv"));
        QCOMPARE(read_table(write("y.txt", "a;b\n1;2\n"))->columns.size(), std::size_t{2});
        QCOMPARE(reader_for(write("a.txt", "@relation x\n")).name, std::string("tsf"));
        QCOMPARE(reader_for(write("b.txt", "{\"start\": 1, \"target\": [1]}\n")).name,
                 std::string("json-lines"));
        QCOMPARE(reader_for(write("c.txt", "item_id,timestamp,target\n")).name, std::string("long-csv"));
        VERIFY_MESSAGE(input_message([&] { (void)read_table(write("d.csv", "@relation x\n")); }),
                       "d.csv: this is a collection of series (Monash .tsf); expected a table");
        const auto zip = write("sheet.csv", std::string("PK\x03\x04") + std::string(1000, 'x'));
        VERIFY_MESSAGE(input_message([&] { (void)read_table(zip); }),
                       "sheet.csv: the zip file is damaged or");
        const auto array = write("x.npy", "\x93NUMPY and so on");
        VERIFY_MESSAGE(input_message([&] { (void)read_table(array); }), "x.npy: this is a NumPy array");
    }

    /// The reader says what is wrong with a file that cannot be opened, or that is empty.
    void no_content() {
        VERIFY_MESSAGE(input_message([] { (void)read_table("/nowhere/x.csv"); }), "there is no such file");
        VERIFY_MESSAGE(input_message([&] { (void)read_table(folder_.path().toStdString()); }),
                       "this is a folder; expected a CSV file");
        const auto empty = write("empty.csv", "");
        VERIFY_MESSAGE(input_message([&] { (void)read_table(empty); }), "the file is empty");
    }

    void settings_become_options() {
        config::Config config;
        const auto none = csv_options(config);
        QVERIFY(!none.delimiter && !none.decimal && !none.quote && !none.header && !none.encoding);
        QVERIFY(!none.time_columns && none.time_style == TimeStyle::automatic);
        auto& csv = config.data_csv;
        csv.delimiter = "tab";
        csv.decimal = ",";
        csv.thousands = ".";
        csv.quote = "none";
        csv.header = "no";
        csv.first_line = 3;
        csv.header_lines = 2;
        csv.unit_lines = 0;
        csv.footer_lines = 4;
        csv.comment = "%";
        csv.encoding = "Latin-1";
        csv.missing = {"Bad Input"};
        csv.time_column = "Tag";
        csv.clock_column = "Uhr";
        csv.date_format = "month-first";
        csv.hours = "ending";
        csv.time_zone = "Europe/Berlin";
        csv.order = "newest-first";
        csv.row_numbers = "channel";
        config.run.threads = 3;
        const auto all = csv_options(config);
        QVERIFY(all.delimiter == '\t' && all.decimal == ',' && all.quote == '\0' && all.header == false);
        QVERIFY(all.encoding == "Latin-1" && all.time_style == TimeStyle::month_first);
        QVERIFY(all.time_columns == (std::vector<std::string>{"Tag", "Uhr"}));
        QVERIFY(all.thousands == '.' && all.first_line == 3 && all.header_lines == 2 && all.unit_lines == 0);
        QVERIFY(all.footer_lines == 4 && all.comment == "%" && all.hour_ending == true &&
                all.newest_first == true);
        QVERIFY(all.missing == std::vector<std::string>{"Bad Input"} && all.time_zone == "Europe/Berlin");
        QVERIFY(all.keep_row_numbers);
        QCOMPARE(all.threads, 3);
        config.data_csv = {};
        config.data_csv.time_column = "year, month, day";
        QVERIFY(csv_options(config).time_columns == (std::vector<std::string>{"year", "month", "day"}));
        config.data_csv.time_column = "none";
        QVERIFY(csv_options(config).time_columns == std::vector<std::string>{});
    }

    /// Every choice of a setting means something else.
    void every_choice_counts() {
        for (const auto& option : config::options()) {
            if (option.section != "data.csv") continue;
            for (const auto& choice : option.limits.choices) {
                config::Config config;
                config::set(config, option.key, choice);
                const bool is_default = config.data_csv == config::Config::DataCsv{};
                QVERIFY2((csv_options(config) == CsvOptions{}) == is_default,
                         (option.key + " = " + choice).c_str());
            }
        }
    }

    /// The settings decide the time column and the order of day and month.
    void a_run_reads_with_its_settings() {
        std::string text = "when,other,x\n";
        for (int day = 1; day <= 12; ++day)
            for (int hour = 0; hour < 24; ++hour)
                text += std::to_string(day) + "/3/2020 " + std::to_string(hour) + ":00,2019-01-01 00:00," +
                        std::to_string(day * hour) + "\n";
        config::Config config;
        config.data.path = write("dates.csv", text).string();
        config.data.lookback = 24;
        config.data.horizon = 12;
        config.data_csv.time_column = "when";
        config.data_csv.date_format = "month-first";
        const auto month_first = prepare_data(config)->table;
        QCOMPARE(month_first.format.time_format, std::string("month/day/year"));
        QCOMPARE(month_first.format.time_columns, (std::vector<std::string>{"when"}));
        config.data_csv.date_format = "day-first";
        QCOMPARE(prepare_data(config)->table.step.seconds, 3600.0);
        config.data_csv.time_column = "none";
        QVERIFY(prepare_data(config)->table.time.empty());
        config.data_csv.time_column = "when?";
        VERIFY_MESSAGE(input_message([&] { (void)prepare_data(config); }), "when?");
    }

    /// Whoever asks for a file that is open shares its values, until it changes.
    void a_file_is_read_once() {
        const auto path = write("once.csv", series_text(400));
        const auto config = run_on(path);
        auto options = csv_options(config);
        const auto before = data_sets_read();
        const auto table = read_table(path, options);
        options.threads = 2;
        QVERIFY(read_table(path, options) == table);
        const auto prepared = prepare_data(config);
        QVERIFY(prepare_data(config) == prepared);
        QVERIFY(prepared->source == table);
        QVERIFY(prepared->table.columns[0].values.shares_with(table->columns[0].values));
        auto longer = config;
        longer.data.horizon += 1;
        QVERIFY(prepare_data(longer) != prepared);
        QCOMPARE(read_facts(config, {}).sha256, table->sha256);
        QCOMPARE(data_sets_read() - before, 1);
        options.header = false;
        QVERIFY(read_table(path, options) != table);
        QCOMPARE(data_sets_read() - before, 2);
    }

    /// Also a change that leaves size and times as they are, because it follows at once.
    void a_changed_file_is_read_again() {
        const auto path = write("changed.csv", "a,b\n1,2\n");
        const auto first = read_table(path);
        (void)write("changed.csv", "a,b\n1,3\n");
        QCOMPARE(read_table(path)->columns[1].values[0], 3.0);
        QCOMPARE(first->columns[1].values[0], 2.0);
        const auto other = write("other.csv", "a,b\n1,4\n");
        std::filesystem::rename(other, path);
        QCOMPARE(read_table(path)->columns[1].values[0], 4.0);
        std::filesystem::remove(path);
        VERIFY_MESSAGE(input_message([&] { (void)read_table(path); }), "there is no such file");
    }

    /// What a run changes is its own: here a missing value is filled.
    void filling_does_not_change_the_cached_table() {
        auto text = series_text(400);
        text.replace(text.find(",25\n"), 4, ",\n");
        const auto path = write("hole.csv", text);
        auto config = run_on(path);
        config.data.missing = "interpolate";
        const auto prepared = prepare_data(config);
        const auto table = read_table(path, csv_options(config));
        QCOMPARE(table->columns[1].missing, 1);
        QVERIFY(std::isnan(table->columns[1].values[5]) && prepared->table.columns[1].values[5] == 25);
        QVERIFY(prepared->table.columns[0].values.shares_with(table->columns[0].values));
        QVERIFY(prepared->source == nullptr);
    }
};

TEST_MAIN_WITHOUT_GUI(TestReader)
#include "test_reader.moc"
