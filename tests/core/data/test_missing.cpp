// Policies for missing cells and sentinels.

#include <algorithm>
#include <cmath>

#include "core/data/helpers.h"
#include "data/missing.h"
#include "data/table_checks.h"
#include "test_program.h"

using namespace casp;
using namespace casp::data;

namespace {
const char* const holes =
    "d,a,b,c\n2020-01-01,,1,5\n2020-01-02,2,2,6\n2020-01-03,,3,7\n2020-01-04,NA,4,8\n"
    "2020-01-05,8,5,9\n2020-01-06,,6,1\n";
}

class TestMissing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void error_names_everything() {
        const std::string text = input_message([] { (void)apply_missing_policy(read(holes), {}); });
        VERIFY_MESSAGE(text, "column \"a\" has 4 cells without a value, the first on line 2");
        for (const char* other : {"interpolate", "drop-column", "keep"}) VERIFY_MESSAGE(text, other);
        const Table t = apply_missing_policy(read("a,b\n1,2\n3,4\n"), {});
        QVERIFY(t.warnings.empty());
        QCOMPARE(names(t), std::string("a|b"));
    }

    void drop_column() {
        CleaningOptions options;
        options.missing = MissingPolicy::drop_column;
        const Table t = apply_missing_policy(read(holes), options);
        QCOMPARE(names(t), std::string("b|c"));
        QCOMPARE(of_kind(t, WarningKind::policy).at(0).count, 4);
        const Table second = apply_missing_policy(read("a,b\n1,2\n3,\n5,6\n"), options);
        QCOMPARE(of_kind(second, WarningKind::policy).at(0).line, 3);
        VERIFY_MESSAGE(
            input_message([&] { (void)apply_missing_policy(read("a,b\n1,\n,2\n3,4\n"), options); }),
            "left none");
    }

    void interpolate() {
        CleaningOptions options;
        options.missing = MissingPolicy::interpolate;
        const Table t = apply_missing_policy(read(holes), options);
        QVERIFY(same(t.columns[0].values, {2, 2, 4, 6, 8, 8}));
        QCOMPARE(t.columns[0].missing, 0);
        VERIFY_MESSAGE(of_kind(t, WarningKind::policy).at(0).text, "at most 2 in a row");
        // Neighbours of opposite sign near the largest number must not overflow.
        const Table huge = apply_missing_policy(read("a,b\n1.7e308,1\n,2\n-1.7e308,3\n"), options);
        QCOMPARE(huge.columns[0].values[1], 0.0);
    }

    /// A run is told about the channels it has, and not again what its settings say already.
    void warnings_cover_only_the_runs_channels() {
        std::string text = "a,b\n";
        for (int i = 0; i < 400; ++i) {
            const std::string cell = i % 50 == 7 ? "-9999" : std::to_string(i % 13);
            text.append(cell).append(",").append(cell).append("\n");
        }
        const Table table = read(text);
        QCOMPARE(of_kind(table, WarningKind::sentinel).size(), std::size_t{2});
        CleaningOptions options;
        options.missing = MissingPolicy::interpolate;
        options.columns = {"b"};
        auto t = apply_missing_policy(table, options);
        QCOMPARE(of_kind(t, WarningKind::sentinel).size(), std::size_t{1});
        QCOMPARE(of_kind(t, WarningKind::sentinel)[0].column, std::string("b"));
        options.sentinels = {-9999};
        t = apply_missing_policy(table, options);
        QCOMPARE(of_kind(t, WarningKind::sentinel).size(), std::size_t{0});
        VERIFY_MESSAGE(of_kind(t, WarningKind::policy).at(0).text, "counted as missing");
        QVERIFY(std::all_of(t.warnings.begin(), t.warnings.end(),
                            [](const Warning& warning) { return warning.column == "b"; }));
    }

    /// Channels that begin to vary after the rows that fit the scaler, and others that only seem to.
    void channels_constant_in_training_are_reported() {
        std::string text = "constant,later,quiet,steady,spike,varies\n";
        for (int i = 0; i < 30'000; ++i) {
            const bool trains = i < 20'000;
            const auto wave = std::to_string(std::sin(i * 0.1));
            const std::string quiet = trains ? std::to_string(0.001 * (i % 3)) : wave;
            const std::string spike = i == 5 ? "1e6" : wave;
            text += "0.1," + (trains ? "0.1" : wave) + "," + quiet + ",1," + spike + "," + wave + "\n";
        }
        Table t = read(text);
        t.warnings.clear();
        check_training_rows(t, 20'000);
        QCOMPARE(of_kind(t, WarningKind::asleep).size(), std::size_t{2});
        QCOMPARE(t.warnings[0].column, std::string("later"));
        VERIFY_MESSAGE(t.warnings[0].text, "is constant in the 20000 training rows and varies later");
        QCOMPARE(t.warnings[1].column, std::string("quiet"));
        VERIFY_MESSAGE(t.warnings[1].text, "by up to 1226 of their deviations");
        t.warnings.clear();
        check_training_rows(t, 30'000);
        QVERIFY(t.warnings.empty());
    }

    void keep_refuses_holes() {
        CleaningOptions options;
        options.missing = MissingPolicy::keep;
        VERIFY_MESSAGE(input_message([&] { (void)apply_missing_policy(read(holes), options); }),
                       "needs a number in every cell");
    }

    void sentinels() {
        std::string text = "a,b\n";
        for (int i = 0; i < 100; ++i)
            text +=
                std::string(i == 40 ? "-9999" : std::to_string(i % 10)) + "," + std::to_string(i % 7) + "\n";
        CleaningOptions options;
        options.missing = MissingPolicy::keep;
        Table t = apply_missing_policy(read(text), options, 50);
        QCOMPARE(t.columns[0].values[40], -9999.0);
        auto policy = of_kind(t, WarningKind::policy);
        QCOMPARE(policy.size(), std::size_t(1));
        QCOMPARE(policy[0].line, 42);
        // Python: population std of the first 50 values 1400.51, without the sentinel 2.82779
        VERIFY_MESSAGE(policy[0].text, "50 rows of the scaler is 1400.5 with and 2.8278 without it");

        options.missing = MissingPolicy::error;  // found, but not listed: kept with a hint
        t = apply_missing_policy(read(text), options, 50);
        VERIFY_MESSAGE(of_kind(t, WarningKind::policy).at(0).text, "List it in data.sentinels");

        options.sentinels = {-9999};
        VERIFY_MESSAGE(input_message([&] { (void)apply_missing_policy(read(text), options); }), "on line 42");
        options.missing = MissingPolicy::interpolate;
        t = apply_missing_policy(read(text), options);
        QCOMPARE(t.columns[0].values[40], 5.0);  // between 9 and 1
        options.sentinels = {-1};
        t = apply_missing_policy(read(text), options);
        VERIFY_MESSAGE(of_kind(t, WarningKind::policy).at(0).text, "-1 of data.sentinels does not occur");
    }

    void columns() {
        CleaningOptions options;
        options.columns = {"c", "b"};
        QCOMPARE(names(apply_missing_policy(read(holes), options)), std::string("b|c"));  // order of the file
        options.columns = {"bb"};
        VERIFY_MESSAGE(input_message([&] { (void)apply_missing_policy(read(holes), options); }),
                       "nearest name is \"b\"");
    }

    void names_of_policies() {
        QVERIFY(parse_missing_policy("error") == MissingPolicy::error);
        QVERIFY(parse_missing_policy("drop-column") == MissingPolicy::drop_column);
        QVERIFY(parse_missing_policy("interpolate") == MissingPolicy::interpolate);
        QVERIFY(parse_missing_policy("keep") == MissingPolicy::keep);
        VERIFY_MESSAGE(input_message([] { (void)parse_missing_policy("interpolat"); }), "\"interpolate\"");
    }
};

TEST_MAIN_WITHOUT_GUI(TestMissing)
#include "test_missing.moc"
