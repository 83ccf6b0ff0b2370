// Labels of windows and strata by them: against ruptures, pandas and numpy (tests/oracle/make_strata.py), the
// enumeration of all segmentations of short series, and cases worked out by hand.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <QElapsedTimer>
#include <QtTest>

#include "analysis/strata.h"
#include "analysis/window_labels.h"
#include "analysis_test.h"
#include "core/analysis/analysis_golden.h"
#include "model/decompose_row.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using analysis::ChangeTreatment;
using casp::test::farthest;
using Numbers = std::vector<std::int64_t>;
using Doubles = std::vector<double>;
using Floats = std::vector<float>;

namespace {

double squares(const Doubles& x, std::size_t from, std::size_t to) {
    double mean = 0, sum = 0;
    for (auto i = from; i < to; ++i) mean += x[i] / static_cast<double>(to - from);
    for (auto i = from; i < to; ++i) sum += (x[i] - mean) * (x[i] - mean);
    return sum;
}

/// Cost of a segmentation, with the penalty of each change point.
double cost(const Doubles& x, const Numbers& points, double penalty) {
    double sum = penalty * static_cast<double>(points.size());
    std::size_t from = 0;
    for (const auto point : points) {
        sum += squares(x, from, static_cast<std::size_t>(point));
        from = static_cast<std::size_t>(point);
    }
    return sum + squares(x, from, x.size());
}

bool is_allowed(const Numbers& points, std::int64_t size, std::int64_t shortest) {
    std::int64_t from = 0;
    for (const auto point : points) {
        if (point - from < shortest) return false;
        from = point;
    }
    return size - from >= shortest;
}

/// Least cost over all segmentations.
double min_cost(const Doubles& x, double penalty, std::int64_t shortest) {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t chosen = 0; chosen < 1U << (x.size() - 1); ++chosen) {
        Numbers points;
        for (std::size_t i = 1; i < x.size(); ++i)
            if ((chosen >> (i - 1) & 1U) != 0) points.push_back(static_cast<std::int64_t>(i));
        if (is_allowed(points, std::ssize(x), shortest)) least = std::min(least, cost(x, points, penalty));
    }
    return least;
}

/// Windows of one length of a series with all its channels.
struct Windows {
    Floats series;
    std::int64_t series_channels = 1, length = 0;
    Numbers start, channels;
    [[nodiscard]] analysis::LookBacks look_backs() const {
        return {series, series_channels, start, channels, length};
    }
};

constexpr double tau = 2 * std::numbers::pi;

/// One channel of 48 values, all in one window.
template <class Value>
Windows one_window(Value value) {
    Windows w{{}, 1, 48, {0}, {0}};
    for (int i = 0; i < 48; ++i) w.series.push_back(static_cast<float>(value(i)));
    return w;
}

}  // namespace

