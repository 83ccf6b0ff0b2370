// Scores of the M4 competition and Naive2: against numpy (tests/oracle/make_m4.py), the published forecasts
// of Naive2 with their scores, and cases worked out by hand.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <QtTest>

#include "analysis/m4_scores.h"
#include "core/analysis/analysis_golden.h"
#include "test_program.h"
#include "util/units.h"

using namespace casp;
namespace fs = std::filesystem;
using Values = std::vector<double>;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Relative to the larger of the two; 0 for equal values, infinite ones and NaN included.
double difference(double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double relative = std::abs(a - b) / std::max(std::abs(a), std::abs(b));
    return std::isnan(relative) ? INFINITY : relative;
}

double difference(std::span<const double> a, std::span<const double> b) {
    double most = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        most = std::max(most, difference(a[i], b[i]));
    return most;
}

bool near(double a, double b, double tolerance = 1e-12) {
    if (difference(a, b) <= tolerance) return true;
    qWarning("%.17g is not near %.17g", a, b);
    return false;
}

bool near(std::span<const double> a, std::span<const double> b) {
    if (difference(a, b) <= 1e-12) return true;
    qWarning("the relative difference of %zu and %zu values is %g", a.size(), b.size(), difference(a, b));
    return false;
}

/// Consecutive parts of a golden array.
class Parts {
public:
    explicit Parts(Values values) : values_(std::move(values)) {}
    std::span<const double> take(std::int64_t count) {
        const auto part = std::span(values_).subspan(at_, static_cast<std::size_t>(count));
        at_ += part.size();
        return part;
    }
    [[nodiscard]] bool used_up() const { return at_ == values_.size(); }

private:
    Values values_;
    std::size_t at_ = 0;
};

/// One line of a file of the competition: name and values, up to the first empty or NA field.
struct Series {
    std::string name;
    Values values;
};

Series series_of(std::string_view line) {
    Series series;
    for (bool first = true; !line.empty(); first = false) {
        const auto comma = std::min(line.find(','), line.size());
        auto field = line.substr(0, comma);
        line.remove_prefix(std::min(comma + 1, line.size()));
        if (field.size() >= 2 && field.front() == '"') field = field.substr(1, field.size() - 2);
        if (first) {
            series.name = field;
            continue;
        }
        if (field.empty() || field == "NA") break;
        double value = not_a_number;
        const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
        if (error != std::errc() || end != field.data() + field.size())
            throw std::runtime_error(series.name + ": not a number: " + std::string(field));
        series.values.push_back(value);
    }
    return series;
}

/// Series whose names begin with `group`, in the order of the file.
std::vector<Series> read_series(const fs::path& file, char group) {
    std::ifstream in(file);
    std::vector<Series> all;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.substr(line.starts_with('"') ? 1 : 0, 1)[0] == group) all.push_back(series_of(line));
    }
    return all;
}

}  // namespace

