// The audit of forecasts made by other code: 48 pipelines with a fault and 24 without over four
// data sets.
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <set>

#include <QTemporaryDir>
#include <QtTest>

#include "audit/audited_forecasts.h"
#include "core/audit/npy_writer.h"
#include "core/data/helpers.h"
#include "test_program.h"

using namespace casp;
using audit::FindingCode;
using casp::test::NpyKind;
using casp::test::Windows;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t lookback = 48, horizon = 24;

/// A data set and the settings that its forecasts are said to have.
struct Case {
    std::string name;
    std::vector<std::vector<double>> columns;
    std::string split;
};

struct Noise {
    std::mt19937 engine;
    explicit Noise(unsigned seed) : engine(seed) {}
    double operator()(double size) { return size * std::normal_distribution<double>()(engine); }
};

std::vector<double> wave(std::size_t rows, double level, double size, double period, unsigned seed) {
    Noise noise(seed);
    std::vector<double> values;
    double walk = 0;
    for (std::size_t t = 0; t < rows; ++t) {
        walk += noise(0.05 * size);
        values.push_back(level + walk + size * std::sin(2 * 3.14159265 * static_cast<double>(t) / period) +
                         noise(0.1 * size));
    }
    return values;
}

std::vector<Case> cases() {
    std::vector<Case> all;
    Case hours{"months", {}, "ett-hourly"};
    for (unsigned c = 0; c < 7; ++c) hours.columns.push_back(wave(17420, 10.0 * c, 3 + c, 24, c));
    all.push_back(hours);
    Case small{"ratio", {}, "ratio"};
    for (unsigned c = 0; c < 5; ++c)
        small.columns.push_back(wave(2400, c == 0 ? 1e5 : 0.01, c == 0 ? 30 : 0.002, 96, 20 + c));
    all.push_back(small);
    Case rows{"rows", {}, "rows"};
    for (unsigned c = 0; c < 3; ++c) rows.columns.push_back(wave(2600, -5, 1, 12, 40 + c));
    all.push_back(rows);
    // Constant channels, many zeros, three decimals, and a block of rows that comes twice.
    Case flat{"repeated", {}, "ratio"};
    flat.columns.push_back(std::vector<double>(3000, 7));
    flat.columns.push_back(wave(3000, 1000, 5, 50, 60));
    flat.columns.push_back(wave(3000, 20, 4, 24, 61));
    for (auto& value : flat.columns[1]) value = std::round(value * 10) / 10;
    flat.columns.emplace_back();
    Noise rain(62);
    for (int t = 0; t < 3000; ++t) flat.columns.back().push_back(t % 400 < 20 ? std::abs(rain(1)) : 0);
    for (auto& column : flat.columns) std::copy_n(column.begin() + 2450, 80, column.begin() + 2650);
    all.push_back(flat);
    return all;
}

config::Config config_of(const Case& one, const fs::path& folder) {
    const auto path = folder / (one.name + ".csv");
    if (!fs::exists(path)) {
        std::string text;
        for (std::size_t c = 0; c < one.columns.size(); ++c) text += (c > 0 ? ",c" : "c") + std::to_string(c);
        text += '\n';
        char number[40];
        for (std::size_t t = 0; t < one.columns[0].size(); ++t)
            for (std::size_t c = 0; c < one.columns.size(); ++c) {
                std::snprintf(number, sizeof number, "%.17g", one.columns[c][t]);
                text += number;
                text += c + 1 < one.columns.size() ? ',' : '\n';
            }
        test::write_bytes(path, text);
    }
    config::Config config;
    config.data.path = path.string();
    config.data.lookback = lookback;
    config.data.horizon = horizon;
    config.data.split = {one.split, {}};
    if (one.split == "rows") config.data.split.rows = {1500, 300, 500};
    return config;
}

/// Mean and population deviation, computed plainly.
std::pair<double, double> moments_of(const std::vector<double>& values, std::size_t begin, std::size_t end) {
    const auto n = static_cast<double>(end - begin);
    double mean = 0, squares = 0;
    for (auto i = begin; i < end; ++i) mean += values[i] / n;
    for (auto i = begin; i < end; ++i) squares += (values[i] - mean) * (values[i] - mean) / n;
    const double deviation = std::sqrt(squares);
    return {mean, deviation > 1e-9 ? deviation : 1};
}

