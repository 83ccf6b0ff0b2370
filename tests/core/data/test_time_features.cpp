// Time features against values worked out by hand (and by pandas' datetime properties).

#include <limits>

#include "core/data/helpers.h"
#include "data/time_features.h"
#include "data/time_text.h"
#include "test_program.h"

using namespace casp;
using namespace casp::data;

namespace {

constexpr double unknown_time = std::numeric_limits<double>::quiet_NaN();

double seconds_of(const char* text) {
    TimeText time;
    return read_time(text, time) ? seconds_since_1970(time, false) : unknown_time;
}

std::vector<float> features_at(const char* text) { return time_features({seconds_of(text)}, {3600}); }

std::vector<float> four(double hour, double weekday, double day, double day_of_year) {
    return {static_cast<float>(hour / 23 - 0.5), static_cast<float>(weekday / 6 - 0.5),
            static_cast<float>(day / 30 - 0.5), static_cast<float>(day_of_year / 365 - 0.5)};
}

}  // namespace

class TestTimeFeatures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void known_dates() {
        QCOMPARE(features_at("2016-07-01 00:00:00"), four(0, 4, 0, 182));    // a Friday, the first of ETTh1
        QCOMPARE(features_at("2020-12-31 23:59:59"), four(23, 3, 30, 365));  // a leap year's last day
        QCOMPARE(features_at("2019-03-01 12:30:00"), four(12, 4, 0, 59));
        QCOMPARE(features_at("1969-12-28 06:00:00"), four(6, 6, 27, 361));  // a Sunday before 1970
        QCOMPARE(features_at("2024-01-01 00:00:00"), four(0, 0, 0, 0));
    }

    void every_value_is_within_half() {
        std::vector<double> hours;
        for (int hour = 0; hour < 4 * 8766; ++hour) hours.push_back(1.5e9 + 3600.0 * hour);
        const auto features = time_features(hours, {3600});
        QCOMPARE(features.size(), 4 * hours.size());
        const auto [low, high] = std::minmax_element(features.begin(), features.end());
        QVERIFY(*low == -0.5F && *high == 0.5F);
    }

    void rows_without_a_time_continue_their_neighbours() {
        const auto noon = seconds_of("2020-02-28 12:00:00");
        const auto found =
            time_features({unknown_time, noon, unknown_time, unknown_time, noon + 7200}, {12 * 3600});
        const auto row = [&](std::size_t i) {
            return std::vector<float>(found.begin() + static_cast<std::ptrdiff_t>(4 * i),
                                      found.begin() + static_cast<std::ptrdiff_t>(4 * i + 4));
        };
        QCOMPARE(row(0), features_at("2020-02-28 00:00:00"));
        QCOMPARE(row(2), features_at("2020-02-29 00:00:00"));
        QCOMPARE(row(3), features_at("2020-02-29 12:00:00"));
        QCOMPARE(row(4), features_at("2020-02-28 14:00:00"));
    }

    void no_times_no_features() {
        QVERIFY(time_features({}, {}).empty());
        QVERIFY(time_features({unknown_time, unknown_time}, {3600}).empty());
    }
};

TEST_MAIN_WITHOUT_GUI(TestTimeFeatures)
#include "test_time_features.moc"
