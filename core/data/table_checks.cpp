#include "data/table_checks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "data/missing.h"
#include "data/scaler.h"
#include "data/time_text.h"
#include "util/parallel.h"

namespace casp::data {

namespace {

bool is_constant(const std::vector<double>& values) {
    double first = NAN;
    for (const double v : values) {
        if (std::isnan(v)) continue;
        if (std::isnan(first)) first = v;
        if (v != first) return false;
    }
    return !std::isnan(first);
}

std::string steps_text(double difference, double step) {
    const double steps = difference / step;
    const double missing = std::round(steps) - 1;
    return std::fabs(steps - std::round(steps)) < 1e-6 && missing < 1e9
               ? std::to_string(static_cast<std::int64_t>(missing)) +
                     (missing == 1 ? " row is missing" : " rows are missing")
               : "rows are missing";
}

}  // namespace

std::string number_text(double value) {
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

UsualStep usual_step(const std::vector<double>& time) {
    std::unordered_map<std::int64_t, std::int64_t> counts;
    UsualStep usual;
    double before = NAN;
    for (const double t : time) {
        if (std::isnan(t)) continue;
        const double difference = t - before;
        before = t;
        if (std::isnan(difference)) continue;
        if (difference > 0) ++usual.rising;
        if (std::fabs(difference) < 1e12) ++counts[std::llround(difference * 1000)];
    }
    std::int64_t best = 0;
    for (const auto& [step, count] : counts)
        if (step > 0 && (count > usual.count || (count == usual.count && step < best))) {
            best = step;
            usual.count = count;
        }
    usual.seconds = static_cast<double>(best) / 1000;
    return usual;
}

void check_time(Table& table) {
    if (table.time.empty()) return;
    table.step_seconds = usual_step(table.time).seconds;
    const std::string column = table.format.time_columns.empty() ? "" : table.format.time_columns.front();
    Tally duplicate;
    Tally back;
    Tally gap;
    double before = NAN;
    for (std::size_t i = 0; i < table.time.size(); ++i) {
        const double t = table.time[i];
        if (std::isnan(t)) continue;
        const double difference = t - before;
        const double previous = before;
        before = t;
        if (std::isnan(difference)) continue;
        const bool late = table.step_seconds > 0 && difference > 1.5 * table.step_seconds;
        if (difference > 0 && !late) continue;
        Tally& tally = late ? gap : difference == 0 ? duplicate : back;
        std::string text;  // built only for the listed items
        if (tally.first.size() < single_warnings) {
            text = late ? "gap from " + format_time(previous) + " to " + format_time(t) + ": " +
                              steps_text(difference, table.step_seconds)
                   : difference == 0
                       ? "the time " + format_time(t) + " is repeated from the row before"
                       : "the time goes back from " + format_time(previous) + " to " + format_time(t);
        }
        tally.add(table.line_of(static_cast<std::int64_t>(i)), std::move(text));
    }
    const auto as_is = [](const std::string& text) { return text; };
    add_warnings(table, WarningKind::duplicate_time, column, duplicate, "duplicate times", as_is);
    add_warnings(table, WarningKind::non_monotonic_time, column, back, "times that go back", as_is);
    add_warnings(table, WarningKind::gap, column, gap, "gaps", as_is);
}

void check_columns(Table& table, int threads) {
    std::vector<char> constant(table.columns.size());
    std::vector<std::vector<SentinelHit>> sentinels(table.columns.size());
    parallel_for(table.columns.size(), threads, [&](std::size_t i, int) {
        constant[i] = is_constant(table.columns[i].values) ? 1 : 0;
        sentinels[i] = find_sentinels(table.columns[i].values);
    });
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto& column = table.columns[i];
        if (constant[i] != 0 && table.rows() > 1)
            table.warnings.push_back(
                {WarningKind::constant_column, 0, column.name, 1,
                 "column \"" + column.name + "\" holds the same value on every row; its scale is set to 1"});
        for (const auto& hit : sentinels[i])
            table.warnings.push_back(
                {WarningKind::sentinel, table.line_of(hit.first_row), column.name, hit.count,
                 "column \"" + column.name + "\" holds " + number_text(hit.value) + " " +
                     (hit.count == 1 ? "once" : std::to_string(hit.count) + " times") +
                     ", far from its other values: probably a marker for missing values"});
    }
}

void check_training_rows(Table& table, std::int64_t rows) {
    constexpr double far = 100;  // training deviations
    const auto n = static_cast<std::size_t>(std::clamp<std::int64_t>(rows, 0, table.rows()));
    for (const auto& column : table.columns) {
        if (n == 0 || column.missing > 0) continue;
        const Moments training = moments(column.values.data(), n);
        const Extremes all = extremes(column.values.data(), column.values.size());
        const double farthest = std::max(all.most - training.mean, training.mean - all.least);
        const double scale = training.std == 0 ? 0 : training.std;
        if (all.least == all.most || !(farthest > far * scale)) continue;
        table.warnings.push_back(
            {WarningKind::asleep, 0, column.name, 1,
             "column \"" + column.name + "\" " +
                 (scale == 0 ? "is constant in the " + std::to_string(n) +
                                   " training rows and varies later; its scale is set to 1"
                             : "varies far less in the " + std::to_string(n) +
                                   " training rows than later, by up to " +
                                   std::to_string(std::llround(farthest / scale)) + " of their deviations") +
                 ": its errors outweigh those of all other channels. Leave it out with data.columns, or "
                 "choose "
                 "another split"});
    }
}

}  // namespace casp::data