/// What a pipeline of other code leaves.
struct Saved {
    Windows truth, prediction;
};

/// Where the test part begins, its length, and the training rows, by the rule of the case.
struct Borders {
    std::size_t train, test, end;
};
Borders borders_of(const Case& one) {
    const auto rows = one.columns[0].size();
    if (one.split == "ett-hourly") return {8640, 11520, 14400};
    if (one.split == "ratio") return {rows * 7 / 10, rows - rows * 2 / 10, rows};
    return {1500, 1800, 2300};
}

using Scale = std::function<std::pair<double, double>(const std::vector<double>&)>;

/// Windows of the rows [begin, end) as a loader with window stride 1 makes them, with a noisy forecast.
Saved pipeline(const Case& one, std::size_t begin, std::size_t windows, std::size_t steps,
               const Scale& scale) {
    Saved saved{Windows(windows, steps, one.columns.size()), Windows(windows, steps, one.columns.size())};
    Noise noise(7);
    for (std::size_t c = 0; c < one.columns.size(); ++c) {
        const auto [mean, deviation] = scale(one.columns[c]);
        const auto train = moments_of(one.columns[c], 0, borders_of(one).train).second / deviation;
        for (std::size_t w = 0; w < windows; ++w)
            for (std::size_t h = 0; h < steps; ++h) {
                const double value = (one.columns[c][begin + w + h] - mean) / deviation;
                saved.truth.at(w, h, c) = value;
                saved.prediction.at(w, h, c) = value + noise(0.3 * train);
            }
    }
    return saved;
}

/// The test windows with another scaling.
Saved scaled_by(const Case& one, const Scale& scale) {
    const auto borders = borders_of(one);
    return pipeline(one, borders.test, borders.end - borders.test - horizon + 1, horizon, scale);
}

Saved usual(const Case& one, std::size_t steps = horizon) {
    const auto borders = borders_of(one);
    return pipeline(one, borders.test, borders.end - borders.test - steps + 1, steps,
                    [&](const auto& column) { return moments_of(column, 0, borders.train); });
}

/// The windows with these numbers.
Saved chosen(const Saved& from, const std::vector<std::size_t>& numbers) {
    Saved to{Windows(numbers.size(), from.truth.steps, from.truth.channels),
             Windows(numbers.size(), from.truth.steps, from.truth.channels)};
    for (std::size_t w = 0; w < numbers.size(); ++w)
        for (std::size_t h = 0; h < from.truth.steps; ++h)
            for (std::size_t c = 0; c < from.truth.channels; ++c) {
                to.truth.at(w, h, c) = from.truth.at(numbers[w], h, c);
                to.prediction.at(w, h, c) = from.prediction.at(numbers[w], h, c);
            }
    return to;
}

Saved with_channels(const Saved& from, const std::vector<std::size_t>& channels) {
    Saved to{Windows(from.truth.windows, from.truth.steps, channels.size()),
             Windows(from.truth.windows, from.truth.steps, channels.size())};
    for (std::size_t w = 0; w < from.truth.windows; ++w)
        for (std::size_t h = 0; h < from.truth.steps; ++h)
            for (std::size_t k = 0; k < channels.size(); ++k) {
                to.truth.at(w, h, k) = from.truth.at(w, h, channels[k]);
                to.prediction.at(w, h, k) = from.prediction.at(w, h, channels[k]);
            }
    return to;
}