class TestWindowLabels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void change_points_agree_with_ruptures() {
        const auto steps = golden_.doubles("steps"), cases = golden_.doubles("steps.cases");
        const auto counts = golden_.get<std::int64_t>("steps.counts"),
                   all = golden_.get<std::int64_t>("steps.points");
        auto next = all.begin();
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const Numbers expected(next, next + counts[i]);
            next += counts[i];
            QCOMPARE(analysis::change_points(steps, cases[2 * i], std::llround(cases[2 * i + 1])), expected);
        }
        QVERIFY(next == all.end() && counts.front() > 3 && counts.back() == 0);
    }

    void change_points_are_optimal() {
        std::mt19937_64 random(5);
        std::normal_distribution<double> normal;
        for (int round = 0; round < 60; ++round) {
            Doubles x(static_cast<std::size_t>(8 + round % 5));
            for (auto& value : x) value = normal(random) + (&value - x.data() > 4 ? 2 : 0);
            for (const double penalty : {0.0, 0.3, 1.0, 3.0})
                for (const std::int64_t shortest : {1, 2, 3, 4}) {
                    const auto points = analysis::change_points(x, penalty, shortest);
                    QVERIFY(is_allowed(points, std::ssize(x), shortest));
                    const double least = min_cost(x, penalty, shortest);
                    QVERIFY2(cost(x, points, penalty) < least + 1e-9,
                             qPrintable(QString("round %1, penalty %2, segments from %3")
                                            .arg(QString::number(round), QString::number(penalty),
                                                 QString::number(shortest))));
                }
        }
    }

    void change_points_by_hand() {
        const Doubles step{0, 0, 0, 5, 5, 5};
        QCOMPARE(analysis::change_points(step, 1, 2), Numbers{3});
        QCOMPARE(analysis::change_points(step, 1, 3), Numbers{3});
        QCOMPARE(analysis::change_points(step, 1, 4), Numbers{});
        // The step lowers the cost by 6 · 2.5² = 37.5.
        QCOMPARE(analysis::change_points(step, 37.4, 1), Numbers{3});
        QCOMPARE(analysis::change_points(step, 37.6, 1), Numbers{});
        // A large offset takes no digits from the sums.
        Doubles far = step;
        for (auto& value : far) value += 1e8;
        QCOMPARE(analysis::change_points(far, 37.4, 1), Numbers{3});
        QCOMPARE(analysis::change_points({}, 1, 1), Numbers{});
        for (const double penalty : {-1.0, std::nan(""), double{INFINITY}})
            QVERIFY_EXCEPTION_THROWN((void)analysis::change_points(step, penalty, 1), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::change_points(step, 1, 0), std::invalid_argument);
        far[2] = std::nan("");
        QVERIFY_EXCEPTION_THROWN((void)analysis::change_points(far, 1, 1), std::invalid_argument);
    }

    void labels_agree_with_the_oracle_data() { test::name_rows("set", {"short", "long"}); }

    void labels_agree_with_the_oracle() {
        QFETCH(QString, set);
        const auto of = [&](const char* name) { return set.toStdString() + "." + name; };
        const auto shape = golden_.get<std::int64_t>(of("shape"));
        const Windows w{
            golden_.floats("series"), 3, shape[0], golden_.get<std::int64_t>(of("start")), {0, 1, 2}};
        const auto average = golden_.doubles(of("average")), all = golden_.doubles(of("union"));
        for (std::size_t i = 0; i < analysis::penalty_factors.size(); ++i) {
            const auto row = [&](const Doubles& values) {
                const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * w.start.size());
                return Doubles(first, first + std::ssize(w.start));
            };
            const double factor = analysis::penalty_factors[i];
            QCOMPARE(
                analysis::trend_changes(w.look_backs(), {shape[1], ChangeTreatment::channel_average, factor}),
                row(average));
            QCOMPARE(
                analysis::trend_changes(w.look_backs(), {shape[1], ChangeTreatment::channel_union, factor}),
                row(all));
        }
        QVERIFY(farthest(analysis::trend_strengths(w.look_backs(), shape[1], 12),
                         golden_.doubles(of("strength"))) < 1e-10);
        QVERIFY(farthest(analysis::low_frequency_shares(w.look_backs(), 24), golden_.doubles(of("low"))) <
                1e-10);
    }

    /// By the decomposition, which is tested against pandas; the scale of a window has no effect.
    void normalised_residuals_have_no_scale() {
        constexpr std::int64_t length = 48;
        const auto value = [](int i) { return std::sin(0.7 * i) + 0.3 * std::sin(0.11 * i * i); };
        const auto one = one_window([&](int i) { return value(i); });
        const auto large = one_window([&](int i) { return 50 * value(i) - 7; });
        const auto label = [](const Windows& w) {
            return analysis::normalised_residuals(w.look_backs(), 9, 12).front();
        };
        std::vector<double> x(length), trend(length), seasonal(length), rest(length);
        double mean = 0, variance = 0, sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(one.series[i]);
        for (const double v : x) mean += v / length;
        for (const double v : x) variance += (v - mean) * (v - mean) / length;
        model::RowDecomposition(length, 9, 12).parts(x.data(), trend.data(), seasonal.data(), rest.data());
        for (const double v : rest) sum += std::abs(v) / length;
        QVERIFY(std::abs(label(one) - sum / std::sqrt(variance + 1e-5)) < 1e-12);
        QVERIFY(std::abs(label(one) - label(large)) < 1e-4 * label(one));
        QCOMPARE(label(one_window([](int) { return 0.7; })), 0.0);
    }

    void trend_changes_by_hand() {
        // Steps at 20 and 25.
        Windows w{{}, 2, 40, {0}, {0, 1}};
        for (int i = 0; i < 40; ++i) {
            w.series.push_back(i < 20 ? 0.0F : 4.0F);
            w.series.push_back(i < 25 ? 4.0F : 0.0F);
        }
        const auto changes = [&](ChangeTreatment treatment, std::int64_t trend_length) {
            return analysis::trend_changes(w.look_backs(), {trend_length, treatment, 2}).front();
        };
        QCOMPARE(changes(ChangeTreatment::channel_union, 1), 2.0);
        QCOMPARE(changes(ChangeTreatment::channel_average, 1), 2.0);
        // Opposite steps at the same place: none is left in the average.
        for (std::size_t i = 0; i < 40; ++i) w.series[2 * i + 1] = 4 - w.series[2 * i];
        QCOMPARE(changes(ChangeTreatment::channel_union, 1), 1.0);
        QCOMPARE(changes(ChangeTreatment::channel_average, 1), 0.0);
        // A trend longer than the look-back counts as long as that: constant.
        QCOMPARE(changes(ChangeTreatment::channel_union, 1000), 0.0);
    }

    void strength_and_share_by_hand() {
        const auto strength = [](const Windows& w) {
            return analysis::trend_strengths(w.look_backs(), 8, 6).front();
        };
        const auto low = [](const Windows& w) {
            return analysis::low_frequency_shares(w.look_backs(), 12).front();
        };
        const auto constant = one_window([](int) { return 0.7; });
        QCOMPARE(strength(constant), 0.0);
        QCOMPARE(low(constant), 0.0);
        QVERIFY(strength(one_window([](int i) { return 0.1 * i; })) > 0.98);
        // Alternation is all season.
        QCOMPARE(strength(one_window([](int i) { return i % 2 == 0 ? 1 : -1; })), 0.0);
        // Periods of 24, 12 and 2 rows: only the first is longer than the cutoff of 12; the mean counts
        // nowhere.
        QVERIFY(std::abs(low(one_window([](int i) { return 5 + std::sin(tau * i / 24); })) - 1) < 1e-6);
        QVERIFY(low(one_window([](int i) { return 5 + std::sin(tau * i / 12); })) < 1e-6);
        QVERIFY(low(one_window([](int i) { return i % 2 == 0 ? 1 : -1; })) < 1e-6);
        // Amplitudes 1 and 2: a fifth of the power.
        QVERIFY(std::abs(low(one_window(
                             [](int i) { return std::sin(tau * i / 24) + 2 * std::cos(tau * i / 6); })) -
                         0.2) < 1e-6);
        // A look-back shorter than the cutoff has no longer period.
        QCOMPARE(analysis::low_frequency_shares(one_window([](int i) { return i; }).look_backs(), 48).front(),
                 0.0);
    }

    void labels_never_see_the_target() {
        Windows w{golden_.floats("series"), 3, 192, {100, 400}, {0, 1, 2}};
        const auto labels = [&] {
            const auto of = w.look_backs();
            return std::vector{analysis::trend_changes(of, {24, ChangeTreatment::channel_average, 1}),
                               analysis::trend_changes(of, {24, ChangeTreatment::channel_union, 1}),
                               analysis::trend_strengths(of, 24, 12), analysis::low_frequency_shares(of, 24)};
        };
        const auto before = labels();
        // Everything outside the look-backs, hence both targets.
        const auto rows = std::ssize(w.series) / 3;
        for (std::int64_t row = 0; row < rows; ++row) {
            if ((row >= 100 && row < 292) || (row >= 400 && row < 592)) continue;
            for (std::int64_t c = 0; c < 3; ++c) w.series[static_cast<std::size_t>(3 * row + c)] = 1000.0F;
        }
        QVERIFY(labels() == before);
        // The last value of a look-back counts.
        w.series[3 * 291] += 50;
        const auto after = labels();
        for (std::size_t i = 2; i < before.size(); ++i)
            QVERIFY(after[i][0] != before[i][0] && after[i][1] == before[i][1]);
    }

    void progress_and_refusals() {
        Windows w{Floats(30000, 0.5F), 3, 20, {}, {0, 2}};
        for (std::int64_t i = 0; i < 9000; ++i) w.start.push_back(i);
        Progress last;
        int reports = 0;
        const auto labels = analysis::low_frequency_shares(w.look_backs(), 4, {}, [&](const Progress& p) {
            last = p;
            ++reports;
        });
        QVERIFY(labels == Doubles(9000, 0.0));
        QVERIFY(reports > 3 && last.stage == Stage::labelling_windows && last.done == 18000 &&
                last.total == 18000);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN((void)analysis::trend_strengths(w.look_backs(), 3, 3, stop.get_token()),
                                 Cancelled);
        const auto refused = [&] {
            QVERIFY_EXCEPTION_THROWN((void)analysis::trend_changes(w.look_backs(), {}),
                                     std::invalid_argument);
        };
        w.start = {9981};  // the last is 9980
        refused();
        w.start = {-1};
        refused();
        w.start = {0};
        w.channels = {3};
        refused();
        w.channels = {0};
        QVERIFY_EXCEPTION_THROWN((void)analysis::trend_changes(w.look_backs(), {0}), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::trend_strengths(w.look_backs(), 3, 0),
                                 std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::low_frequency_shares(w.look_backs(), 1),
                                 std::invalid_argument);
    }

    // As many as ETTh1 has in its test split. The bound is for a loaded machine and sanitizers.
    void many_windows_take_seconds() {
        Windows w{{}, 7, 512, {}, {0, 1, 2, 3, 4, 5, 6}};
        std::mt19937_64 random(3);
        std::normal_distribution<double> normal;
        double level = 0;
        for (int row = 0; row < 3400; ++row) {
            level = 0.995 * level + 0.1 * normal(random);
            for (int c = 0; c < 7; ++c)
                w.series.push_back(
                    static_cast<float>(level + std::sin(tau * row / 24) + 0.3 * normal(random)));
        }
        for (std::int64_t i = 0; i < 2785; ++i) w.start.push_back(i);
        QElapsedTimer timer, total;
        timer.start();
        total.start();
        const auto report = [&](const char* what) { qInfo("%s: %lld ms", what, timer.restart()); };
        (void)analysis::trend_changes(w.look_backs(), {96, ChangeTreatment::channel_average});
        report("trend change, channel average");
        (void)analysis::trend_changes(w.look_backs(), {96, ChangeTreatment::channel_union});
        report("trend change, union");
        (void)analysis::trend_strengths(w.look_backs(), 96, 96);
        report("trend strength");
        (void)analysis::low_frequency_shares(w.look_backs(), 24);
        report("low-frequency share");
        QVERIFY(total.elapsed() < 300000);
    }

    // A label replaces the residual and nothing else.
    void strata_by_label() {
        const Numbers start{0, 1, 2, 3}, channels{0, 1};
        const Floats residual{1, 1, 4, 4, 2, 2, 3, 3}, mse{1, 3, 2, 2, 4, 4, 8, 8};
        const Doubles label{1, 4, 2, 3}, reversed{4, 3, 2, 1};
        analysis::StrataInput input{start, channels, residual, mse, {}, {}, 0, 0};
        const auto by_residual = analysis::strata_of(input, 2);
        input.label = label;
        input.residual = {};
        const auto by_label = analysis::strata_of(input, 2);
        QVERIFY(by_label.stratum_of == by_residual.stratum_of && by_label.edges == by_residual.edges);
        input.label = reversed;
        const auto other = analysis::strata_of(input, 2);
        QCOMPARE(other.strata.front().windows, (Numbers{2, 3}));
        QCOMPARE(other.strata.front().mse, 6.0);
        QCOMPARE(other.edges, (Doubles{1, 3, 4}));
        const Doubles same(4, 0.5);
        input.label = same;
        QVERIFY_EXCEPTION_THROWN((void)analysis::strata_of(input, 2), Error);
        input.label = {reversed.data(), 3};
        QVERIFY_EXCEPTION_THROWN((void)analysis::strata_of(input, 2), std::invalid_argument);
    }

    void strata_with_and_without() {
        const Numbers start{0, 1, 2, 3, 4}, channels{0};
        const Floats mse{1, 2, 3, 4, 5}, better{1, 2, 3, 2, 1};
        Doubles label{0, 0, 0, 2, 1};
        const auto input = [&](const Floats& errors) {
            analysis::StrataInput in{start, channels, {}, errors, {}, {}, 0, 0};
            in.label = label;
            in.above_zero = true;
            return in;
        };
        Progress last;
        const auto pair =
            analysis::compare_strata(input(mse), input(better), 10, {}, [&](const Progress& p) { last = p; });
        QVERIFY(last.done == last.total);
        QCOMPARE(pair.strata.strata.size(), std::size_t{2});
        QCOMPARE(pair.strata.strata[1].windows, (Numbers{3, 4}));
        QCOMPARE(pair.easiest.windows, std::int64_t{3});
        QCOMPARE(pair.easiest.relative, 0.0);
        QVERIFY(std::abs(pair.hardest.relative - (1.5 - 4.5) / 4.5) < 1e-12);
        for (const double same : {0.0, 1.0}) {
            label.assign(5, same);
            try {
                (void)analysis::strata_of(input(mse));
                QFAIL("one group was accepted");
            } catch (const Error& error) {
                QCOMPARE(error.kind(), ErrorKind::input);
                QVERIFY2(QString(error.what()).contains("all 5 windows"), error.what());
            }
        }
    }

    void axes_have_names() {
        using analysis::StrataLabel;
        for (const auto& name : analysis::strata_label_names()) {
            const auto axis = analysis::parse_strata_axis(name, "here");
            QCOMPARE(analysis::name_of(axis), axis.above_zero() ? name + ":2" : name);
            QVERIFY(analysis::parse_strata_axis(analysis::name_of(axis), "here") == axis);
        }
        const auto axis = analysis::parse_strata_axis("trend-change-union:0.5", "here");
        QVERIFY(axis.label == StrataLabel::trend_change_union && axis.penalty_factor == 0.5 &&
                axis.above_zero());
        QVERIFY(!analysis::parse_strata_axis("low-frequency", "here").above_zero());
        for (const auto& [text, words] :
             {std::pair{"trend-changes", "trend-change"}, std::pair{"trend-change:3", "penalty \"3\""},
              std::pair{"residual:2", "no penalty"}})
            try {
                (void)analysis::parse_strata_axis(text, "here");
                QFAIL(text);
            } catch (const Error& error) {
                QVERIFY2(QString(error.what()).contains(words), error.what());
            }
    }

private:
    const test::AnalysisGolden golden_{"strata.safetensors"};
};

TEST_MAIN_WITHOUT_GUI(TestWindowLabels)
#include "test_window_labels.moc"
