#include "data/future_times.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <span>

#include "data/describe.h"
#include "data/table_checks.h"
#include "data/time_like.h"
#include "data/time_text.h"
#include "util/error.h"

namespace casp::data {

namespace {

constexpr double seconds_per_day = 86'400;

/// Whether it is a time within three millennia from 1970; false for NaN.
bool is_time(double seconds) { return std::abs(seconds) < 1e11; }

/// Whether the times are times of day, which begin anew at midnight.
bool are_clocks(const Table& table) {
    TimeText time;
    const auto& last = table.time_cells.last;
    return last.size() == 1 && read_time(last[0], time) && !time.has_date;
}

/// A date as months since year 0, day of the month and seconds since midnight.
struct MonthTime {
    std::int64_t months = 0;
    unsigned day = 1;
    double seconds = 0;
};

unsigned last_day_of(std::int64_t months) {
    using namespace std::chrono;
    const year_month month = year{0} / January + std::chrono::months(months);
    return static_cast<unsigned>((month / last).day());
}

MonthTime month_time(double seconds) {
    using namespace std::chrono;
    const double days_since = std::floor(seconds / seconds_per_day);
    const year_month_day date(sys_days(days(static_cast<std::int64_t>(days_since))));
    return {static_cast<int>(date.year()) * 12LL + static_cast<unsigned>(date.month()) - 1,
            static_cast<unsigned>(date.day()), seconds - days_since * seconds_per_day};
}

double seconds_of(const MonthTime& time) {
    using namespace std::chrono;
    const year_month month = year{0} / January + std::chrono::months(time.months);
    const sys_days day = month / static_cast<int>(std::min(time.day, last_day_of(time.months)));
    return static_cast<double>(day.time_since_epoch().count()) * seconds_per_day + time.seconds;
}

/// From one row to the next.
struct TimeStep {
    double seconds = 0;       ///< the most frequent difference
    std::int64_t months = 0;  ///< > 0: calendar months instead
    unsigned day = 1;         ///< of calendar months: day of the month, if the month has it
    double local = 0;         ///< seconds added to get the local time
    bool clocks = false;