std::vector<std::size_t> up_to(std::size_t n) {
    std::vector<std::size_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

struct Fault {
    const char* name;
    const char* code;
    std::function<Saved(const Case&)> make;
};

std::vector<Fault> faults() {
    return {{"last batch dropped", "dropped-windows",
             [](const Case& one) {
                 const auto all = usual(one);
                 const auto n = all.truth.windows;
                 return chosen(all, up_to(n - (n % 32 == 0 ? 16 : n % 32)));
             }},
            {"scaled with all rows", "foreign-scaler",
             [](const Case& one) {
                 const auto b = borders_of(one);
                 return pipeline(one, b.test, b.end - b.test - horizon + 1, horizon,
                                 [](const auto& column) { return moments_of(column, 0, column.size()); });
             }},
            {"inverse transform", "original-units",
             [](const Case& one) {
                 const auto b = borders_of(one);
                 return pipeline(one, b.test, b.end - b.test - horizon + 1, horizon,
                                 [](const auto&) { return std::pair(0.0, 1.0); });
             }},
            {"shuffled", "reordered-windows",
             [](const Case& one) {
                 const auto all = usual(one);
                 auto numbers = up_to(all.truth.windows);
                 std::shuffle(numbers.begin(), numbers.end(), std::mt19937(5));
                 return chosen(all, numbers);
             }},
            {"channels turned round", "reordered-channels",
             [](const Case& one) {
                 auto channels = up_to(one.columns.size());
                 std::rotate(channels.begin(), channels.begin() + 1, channels.end());
                 return with_channels(usual(one), channels);
             }},
            {"a channel less", "missing-channels",
             [](const Case& one) {
                 auto channels = up_to(one.columns.size());
                 channels.erase(channels.begin() + 1);
                 return with_channels(usual(one), channels);
             }},
            {"three rows early", "shifted-windows",
             [](const Case& one) {
                 const auto b = borders_of(one);
                 return pipeline(one, b.test - 3, b.end - b.test - horizon + 1, horizon,
                                 [&](const auto& column) { return moments_of(column, 0, b.train); });
             }},
            {"validation windows", "wrong-split",
             [](const Case& one) {
                 const auto b = borders_of(one);
                 return pipeline(one, b.train, b.test - b.train - horizon + 1, horizon,
                                 [&](const auto& column) { return moments_of(column, 0, b.train); });
             }},
            {"not a number", "not-finite",
             [](const Case& one) {
                 auto saved = usual(one);
                 saved.prediction.at(3, 5, 0) = std::nan("");
                 saved.prediction.at(9, 1, 1) = INFINITY;
                 return saved;
             }},
            {"smoothed truths", "truth-differs",
             [](const Case& one) {
                 auto saved = usual(one);
                 for (std::size_t w = 40; w < 60; ++w)
                     for (std::size_t h = 0; h < horizon; ++h) saved.truth.at(w, h, 1) += 0.01;
                 return saved;
             }},
            {"last batch filled up", "extra-windows",
             [](const Case& one) {
                 const auto all = usual(one);
                 auto numbers = up_to(all.truth.windows);
                 for (std::size_t i = 0; i < 7; ++i) numbers.push_back(all.truth.windows - 1);
                 return chosen(all, numbers);
             }},
            {"shorter horizon", "wrong-horizon", [](const Case& one) { return usual(one, horizon - 1); }}};
}

std::set<std::string> codes_of(const audit::Audit& found) {
    std::set<std::string> codes;
    for (const auto& finding : found.findings) codes.emplace(to_string(finding.code));
    return codes;
}

std::string join(const std::set<std::string>& codes) {
    std::string text;
    for (const auto& code : codes) text += (text.empty() ? "" : " ") + code;
    return text;
}

}  // namespace

