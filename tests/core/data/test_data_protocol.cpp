// The data protocol of the benchmarks: borders, window counts and few-shot slices (A.1, A.2, A.7), scaler
// (A.3).

#include "core/data/helpers.h"
#include "data/missing.h"
#include "data/scaler.h"
#include "data/split.h"
#include "test_program.h"

using namespace casp;
using namespace casp::data;

namespace {

QString shared(const char* name) { return QString(CASP_SHARED_DATA) + "/" + name; }

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

}  // namespace

class TestDataProtocol : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void window_counts_data() {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<int>("rows");
        QTest::addColumn<QList<int>>("train");  // horizons 96, 192, 336, 720
        QTest::addColumn<QList<int>>("val");
        QTest::addColumn<QList<int>>("test");
        QTest::addColumn<QList<int>>("few");  // train at 10 %
        using L = QList<int>;
        QTest::newRow("ETTh") << "ett-hourly" << 17420 << L{8033, 7937, 7793, 7409}
                              << L{2785, 2689, 2545, 2161} << L{2785, 2689, 2545, 2161}
                              << L{717, 621, 477, 93};
        QTest::newRow("ETTm") << "ett-minutely" << 69680 << L{33953, 33857, 33713, 33329}
                              << L{11425, 11329, 11185, 10801} << L{11425, 11329, 11185, 10801}
                              << L{3309, 3213, 3069, 2685};
        QTest::newRow("Weather") << "ratio" << 52696 << L{36280, 36184, 36040, 35656}
                                 << L{5175, 5079, 4935, 4551} << L{10444, 10348, 10204, 9820}
                                 << L{3542, 3446, 3302, 2918};
        QTest::newRow("Electricity") << "ratio" << 26304 << L{17805, 17709, 17565, 17181}
                                     << L{2537, 2441, 2297, 1913} << L{5165, 5069, 4925, 4541}
                                     << L{1695, 1599, 1455, 1071};
    }
    void window_counts() {
        QFETCH(QString, rule);
        QFETCH(int, rows);
        QFETCH(QList<int>, train);
        QFETCH(QList<int>, val);
        QFETCH(QList<int>, test);
        QFETCH(QList<int>, few);
        const int horizons[] = {96, 192, 336, 720};
        for (int i = 0; i < 4; ++i) {
            const auto split = split_rule({rule.toStdString()});
            SplitPlan plan = plan_split(split, rows, 512, horizons[i]);
            QCOMPARE(plan.train.windows, train[i]);
            QCOMPARE(plan.val.windows, val[i]);
            QCOMPARE(plan.test.windows, test[i]);
            plan = plan_split(split, rows, 512, horizons[i], 10);
            QCOMPARE(plan.train.windows, few[i]);
            QCOMPARE(plan.val.windows, val[i]);
            QCOMPARE(plan.test.windows, test[i]);
            QCOMPARE(plan.scaler_rows, plan.part_rows[0]);  // all train rows, not 10 % of them
        }
    }

    void borders() {
        SplitPlan p = plan_split(split_rule({"ett-hourly"}), 17420, 512, 96);
        QCOMPARE(p.train.begin, 0);
        QCOMPARE(p.train.end, 8640);
        QCOMPARE(p.val.begin, 8128);
        QCOMPARE(p.val.target_begin, 8640);
        QCOMPARE(p.val.end, 11520);
        QCOMPARE(p.test.begin, 11008);
        QCOMPARE(p.test.end, 14400);
        QCOMPARE(p.unused_rows(), 3020);
        p = plan_split(split_rule({"ett-minutely"}), 69680, 512, 96);
        QCOMPARE(p.val.begin, 34048);
        QCOMPARE(p.test.begin, 45568);
        p = plan_split(split_rule({"ratio"}), 52696, 512, 96);
        QCOMPARE(p.train.end, 36887);
        QCOMPARE(p.val.begin, 36375);
        QCOMPARE(p.test.begin, 41645);
        QCOMPARE(p.test.end, 52696);
        p = plan_split(split_rule({"ratio"}), 26304, 512, 96);
        QCOMPARE(p.train.end, 18412);
        QCOMPARE(p.val.begin, 17900);
        QCOMPARE(p.test.begin, 20532);
        // Few-shot: the oldest rows.
        QCOMPARE(plan_split(split_rule({"ett-hourly"}), 17420, 512, 96, 10).train.end, 1324);
        QCOMPARE(plan_split(split_rule({"ett-minutely"}), 69680, 512, 96, 10).train.end, 3916);
        QCOMPARE(plan_split(split_rule({"ratio"}), 52696, 512, 96, 10).train.end, 4149);
        QCOMPARE(plan_split(split_rule({"ratio"}), 26304, 512, 96, 10).train.end, 2302);
    }

    void rules() {
        QCOMPARE(split_rule({"auto"}).rule, std::string("ratio"));
        QCOMPARE(split_rule({"auto"}, "ett-hourly").rule, std::string("ett-hourly"));
        const auto rows = split_rule({"rows", {100, 20, 30}});
        QCOMPARE(split_name(rows), std::string("[100, 20, 30]"));
        const SplitPlan p = plan_split(rows, 160, 10, 5);
        QCOMPARE(p.train.windows, 86);
        QCOMPARE(p.val.windows, 16);
        QCOMPARE(p.test.windows, 26);
        QCOMPARE(p.unused_rows(), 10);
        QCOMPARE(split_name({"fractions", {}, {0.7, 0.1, 0.2}}), std::string("[0.7, 0.1, 0.2]"));
        QCOMPARE(split_name({"dates", {}, {}, {"2018-01-01", "2018-07-01 12:00"}}),
                 std::string("[\"2018-01-01\", \"2018-07-01 12:00\"]"));
        const std::vector<config::SplitSetting> wrong{{"rows", {1, 2, 0}},
                                                      {"rows", {1, -2, 3}},
                                                      {"rations"},
                                                      {""},
                                                      {"fractions", {}, {0.7, 0.2, 0.2}},
                                                      {"fractions", {}, {0.7, 0, 0.3}},
                                                      {"dates", {}, {}, {"2018-01-01", ""}},
                                                      {"ratio", {1, 2, 3}}};
        for (const auto& setting : wrong)
            VERIFY_MESSAGE(input_message([&] { (void)split_rule(setting); }), "data.split");
    }

    void fractions() {
        // As int(n * fraction) in Python; [0.7, 0.1, 0.2] is the ratio rule.
        const auto rows_of = [](std::array<double, 3> f, std::int64_t n) {
            return plan_split(split_rule({"fractions", {}, f}), n, 4, 2).part_rows;
        };
        for (std::int64_t n = 40; n < 400; ++n)
            QCOMPARE(rows_of({0.7, 0.1, 0.2}, n), plan_split(split_rule({"ratio"}), n, 4, 2).part_rows);
        using Rows = std::array<std::int64_t, 3>;
        QCOMPARE(rows_of({0.6, 0.2, 0.2}, 7588), (Rows{4552, 1519, 1517}));
        QCOMPARE(rows_of({0.5, 0.2, 0.2}, 999), (Rows{499, 199, 199}));  // 102 rows are unused
        QCOMPARE(plan_split(split_rule({"fractions", {}, {0.5, 0.2, 0.2}}), 999, 4, 2).unused_rows(), 102);
        VERIFY_MESSAGE(input_message([&] { (void)rows_of({0.98, 0.01, 0.01}, 50); }), "([0.98, 0.01, 0.01])");
    }

    void dates() {
        // Hourly from 2020-01-01; the 5th hour of the 2nd day is missing.
        std::vector<double> time;
        for (int hour = 0; hour < 240; ++hour)
            if (hour != 28) time.push_back(1577836800.0 + 3600.0 * hour);
        const auto n = static_cast<std::int64_t>(time.size());
        const auto plan = [&](const char* val, const char* test) {
            return plan_split(split_rule({"dates", {}, {}, {val, test}}), n, 4, 2, 100, {time});
        };
        const auto refused = [&](const char* val, const char* test) {
            return input_message([&] { (void)plan(val, test); });
        };
        using Rows = std::array<std::int64_t, 3>;
        QCOMPARE(plan("2020-01-03", "2020-01-06").part_rows, (Rows{47, 72, 120}));
        QCOMPARE(plan("2020-01-03", "2020-01-06").test.end, n);
        QCOMPARE(plan("2020-01-03", "2020-01-06").unused_rows(), 0);
        // A date between two rows takes the one after it, also across the missing hour.
        QCOMPARE(plan("2020-01-02 03:30", "2020-01-02T07:59:59").part_rows, (Rows{28, 3, n - 31}));
        QCOMPARE(plan("2020-01-02 04:00", "2020-01-02 08:00").part_rows, (Rows{28, 3, n - 31}));
        VERIFY_MESSAGE(refused("2020-01-06", "2020-01-03"), "validation would begin at row 120 (2020-01-06)");
        VERIFY_MESSAGE(refused("2020-01-03", "2020-01-03"), "then a later one");
        VERIFY_MESSAGE(refused("2020-01-01", "2020-01-03"), "\"2020-01-01\" is not after the first row");
        VERIFY_MESSAGE(refused("2019-01-01", "2020-01-03"), "not after the first row");
        VERIFY_MESSAGE(refused("2020-01-03", "2020-01-11"), "is after the last row");
        VERIFY_MESSAGE(refused("2020-01-03", "2020-01-11"), "after 2020-01-01 00:00:00 and up to 2020-01-10");
        VERIFY_MESSAGE(refused("2020-02-30", "2020-03-01"), "\"2020-02-30\" is no date");
        VERIFY_MESSAGE(refused("2020-01-10 22:00", "2020-01-10 23:00"), "the validation part has 1 row");
        std::swap(time[100], time[101]);
        VERIFY_MESSAGE(refused("2020-01-03", "2020-01-06"), "the time of row 102, 2020-01-05 05:00:00, is");
        time[100] = std::nan("");
        VERIFY_MESSAGE(refused("2020-01-03", "2020-01-06"), "the time of row 101 cannot be read");
        time.clear();
        VERIFY_MESSAGE(refused("2020-01-03", "2020-01-06"), "no time axis");
    }

    void too_few_rows() {
        const auto ratio = split_rule({"ratio"});
        const auto refused = [&](const config::SplitSetting& rule, int n, int l, int h, int percent = 100) {
            return input_message([&] { (void)plan_split(rule, n, l, h, percent); });
        };
        std::string text = refused(ratio, 900, 512, 96);
        VERIFY_MESSAGE(text, "the validation part has 90 rows");
        VERIFY_MESSAGE(text, "longest horizon that fits is 90");
        // What it asks for is enough, and one row less is not.
        VERIFY_MESSAGE(text, "at least 951 rows");
        for (int n = 951; n < 1100; ++n) QVERIFY(refused(ratio, n, 512, 96).empty());
        QVERIFY(!refused(ratio, 950, 512, 96).empty());
        QVERIFY(refused(ratio, 900, 512, 90).empty());
        VERIFY_MESSAGE(refused(ratio, 600, 512, 96), "No horizon fits");
        VERIFY_MESSAGE(refused(split_rule({"ett-hourly"}), 14399, 512, 96), "the file has 14399 rows");
        QVERIFY(refused(split_rule({"ett-hourly"}), 14400, 512, 96).empty());
        VERIFY_MESSAGE(refused(split_rule({"ett-hourly"}), 17420, 512, 96, 1), "at data.percent = 1");
        VERIFY_MESSAGE(refused(ratio, 5000, 0, 96), "data.lookback");
        VERIFY_MESSAGE(refused(ratio, 5000, 512, 0), "data.horizon");
        VERIFY_MESSAGE(refused(ratio, 5000, 512, 96, 101), "data.percent");
        VERIFY_MESSAGE(refused(split_rule({"rows", {1000000000, 1000000000, 9}}), 5000, 512, 96),
                       "5000 rows");
    }

    void dates_of_a_zone() {
        // Hourly in UTC over the end of summer time in Berlin, where 2 o'clock comes twice.
        std::vector<double> time;
        for (int hour = 0; hour < 96; ++hour) time.push_back(1603411200.0 + 3600.0 * hour);  // 2020-10-23
        const LocalTime berlin{0, find_zone("Europe/Berlin")};
        const auto rows = [&](const LocalTime& local) {
            return plan_split(split_rule({"dates", {}, {}, {"2020-10-25", "2020-10-26"}}), 96, 4, 2, 100,
                              {time, local})
                .part_rows;
        };
        using Rows = std::array<std::int64_t, 3>;
        QCOMPARE(rows({}), (Rows{48, 24, 24}));
        QCOMPARE(rows(berlin), (Rows{46, 25, 25}));  // midnight is 22 and 23 o'clock UTC
    }

    void scaler_rules() {
        const Table t = read("a,b,c\n1,0.1,5\n2,0.1,5\n3,0.1,5\n6,0.1,900\n");
        const Scaler s = fit_scaler(t, 3);
        QCOMPARE(s.mean[0], 2.0);
        QVERIFY(close(s.std[0], std::sqrt(2.0 / 3.0)));  // ddof 0
        QCOMPARE(s.std[1], 1.0);
        QCOMPARE(s.std[2], 1.0);  // constant within the rows
        QVERIFY(close(s.mean[1], 0.1));
        // Numerically stable where the mean dwarfs the spread.
        const Table far = read("a,b\n1000000000,1\n1000000001,2\n1000000002,3\n");
        QVERIFY(close(fit_scaler(far, 3).std[0], std::sqrt(2.0 / 3.0)));
        QVERIFY_EXCEPTION_THROWN((void)fit_scaler(t, 5), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)fit_scaler(read("a,b\n1,2\n,3\n4,5\n"), 3), std::invalid_argument);
    }

    void statistics_for_display() {
        std::vector<double> values;
        for (int i = 0; i < 29; ++i) values.push_back(1e6 + i * i);
        const Moments exact = moments(values.data(), values.size());
        const Moments fast = fast_moments(values.data(), values.size());
        QVERIFY(close(fast.mean, exact.mean) && close(fast.std, exact.std));
        QCOMPARE(fast_moments(std::vector(11, 0.1).data(), 11).std, 0.0);
        for (const std::size_t hole : {0, 8, 28}) values[hole] = NAN;
        const auto [least, most] = extremes(values.data(), values.size());
        QCOMPARE(least, 1e6 + 1);
        QCOMPARE(most, 1e6 + 27 * 27);
    }

    /// Expected values: numpy 2.4 mean and std (float64) of the same rows, which exact summation confirms to
    /// the digit.
    void scaler_of_etth1() {
        if (!QFile::exists(shared("ETTh1.csv"))) QSKIP("ETTh1.csv is not here");
        const Table t = import_csv(shared("ETTh1.csv").toStdString());
        QCOMPARE(t.rows(), 17420);
        QCOMPARE(names(t), std::string("HUFL|HULL|MUFL|MULL|LUFL|LULL|OT"));
        QCOMPARE(t.step.seconds, 3600.0);
        QVERIFY(t.warnings.empty());
        const Scaler s = fit_scaler(t, 8640);
        const double mean[] = {7.937742245659508, 2.0210386567335163, 5.079770601157927, 0.7461858799957015,
                               2.781762386375555, 0.7884531235540096, 17.1282616982271};
        const double std[] = {5.812749409143771,  2.0901046504076,    5.518793579036245, 1.926379274132982,
                              1.0235226594952191, 0.6302366362251923, 9.176491024944333};
        for (std::size_t i = 0; i < 7; ++i) {
            QVERIFY(close(s.mean[i], mean[i]));
            QVERIFY(close(s.std[i], std[i]));
        }
    }

    void weather() {
        if (!QFile::exists(shared("weather.csv"))) QSKIP("weather.csv is not here");
        const Table t = import_csv(shared("weather.csv").toStdString());
        QCOMPARE(t.rows(), 52696);
        QCOMPARE(t.columns.size(), std::size_t(21));
        QCOMPARE(t.columns.back().name, std::string("OT"));
        QCOMPARE(t.format.line_ending, std::string("CRLF"));
        QCOMPARE(t.step.seconds, 600.0);
        const auto duplicate = of_kind(t, WarningKind::duplicate_time);
        QCOMPARE(duplicate.size(), std::size_t(1));
        VERIFY_MESSAGE(duplicate[0].text, "2020-05-12 06:00:00");
        const auto gap = of_kind(t, WarningKind::gap);
        QCOMPARE(gap.size(), std::size_t(1));
        VERIFY_MESSAGE(gap[0].text, "2020-05-29 09:30:00 to 2020-05-29 11:10:00");
        const auto sentinel = of_kind(t, WarningKind::sentinel);
        QCOMPARE(sentinel.size(), std::size_t(3));
        QCOMPARE(sentinel[0].count, 1);
        QCOMPARE(sentinel[1].count, 30);
        QCOMPARE(sentinel[2].count, 50);
        QCOMPARE(sentinel[2].column, std::string("OT"));
        QCOMPARE(sentinel[0].line, 7247);  // row 7245, header and counting from 1

        const Scaler s = fit_scaler(t, 36887);
        QVERIFY(close(s.mean[20], 411.0543416379754));
        QVERIFY(close(s.std[20], 383.9570979658789));
        QVERIFY(close(s.mean[11], 1.9474169761704665));
        QVERIFY(close(s.std[11], 52.09941335817867));
        QVERIFY(close(s.std[18], 643.3526922078195));
        QVERIFY(close(s.std[0], 8.630709833546048));

        CleaningOptions options;
        options.missing = MissingPolicy::keep;
        const auto policy = of_kind(apply_missing_policy(t, options, 36887), WarningKind::policy);
        QCOMPARE(policy.size(), std::size_t(3));
        VERIFY_MESSAGE(policy[2].text, "383.96 with and 18.182 without");
        options.missing = MissingPolicy::interpolate;
        options.sentinels = {-9999};
        const Table clean = apply_missing_policy(t, options, 36887);
        QVERIFY(close(fit_scaler(clean, 36887).std[0], 8.630709833546048));
        QVERIFY(fit_scaler(clean, 36887).std[20] < 19);
    }
};

TEST_MAIN_WITHOUT_GUI(TestDataProtocol)
#include "test_data_protocol.moc"