    [[nodiscard]] double after(double time) const {
        if (months > 0) {
            auto next = month_time(time + local);
            next.months += months;
            next.day = day;
            return seconds_of(next) - local;
        }
        return clocks ? std::fmod(time + seconds, seconds_per_day) : time + seconds;
    }
    [[nodiscard]] bool leads(double from, double to) const {
        return std::llround(after(from) * 1000) == std::llround(to * 1000);
    }
    [[nodiscard]] std::string name() const {
        if (months == 0) return frequency_name(seconds);
        return std::to_string(months) + (months == 1 ? " month" : " months");
    }
};

std::int64_t steps_that_fit(std::span<const double> times, const TimeStep& step) {
    std::int64_t count = 0;
    for (std::size_t i = 1; i < times.size(); ++i) count += step.leads(times[i - 1], times[i]) ? 1 : 0;
    return count;
}

/// The step in calendar months nearest to `step`, on the day of the month that fits most times.
TimeStep in_months(std::span<const double> times, TimeStep step) {
    constexpr double mean_month = 365.2425 / 12 * seconds_per_day;
    step.months = std::max<std::int64_t>(1, std::llround(step.seconds / mean_month));
    std::set<unsigned> days;
    bool month_ends = true;
    for (const double time : times) {
        const auto at = month_time(time + step.local);
        days.insert(at.day);
        month_ends = month_ends && at.day == last_day_of(at.months);
    }
    if (month_ends) days.insert(31);
    auto best = step;
    std::int64_t most = -1;
    for (auto day = days.rbegin(); day != days.rend(); ++day) {
        step.day = *day;
        const auto fitting = steps_that_fit(times, step);
        if (fitting <= most) continue;
        most = fitting;
        best = step;
    }
    return best;
}

TimeStep step_of(const Table& table, std::span<const double> times, double usual) {
    constexpr double shortest_month = 28 * seconds_per_day;
    TimeStep step;
    step.clocks = are_clocks(table);
    if (!table.time_cells.last.empty()) step.local = utc_offset_of(table.time_cells.last.back());
    step.seconds = times.size() > 1 ? usual_step({times.begin(), times.end()}).seconds : usual;
    if (step.seconds < shortest_month) return step;
    const auto months = in_months(times, step);
    return steps_that_fit(times, months) >= steps_that_fit(times, step) ? months : step;
}

Error irregular(const Table& table, std::int64_t row, const TimeStep& step) {
    const double time = table.time[static_cast<std::size_t>(row)];
    std::string found;
    if (!is_time(time)) {
        found = "the row has no time that can be read";
    } else {
        const double before = table.time[static_cast<std::size_t>(row - 1)];
        found = time == before ? "the time " + format_time(time) + " is repeated from the row before"
                : time < before
                    ? "the time goes back from " + format_time(before) + " to " + format_time(time)
                    : "the time " + format_time(time) + " follows " + format_time(before);
    }
    const auto expected = step.seconds > 0 ? "equal steps in the last rows (" + step.name() + ")"
                                           : std::string("rising times in equal steps in the last rows");
    return input_error(table.path.string() + ", line " + std::to_string(table.line_of(row)), found, expected,
                       "Correct the rows, or ignore the times with --set data.csv.time_column=none.");
}

std::vector<std::string> cells_of(const Table& table, double seconds) {
    const auto& known = table.time_cells;
    if (known.unix_scale > 0) {
        const double number = std::round(seconds * 1000) / 1000 / known.unix_scale;
        return {number == std::floor(number) ? std::to_string(static_cast<std::int64_t>(number))
                                             : number_text(number)};
    }
    std::vector<std::string> cells;
    const bool has_clock_column = known.last.size() > 1;
    // The offset, if any, is in the last cell.
    const double local = has_clock_column ? utc_offset_of(known.last[1]) : 0;
    for (std::size_t i = 0; i < known.last.size(); ++i)
        cells.push_back(time_like(known.last[i], seconds + (i == 0 ? local : 0), known, has_clock_column));
    return cells;
}

}  // namespace

FutureTimes future_times(const Table& table, std::int64_t lookback, std::int64_t rows, double fallback_step,
                         std::int64_t known) {
    FutureTimes future;
    if (table.time.empty()) {
        if (!table.row_numbers) return future;
        future.columns = {table.row_numbers->name};
        for (std::int64_t i = -known; i < rows; ++i)
            future.cells.push_back(
                {number_text(std::round((table.row_numbers->first +
                                         table.row_numbers->step * static_cast<double>(table.rows() + i)) *
                                        1e9) /
                             1e9)});
        return future;
    }
    future.columns = table.format.time_columns;
    const auto total = static_cast<std::int64_t>(table.time.size());
    const auto first = std::max<std::int64_t>(0, total - std::max<std::int64_t>(2, lookback));
    const std::span<const double> times(table.time.data() + first, static_cast<std::size_t>(total - first));
    for (auto row = first; row < total; ++row)
        if (!is_time(table.time[static_cast<std::size_t>(row)])) throw irregular(table, row, {});
    const auto step = step_of(table, times, fallback_step);
    for (auto row = first + 1; row < total; ++row) {
        const auto at = static_cast<std::size_t>(row);
        if (!(step.seconds > 0) || !step.leads(table.time[at - 1], table.time[at]))
            throw irregular(table, row, step);
    }
    if (!(step.seconds > 0))
        throw input_error(table.path.string(), "one row does not show the step of the times",
                          "at least two rows");
    const auto add = [&](double time) {
        future.seconds.push_back(time);
        future.cells.push_back(cells_of(table, time));
    };
    for (auto row = total - known; row < total; ++row) add(table.time[static_cast<std::size_t>(row)]);
    double time = table.time.back();
    for (std::int64_t i = 0; i < rows; ++i) {
        time = std::round(step.after(time) * 1000) / 1000;  // without the rounding errors of many steps
        add(time);
    }
    return future;
}

}  // namespace casp::data