class TestAudit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void faults_are_named_data() {
        QTest::addColumn<int>("data");
        QTest::addColumn<int>("fault");
        for (int d = 0; d < std::ssize(cases_); ++d)
            for (int f = 0; f < std::ssize(faults_); ++f)
                QTest::addRow("%s, %s", cases_[static_cast<std::size_t>(d)].name.c_str(),
                              faults_[static_cast<std::size_t>(f)].name)
                    << d << f;
    }
    void faults_are_named() {
        QFETCH(int, data);
        QFETCH(int, fault);
        const auto& one = cases_[static_cast<std::size_t>(data)];
        const auto& wrong = faults_[static_cast<std::size_t>(fault)];
        for (const bool half : {false, true}) {
            if (half && one.name == "ratio" && wrong.code == std::string("original-units"))
                continue;  // 100,000 is beyond float16
            const auto found = audited(one, wrong.make(one), {.half = half});
            QVERIFY2(codes_of(found) == std::set<std::string>{wrong.code}, audit_text(found).c_str());
            if (half) VERIFY_TEXT(found, "are in float16: differences of less than 0.05 % of a value cannot");
        }
    }

    void clean_pipelines_are_not_accused_data() {
        QTest::addColumn<int>("data");
        QTest::addColumn<int>("variant");
        for (int d = 0; d < std::ssize(cases_); ++d)
            for (int v = 0; v < 8; ++v)
                QTest::addRow("%s, %d", cases_[static_cast<std::size_t>(d)].name.c_str(), v) << d << v;
    }
    void clean_pipelines_are_not_accused() {
        QFETCH(int, data);
        QFETCH(int, variant);
        const auto& one = cases_[static_cast<std::size_t>(data)];
        const NpyKind kinds[] = {{},
                                 {.float64 = true},
                                 {.big = true},
                                 {.fortran = true},
                                 {.float64 = true, .fortran = true, .version = 2},
                                 {.version = 3},
                                 {.half = true},
                                 {}};
        auto saved = usual(one);
        if (variant == 5)  // a forecast that is far off is no fault
            for (auto& value : saved.prediction.values) value = 0;
        if (variant == 7)  // rounded to float16 and stored as float32
            for (auto* values : {&saved.truth.values, &saved.prediction.values})
                for (auto& value : *values) {
                    int exponent = 0;
                    (void)std::frexp(value, &exponent);
                    const double unit = std::ldexp(1, std::max(exponent, -13) - 11);
                    value = std::nearbyint(value / unit) * unit;
                }
        const auto found = audited(one, saved, kinds[variant]);
        QVERIFY2(found.is_clean() && found.findings.size() == 1, audit_text(found).c_str());
        QCOMPARE(found.shared, found.expected_windows);
        // The error over these windows is the plain mean of squares of what was saved.
        double squares = 0;
        for (std::size_t i = 0; i < saved.truth.values.size(); ++i) {
            const double error = saved.prediction.values[i] - saved.truth.values[i];
            squares += error * error;
        }
        const double mse = squares / static_cast<double>(saved.truth.values.size());
        QVERIFY2(std::abs(found.mse_shared / mse - 1) < 1e-4 && std::abs(found.mse / mse - 1) < 1e-4,
                 audit_text(found).c_str());
    }

    void evidence() {
        const auto& one = cases_[0];
        const auto dropped = audited(one, faults_[0].make(one));
        VERIFY_TEXT(dropped,
                    "9 of 2,857 test windows are missing: the last 9, the remainder of 2,857 by 16 or 32");
        const auto scaled = audited(one, faults_[1].make(one));
        VERIFY_TEXT(scaled, "scaled with the mean and standard deviation of all rows");
        // Errors are comparable in spite of the other scaler.
        const auto clean = audited(one, usual(one));
        QVERIFY(std::abs(scaled.mse_shared / clean.mse_shared - 1) < 0.05);
        const auto original = audited(one, faults_[2].make(one));
        QVERIFY(original.mse > 2 * clean.mse && std::abs(original.mse_shared / clean.mse_shared - 1) < 1e-3);
        VERIFY_TEXT(audited(one, faults_[7].make(one)), "the validation windows of the expected split");
        VERIFY_TEXT(audited(one, faults_[6].make(one)), "3 rows before the first test row, 11,520");
        VERIFY_TEXT(audited(one, faults_[5].make(one)), "1 of 7 channels is missing: c1");
        VERIFY_TEXT(audited(one, faults_[9].make(one)), "20 windows of true, the first window 40");
        VERIFY_TEXT(audited(cases_[3], usual(cases_[3])), "have values that occur at several rows");
    }

    void several_faults_at_once() {
        const auto& one = cases_[0];
        const auto b = borders_of(one);
        auto saved = pipeline(one, b.test, 2000, horizon,
                              [](const auto& column) { return moments_of(column, 0, column.size()); });
        saved.prediction.at(0, 0, 0) = std::nan("");
        const auto found = audited(one, with_channels(saved, {1, 0, 2, 3, 4, 5, 6}));
        QCOMPARE(join(codes_of(found)),
                 std::string("dropped-windows foreign-scaler not-finite reordered-channels"));
    }

    /// Loaders that give one channel per item save [windows × channels, H, 1], in either order.
    void channels_one_after_another() {
        const auto& one = cases_[1];
        const auto all = usual(one);
        const auto n = all.truth.windows;
        for (const bool by_channel : {true, false}) {
            Saved flat{Windows(n * 5, horizon, 1), Windows(n * 5, horizon, 1)};
            for (std::size_t i = 0; i < n * 5; ++i)
                for (std::size_t h = 0; h < horizon; ++h) {
                    const auto w = by_channel ? i % n : i / 5, c = by_channel ? i / n : i % 5;
                    flat.truth.at(i, h, 0) = all.truth.at(w, h, c);
                    flat.prediction.at(i, h, 0) = all.prediction.at(w, h, c);
                }
            const auto whole = audited(one, flat);
            QVERIFY2(whole.is_clean() && whole.channels == 5, audit_text(whole).c_str());
            const auto cut = audited(one, chosen(flat, up_to(flat.truth.windows - 11)));
            QCOMPARE(join(codes_of(cut)), std::string("dropped-windows"));
            QCOMPARE(cut.channels, std::int64_t{5});
        }
    }

    /// Predictions and truths have scalings of their own: the error is right, whatever these are.
    void units_of_both_arrays_data() {
        QTest::addColumn<int>("data");
        for (int d = 0; d < std::ssize(cases_); ++d)
            QTest::addRow("%s", cases_[static_cast<std::size_t>(d)].name.c_str()) << d;
    }
    void units_of_both_arrays() {
        QFETCH(int, data);
        const auto& one = cases_[static_cast<std::size_t>(data)];
        const auto scaled = usual(one),
                   original = scaled_by(one, [](const auto&) { return std::pair(0.0, 1.0); });
        const auto clean = audited(one, scaled);
        const auto is_right = [&](const audit::Audit& found, const std::string& code,
                                  const std::string& text) {
            QVERIFY2(codes_of(found) == std::set<std::string>{code}, audit_text(found).c_str());
            VERIFY_TEXT(found, text);
            QVERIFY2(std::abs(found.mse_shared / clean.mse_shared - 1) < 2e-3, audit_text(found).c_str());
        };
        const std::string train = "scaled with the mean and standard deviation of the training rows";
        is_right(audited(one, {scaled.truth, original.prediction}, {.float64 = true}), "original-units",
                 "the predictions are in original units, and the truths are " + train);
        is_right(audited(one, {original.truth, scaled.prediction}, {.float64 = true}), "original-units",
                 "the predictions are " + train + ", and the truths are in original units");
        is_right(audited(one, {original.truth, original.prediction}, {.float64 = true}), "original-units",
                 "the values are in original units");
        const auto range = scaled_by(one, [&](const auto& column) {
            const auto [low, high] = std::minmax_element(
                column.begin(), column.begin() + static_cast<std::ptrdiff_t>(borders_of(one).train));
            return std::pair(*low, *high > *low ? *high - *low : 1);
        });
        is_right(audited(one, {scaled.truth, range.prediction}, {.float64 = true}), "foreign-scaler",
                 "the predictions are scaled with the minimum and range of the training rows, and the truths "
                 "are " +
                     train);
        // One channel is transformed back.
        const auto only = [](const Windows& from, Windows to, std::size_t channel) {
            for (std::size_t w = 0; w < from.windows; ++w)
                for (std::size_t h = 0; h < from.steps; ++h) to.at(w, h, channel) = from.at(w, h, channel);
            return to;
        };
        const auto last = one.name == "repeated" ? 2 : one.columns.size() - 1;
        const auto truth = only(original.truth, scaled.truth, last);
        const auto prediction = only(original.prediction, scaled.prediction, last);
        const auto name = "nothing (original units) in c" + std::to_string(last);
        is_right(audited(one, {truth, prediction}, {.float64 = true}), "original-units", name);
        is_right(audited(one, {scaled.truth, prediction}, {.float64 = true}), "original-units",
                 "the predictions are partly in original units");
        is_right(audited(one, {truth, scaled.prediction}, {.float64 = true}), "original-units",
                 "the truths are partly in original units");
    }

    /// Bad forecasts do not have other units.
    void bad_forecasts_are_not_accused_data() {
        QTest::addColumn<int>("data");
        QTest::addColumn<int>("kind");
        for (int d = 0; d < std::ssize(cases_); ++d)
            for (int k = 0; k < 5; ++k)
                QTest::addRow("%s, %d", cases_[static_cast<std::size_t>(d)].name.c_str(), k) << d << k;
    }
    void bad_forecasts_are_not_accused() {
        QFETCH(int, data);
        QFETCH(int, kind);
        const auto& one = cases_[static_cast<std::size_t>(data)];
        auto saved = usual(one);
        Noise noise(11);
        for (std::size_t w = 0; w < saved.truth.windows; ++w)
            for (std::size_t h = 0; h < horizon; ++h)
                for (std::size_t c = 0; c < saved.truth.channels; ++c) {
                    const double truth = saved.truth.at(w, h, c);
                    saved.prediction.at(w, h, c) = kind == 0   ? noise(1)           // unrelated
                                                   : kind == 1 ? noise(0.01)        // nearly constant
                                                   : kind == 2 ? 0.4 * truth        // too small
                                                   : kind == 3 ? 1.8 * truth + 0.5  // too large, biased
                                                               : noise(3) + 1;      // wild
                }
        const auto found = audited(one, saved);
        QVERIFY2(found.is_clean(), audit_text(found).c_str());
        QVERIFY(std::abs(found.mse_shared / found.mse - 1) < 1e-3);
    }

    void exchanged_files() {
        for (const auto& one : cases_) {
            const auto saved = usual(one);
            const auto found = audited(one, {saved.prediction, saved.truth});
            QCOMPARE(join(codes_of(found)), std::string("truth-differs"));
            VERIFY_TEXT(found, "taken the other way round");
            QVERIFY(std::abs(found.mse_shared / audited(one, saved).mse_shared - 1) < 1e-4);
        }
    }

    void truths_as_predictions() {
        for (const auto& one : cases_) {
            auto saved = usual(one);
            for (std::size_t i = 1; i < saved.truth.values.size(); i += one.columns.size())
                saved.prediction.values[i] = saved.truth.values[i];
            auto found = audited(one, saved);
            QCOMPARE(join(codes_of(found)), std::string("truth-differs"));
            VERIFY_TEXT(found, "the predictions are the truths in c1:");
            saved.prediction = saved.truth;
            QCOMPARE(join(codes_of(audited(one, saved))), std::string("truth-differs"));
            // Predictions that are no numbers are not equal to anything.
            for (auto& value : saved.prediction.values) value = std::numeric_limits<double>::quiet_NaN();
            QCOMPARE(join(codes_of(audited(one, saved))), std::string("not-finite"));
        }
    }

    /// data.targets, and arrays of these channels or of all.
    void targets() {
        const auto& one = cases_[0];
        const auto saved = usual(one);
        const auto few = with_channels(saved, {1, 4});
        const auto usual_error = audited(one, saved).mse_shared;
        targets_ = {"c1", "c4"};
        const auto all = audited(one, saved);
        const auto two = audited(one, few);
        targets_.clear();
        QVERIFY2(all.is_clean() && all.channels == 7, audit_text(all).c_str());
        QCOMPARE(all.mse_shared, usual_error);
        VERIFY_TEXT(all, "not over data.targets");
        QVERIFY2(two.is_clean() && two.channels == 2 && two.notes.empty(), audit_text(two).c_str());
    }

    void axes_in_another_order() {
        const auto& one = cases_[0];
        const auto saved = usual(one);
        const auto clean = audited(one, saved);
        std::array<std::size_t, 3> order{0, 1, 2};
        while (std::next_permutation(order.begin(), order.end())) {
            const auto found = audited(one, test::npy_transposed(saved.prediction, order),
                                       test::npy_transposed(saved.truth, order));
            QVERIFY2(found.is_clean(), audit_text(found).c_str());
            VERIFY_TEXT(found, ", read as [");
            QCOMPARE(found.mse_shared, clean.mse_shared);
            // Only the predictions.
            QVERIFY(audited(one, test::npy_transposed(saved.prediction, order), test::npy_bytes(saved.truth))
                        .is_clean());
        }
    }

    /// A line that drops the last batch is shown where windows are missing.
    void dropped_batches_in_scripts() {
        const auto& one = cases_[0];
        const std::string drops =
            "def data_provider(args, flag):\n    if flag == 'test':\n        drop_last = True\n";
        QCOMPARE(audited(one, faults_[0].make(one), {}, true, drops).hints.size(), std::size_t{1});
        QVERIFY(audited(one, usual(one), {}, true, drops).hints.empty());
    }

    void rounded_to_decimals() {
        auto saved = usual(cases_[0]);
        for (auto* values : {&saved.truth.values, &saved.prediction.values})
            for (auto& value : *values) value = std::round(value * 1000) / 1000;
        const auto found = audited(cases_[0], saved, {.float64 = true});
        QVERIFY2(found.is_clean(), audit_text(found).c_str());
        VERIFY_TEXT(found, "The truths have 3 decimals: differences of less than 5e-4 cannot be seen");
    }

    void without_truths() {
        const auto& one = cases_[0];
        QCOMPARE(join(codes_of(audited(one, usual(one), {}, false))), std::string("clean"));
        QCOMPARE(join(codes_of(audited(one, faults_[0].make(one), {}, false))),
                 std::string("dropped-windows"));
        QCOMPARE(join(codes_of(audited(one, faults_[2].make(one), {}, false))),
                 std::string("original-units"));
        VERIFY_TEXT(audited(one, usual(one), {}, false), "There are no truths");
    }

    void audit_json_reads_back() {
        const auto& one = cases_[2];
        const auto all = usual(one);
        std::vector<std::size_t> kept(all.truth.windows - 5);
        std::iota(kept.begin(), kept.end(), std::size_t{0});
        auto found = audited(one, chosen(all, kept));
        found.hints = {{"../run.py", 3, "fix_seed = 2021", "the fixed seed 2021"}};
        const auto data = *data::prepare_data(config_of(one, dir_.path().toStdString()));
        const auto file = fs::path(dir_.path().toStdString()) / "audit.json";
        const auto text = audit_json(found, data);
        test::write_bytes(file, text);
        const auto stored = audit::read_audit(file);
        QCOMPARE(stored.findings.front().first, std::string("dropped-windows"));
        QCOMPARE(stored.findings.front().second, found.findings.front().text);
        QCOMPARE(stored.windows, found.windows);
        QCOMPARE(stored.shared, found.shared);
        QCOMPARE(stored.mse_shared, found.mse_shared);
        QCOMPARE(stored.hints.front().what, found.hints.front().what);
        QVERIFY(!stored.is_clean());
        for (const auto& bad : {text.substr(0, text.size() / 2), std::string("[]"), std::string(5000, '[')}) {
            test::write_bytes(file, bad);
            QVERIFY_EXCEPTION_THROWN((void)audit::read_audit(file), Error);
        }
        fs::remove(file);
        QVERIFY_EXCEPTION_THROWN((void)audit::read_audit(file), Error);
    }

    void cancelled() {
        std::stop_source stop;
        stop.request_stop();
        const fs::path folder = fs::path(dir_.path().toStdString()) / "cancelled";
        test::write_bytes(folder / "pred.npy", test::npy_bytes(usual(cases_[2]).prediction));
        const auto forecasts = audit::read_foreign_forecasts(folder);
        const auto data = *data::prepare_data(config_of(cases_[2], dir_.path().toStdString()));
        QVERIFY_EXCEPTION_THROWN((void)audit_forecasts(forecasts, data, horizon, {}, stop.get_token()),
                                 Cancelled);
    }