class TestM4Scores : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scores_agree_with_numpy() {
        const auto cases = golden_.get<std::int64_t>("scores.cases");
        Parts forecast(golden_.doubles("scores.forecast")), truth(golden_.doubles("scores.truth")),
            training(golden_.doubles("scores.training")), expected(golden_.doubles("scores.expected"));
        QVERIFY(!cases.empty());
        for (std::size_t i = 0; i < cases.size(); i += 3) {
            const auto f = forecast.take(cases[i]), y = truth.take(cases[i]), x = training.take(cases[i + 1]);
            const auto season = cases[i + 2];
            const auto numbers = expected.take(3);
            QVERIFY(near(analysis::smape(f, y), numbers[0]));
            QVERIFY(near(analysis::seasonal_difference(x, season), numbers[1]));
            QVERIFY(near(analysis::mase(f, y, x, season), numbers[2]));
        }
        QVERIFY(forecast.used_up() && truth.used_up() && training.used_up() && expected.used_up());
    }

    void means_owa_and_rounding_agree_with_numpy() {
        const auto lengths = golden_.get<std::int64_t>("means.cases");
        Parts values(golden_.doubles("means.values")), means(golden_.doubles("means.expected"));
        for (const auto length : lengths)
            QVERIFY(near(analysis::mean_of_known(values.take(length)), means.take(1)[0]));
        QVERIFY(values.used_up() && means.used_up());

        Parts scores(golden_.doubles("owa.scores"));
        for (const double expected : golden_.doubles("owa.expected")) {
            const auto s = scores.take(4);
            QVERIFY(near(analysis::owa(s[0], s[1], s[2], s[3]), expected));
        }
        QVERIFY(scores.used_up());

        const auto exact = golden_.doubles("rounding.values"), rounded = golden_.doubles("rounding.expected");
        QCOMPARE(exact.size(), rounded.size());
        for (std::size_t i = 0; i < exact.size(); ++i) QVERIFY(near(rounded_score(exact[i]), rounded[i], 0));
    }

    void scores_by_hand() {
        QCOMPARE(analysis::smape(Values{3, 0, 0}, Values{1, 0, 5}), 100.0);   // 100, 0 and 200
        QCOMPARE(analysis::smape(Values{1, 2}, Values{-1, 2}), 100.0);        // sizes, not sums
        QCOMPARE(analysis::seasonal_difference(Values{1, 2, 4, 9}, 2), 5.0);  // 3 and 7
        QCOMPARE(analysis::mase(Values{3, 4}, Values{1, 5}, Values{1, 2, 4, 9}, 2), 0.3);
        QVERIFY(std::isnan(analysis::seasonal_difference(Values{1, 2}, 2)));
        QVERIFY(std::isnan(analysis::seasonal_difference({}, 1)));
        QVERIFY(std::isnan(analysis::mase(Values{3}, Values{1}, Values{4, 4, 4}, 1)));
        QVERIFY(std::isnan(analysis::mase(Values{3}, Values{1}, Values{4, 5, 4, 5}, 2)));
        QVERIFY(std::isnan(analysis::mase(Values{3}, Values{1}, Values{4}, 1)));
        QVERIFY(std::isnan(analysis::smape({}, {})) && std::isnan(analysis::mase({}, {}, Values{1, 2}, 1)));
        QVERIFY(std::isnan(analysis::mean_of_known({})));
        QVERIFY_EXCEPTION_THROWN((void)analysis::smape(Values{1, 2}, Values{1}), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::mase(Values{1}, Values{1, 2}, Values{1, 2}, 1),
                                 std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::seasonal_difference(Values{1, 2}, 0), std::invalid_argument);
    }

    void naive2_agrees_with_numpy() {
        const auto cases = golden_.get<std::int64_t>("naive2.cases");
        Parts series(golden_.doubles("naive2.series")), indices(golden_.doubles("naive2.indices")),
            forecast(golden_.doubles("naive2.forecast"));
        int seasonal = 0;
        for (std::size_t i = 0; i < cases.size(); i += 4) {
            const auto length = cases[i], season = cases[i + 1], horizon = cases[i + 2];
            const auto x = series.take(length);
            QCOMPARE(analysis::is_seasonal(x, season), cases[i + 3] == 1);
            seasonal += cases[i + 3] == 1 ? 1 : 0;
            if (length >= 2 * season)
                QVERIFY(near(analysis::seasonal_indices(x, season), indices.take(season)));
            else
                QVERIFY_EXCEPTION_THROWN((void)analysis::seasonal_indices(x, season), std::invalid_argument);
            QVERIFY(near(analysis::naive2(x, season, horizon), forecast.take(horizon)));
        }
        QVERIFY(series.used_up() && indices.used_up() && forecast.used_up());
        QVERIFY(seasonal >= 50);
    }

    void naive2_by_hand() {
        // Moving averages 4, ratios 3/4 and 5/4.
        Values x;
        for (int i = 0; i < 21; ++i) x.push_back(i % 2 == 0 ? 3 : 5);
        QVERIFY(analysis::is_seasonal(x, 2));
        QVERIFY(analysis::seasonal_indices(x, 2) == (Values{0.75, 1.25}));
        QVERIFY(analysis::naive2(x, 2, 3) == (Values{5, 3, 5}));  // after a 3
        QVERIFY(analysis::naive2(x, 1, 3) == (Values{3, 3, 3}));
        QVERIFY(analysis::naive2(x, 2, 0).empty());
        QVERIFY(analysis::naive2(Values{7}, 12, 2) == (Values{7, 7}));
        // Moving averages of 0: no finite indices.
        for (auto& value : x) value -= 4;
        QVERIFY(analysis::is_seasonal(x, 2) && std::isnan(analysis::seasonal_indices(x, 2)[0]));
        QVERIFY(analysis::naive2(x, 2, 2) == (Values{-1, -1}));
        // Constant values, whose mean is not one of them.
        QVERIFY(!analysis::is_seasonal(Values(100, 0.1), 4));
        QVERIFY(analysis::seasonal_indices(Values{2, 9}, 1) == (Values{1}));
        // Values that are not numbers are not seasonal.
        QVERIFY(std::isnan(analysis::naive2(Values(40, not_a_number), 2, 1)[0]));
        QVERIFY_EXCEPTION_THROWN((void)analysis::naive2({}, 1, 1), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::naive2(x, 0, 1), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::naive2(x, 2, -1), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::is_seasonal(x, -3), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::seasonal_indices(x, 0), std::invalid_argument);
    }

    /// R's acf() has 23 lags for 251 values and 24 for 252.
    void long_seasons_of_short_series() {
        Values x;
        while (x.size() < 252) x.push_back(static_cast<double>(10 + x.size() % 24));
        QVERIFY(analysis::is_seasonal(x, 24));
        x.pop_back();
        QVERIFY(!analysis::is_seasonal(x, 24));
    }

    void published_naive2_data() {
        QTest::addColumn<QString>("group");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("season");
        QTest::addColumn<int>("horizon");
        QTest::addColumn<double>("smape");
        QTest::addColumn<double>("mase");
        QTest::newRow("Yearly") << "Yearly" << 23000 << 1 << 6 << 16.342 << 3.974;
        QTest::newRow("Hourly") << "Hourly" << 414 << 24 << 48 << 18.383 << 2.395;
    }

    void published_naive2() {
        QFETCH(QString, group);
        QFETCH(int, count);
        QFETCH(int, season);
        QFETCH(int, horizon);
        QFETCH(double, smape);
        QFETCH(double, mase);
        const auto folder = fs::path(CASP_SHARED_DATA) / "M4";
        const auto name = group.toStdString();
        const auto train_file = folder / "Train" / (name + "-train.csv"),
                   test_file = folder / "Test" / (name + "-test.csv"),
                   published_file = folder / "submission-Naive2.csv";
        if (!fs::exists(train_file) || !fs::exists(test_file) || !fs::exists(published_file))
            QSKIP("M4's series or its file of Naive2 are not here (shared/data/M4)");
        const auto train = read_series(train_file, name[0]), test = read_series(test_file, name[0]),
                   published = read_series(published_file, name[0]);
        QCOMPARE(train.size(), static_cast<std::size_t>(count));
        QCOMPARE(test.size(), train.size());
        QCOMPARE(published.size(), train.size());
        double most = 0;
        std::size_t farthest = 0, seasonal = 0;
        Values smapes, mases;
        for (std::size_t i = 0; i < train.size(); ++i) {
            const auto& x = train[i].values;
            QVERIFY(test[i].name == train[i].name && published[i].name == train[i].name);
            const auto forecast = analysis::naive2(x, season, horizon);
            const double d = difference(forecast, published[i].values);
            if (d > most) {
                most = d;
                farthest = i;
            }
            seasonal += analysis::is_seasonal(x, season) ? 1 : 0;
            smapes.push_back(analysis::smape(forecast, test[i].values));
            mases.push_back(analysis::mase(forecast, test[i].values, x, season));
        }
        qInfo("%s: %zu of %zu series are seasonal; largest relative difference %.3g (%s)", name.c_str(),
              seasonal, train.size(), most, train[farthest].name.c_str());
        qInfo("sMAPE %.6f, MASE %.6f", analysis::mean_of_known(smapes), analysis::mean_of_known(mases));
        QVERIFY(most <= 5e-10);  // published with 10 significant digits
        QVERIFY(std::none_of(mases.begin(), mases.end(), [](double x) { return std::isnan(x); }));
        QVERIFY(near(rounded_score(analysis::mean_of_known(smapes)), smape, 0));
        QVERIFY(near(rounded_score(analysis::mean_of_known(mases)), mase, 0));
        QCOMPARE(analysis::owa(smape, mase, smape, mase), 1.0);
    }

private:
    const test::AnalysisGolden golden_{"m4.safetensors"};
};

TEST_MAIN_WITHOUT_GUI(TestM4Scores)
#include "test_m4_scores.moc"
