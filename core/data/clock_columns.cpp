#include "data/clock_columns.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <unordered_set>

#include "data/time_columns.h"
#include "data/time_text.h"
#include "util/phrase.h"

namespace casp::data {

namespace {

/// How a column goes from row to row; cells without a number are passed over.
struct Steps {
    double step = 0;      ///< the first one
    bool even = false;    ///< all are alike, up to the rounding of decimals
    bool steady = false;  ///< all but a few go in its direction, and none back
    bool by_one = false;  ///< nearly all are 1, or nearly all −1
    bool rises = false;   ///< most are 1, or most −1, and none goes back
};

/// `whole`: count also the steps of one behind a step back, at which most channels end the search.
Steps steps_of(const std::vector<double>& values, bool whole) {
    Steps steps;
    double last = std::nan("");
    std::size_t count = 0;
    std::size_t still = 0;
    std::size_t ones = 0;
    std::size_t minus_ones = 0;
    bool even = true;
    bool back = false;
    for (std::size_t i = 0; i < values.size() && (whole || !back); ++i) {
        if (std::isnan(values[i])) {
            even = false;
            continue;
        }
        if (!std::isnan(last)) {
            const double step = values[i] - last;
            if (count++ == 0) steps.step = step;
            still += step == 0 ? 1 : 0;
            ones += step == 1 ? 1 : 0;
            minus_ones += step == -1 ? 1 : 0;
            back = back || step * steps.step < 0;
        }
        last = values[i];
    }
    even = even && !back && count >= 2 && steps.step != 0;
    // 1958.0417, 1958.1250, 1958.2083: the decimals are rounded, the mean step is not.
    const double mean = even ? (values.back() - values.front()) / static_cast<double>(count) : 0;
    for (std::size_t i = 0; even && i < values.size(); ++i)
        even = std::fabs(values[i] - values.front() - mean * static_cast<double>(i)) < 0.02 * std::fabs(mean);
    steps.even = even;
    steps.rises = !back && std::max(ones, minus_ones) * 10 >= count * 7 && count > 1;
    steps.by_one = std::max(ones, minus_ones) * 20 >= count * 19;
    steps.steady = !back && count >= 2 && steps.step != 0 && still * 20 <= count;
    return steps;
}

/// Whether nearly all values are a part of their time: the hour, from 0 or 1, the day of the week, 20210303 …
bool repeats_time(const std::vector<double>& values, const std::vector<double>& times) {
    constexpr std::size_t look = 40;  // values that decide whether to look at all
    const auto head = values.begin() + static_cast<std::ptrdiff_t>(std::min(values.size(), look));
    const bool varies = std::ranges::any_of(values, [&](double v) { return v != values.front(); });
    if (times.size() < 24 || !varies ||
        std::any_of(values.begin(), head, [](double v) { return v != std::floor(v); }))
        return false;
    const auto year_and_month = [](double t) {
        return static_cast<double>(part_of_time(TimePart::year, t) * 100 + part_of_time(TimePart::month, t));
    };
    const auto weekday = [](double t) { return std::fmod(std::floor(t / 86400) + 3, 7); };  // Monday: 0
    const auto week = [&](double t) {  // of ISO 8601, that of its Thursday
        const auto thursday =
            static_cast<double>(part_of_time(TimePart::day_of_year, t + (3 - weekday(t)) * 86400));
        return std::floor((thursday - 1) / 7) + 1;
    };
    std::vector<std::function<double(double)>> parts{
        [&](double t) { return weekday(t); },
        [&](double t) { return weekday(t) + 1; },
        [&](double t) { return std::fmod(weekday(t) + 1, 7); },
        week,
        year_and_month,
        [&](double t) {
            return year_and_month(t) * 100 + static_cast<double>(part_of_time(TimePart::day, t));
        },
        [](double t) { return std::fmod(t, 86400); }};
    for (const auto part :
         {TimePart::year, TimePart::month, TimePart::day, TimePart::day_of_year, TimePart::hour,
          TimePart::minute, TimePart::second, TimePart::half_hour, TimePart::quarter_hour})
        for (const bool from_one : {false, true})
            parts.emplace_back(
                [=](double t) { return static_cast<double>(part_of_time(part, t, from_one)); });
    return std::ranges::any_of(parts, [&](const auto& part) {
        std::size_t other = 0;
        for (std::size_t i = 0; i < times.size(); ++i) {
            other += !(std::abs(times[i]) < 1e11 && values[i] == part(times[i])) ? 1 : 0;
            if (other * 20 > std::max(look, times.size()) || (i == look && other * 5 > look)) return false;
        }
        return true;
    });
}

}  // namespace

bool rises_evenly(const std::vector<double>& values) { return steps_of(values, false).even; }

Counter counter_kind(const Layout& layout, const ColumnLayout& column, const std::vector<double>& values,
                     const CsvOptions& options) {
    if (options.keep_row_numbers) return Counter::no;
    const bool row_name = !column.named || suggests_row_numbers(column.name);
    const auto steps = steps_of(values, row_name);
    if (layout.has_header && row_name && steps.by_one && values.size() >= 10) return Counter::row_numbers;
    if (!steps.steady)
        return steps.rises && layout.has_header && values.size() >= 10 ? Counter::channel : Counter::no;
    const bool from_start = std::fabs(steps.step) == 1 && (values.front() == 0 || values.front() == 1 ||
                                                           values.back() == 0 || values.back() == 1);
    if (!layout.has_header) return steps.even && values.size() >= 10 ? Counter::channel : Counter::no;
    if (row_name && steps.even && from_start) return Counter::row_numbers;
    if (values.size() < 10) return Counter::no;
    if (elapsed_unit(column.name) >= 0) return Counter::row_numbers;
    return steps.even || steps.rises ? Counter::channel : Counter::no;
}

void check_clock_channels(Table& table) {
    std::unordered_set<std::string> warned;
    for (const auto& warning : table.warnings)
        if (warning.kind == WarningKind::clock_channel) warned.insert(warning.column);
    for (const auto& column : table.columns) {
        if (warned.contains(column.name)) continue;
        const auto warn = [&](Phrase text) {
            table.warnings.push_back({WarningKind::clock_channel, 0, column.name, 1, std::move(text)});
        };
        const auto part = part_of_name(column.name);
        const bool says_time = part != TimePart::whole || is_time_name(column.name);
        const bool may_be_axis =
            table.time.empty() || part == TimePart::whole || part == TimePart::hour_minute;
        if (repeats_time(column.values, table.time))
            warn(
                Phrase("column \"%1\" repeats a part of the time axis: as a channel it is easy to forecast "
                       "and lowers the errors; data.columns leaves it out",
                       column.name));
        else if (says_time && may_be_axis)
            warn(
                Phrase("column \"%1\" is read as a channel, although its name says a time; "
                       "data.csv.time_column makes it the time axis, data.columns leaves it out",
                       column.name));
    }
}

void check_direction(Table& table) {
    const bool has_time = !table.time.empty();
    std::int64_t times = 0;
    for (const auto& column : table.columns) {
        TimeText time;
        const bool is_time = read_time(column.name, time, {.digits = true, .dotted_clock = false});
        times +=
            (has_time ? (is_time && !time.has_date) || names_hour(column.name) : is_time && time.has_date)
                ? 1
                : 0;
    }
    constexpr std::int64_t min_of_day = 23;  // the day on which daylight saving begins
    if (times < (has_time ? min_of_day : 4) || times * 2 <= std::ssize(table.columns)) return;
    const auto count = std::to_string(times);
    const auto& last = table.columns.back().name;
    table.warnings.push_back(
        {WarningKind::order, 0, "", 1,
         has_time ? Phrase("%1 columns have hours as names, such as \"%2\": each row seems to be a day; "
                           "write a row for each hour, else each hour is forecast as a separate channel",
                           count, last)
                  : Phrase("%1 columns have times as names, such as \"%2\": each row seems to be a series; "
                           "transpose the table, so that it has a row for each time",
                           count, last)});
}

}  // namespace casp::data