private:
    static void VERIFY_TEXT(const audit::Audit& found, const std::string& part) {
        QVERIFY2(audit_text(found).find(part) != std::string::npos, audit_text(found).c_str());
    }

    /// `beside`: text of data_factory.py.
    audit::Audit audited(const Case& one, const Saved& saved, const NpyKind& kind = {}, bool truths = true,
                         const std::string& beside = {}) {
        return audited(one, test::npy_bytes(saved.prediction, kind),
                       truths ? test::npy_bytes(saved.truth, kind) : std::string(), beside);
    }

    audit::Audit audited(const Case& one, const std::string& prediction, const std::string& truth,
                         const std::string& beside = {}) {
        const fs::path place = dir_.path().toStdString();
        const auto folder = place / ("saved" + std::to_string(count_++)) / "arrays";
        test::write_bytes(folder / "pred.npy", prediction);
        if (!truth.empty()) test::write_bytes(folder / "true.npy", truth);
        if (!beside.empty()) test::write_bytes(folder / "data_factory.py", beside);
        auto config = config_of(one, place);
        config.data.targets = targets_;
        auto found = audit::audit_file(folder, config).audit;
        fs::remove_all(folder.parent_path());
        return found;
    }

    QTemporaryDir dir_;
    std::vector<std::string> targets_;
    int count_ = 0;
    const std::vector<Case> cases_ = cases();
    const std::vector<Fault> faults_ = faults();
};

TEST_MAIN_WITHOUT_GUI(TestAudit)
#include "test_audit.moc"
