#include "data/calendar_step.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <unordered_map>
#include <utility>
#include <vector>

#include "util/marked_text.h"

namespace casp::data {

namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::weekday;

constexpr double seconds_per_day = 86'400;
constexpr double seconds_per_month = 365.2425 / 12 * seconds_per_day;
constexpr unsigned month_end = 31;

/// Local date and seconds since its midnight.
struct LocalDay {
    sys_days day;
    double clock = 0;
};

LocalDay local_day(double time, const LocalTime& local) {
    time += local.offset_at(time);
    const double whole = std::floor(time / seconds_per_day);
    return {sys_days(days(static_cast<std::int64_t>(whole))), time - whole * seconds_per_day};
}

double time_of(const LocalDay& at, const LocalTime& local) {
    return local.to_utc(static_cast<double>(at.day.time_since_epoch().count()) * seconds_per_day + at.clock);
}

/// Days or weeks of a zone, which are an hour shorter or longer twice a year.
bool is_local_days(const Step& step) {
    return step.local.zone != nullptr && step.is_known() && std::fmod(step.seconds, seconds_per_day) == 0;
}

bool is_weekend(sys_days day) { return weekday(day).iso_encoding() > 5; }

std::int64_t floor_division(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Business days since the first Monday before 1970; a weekend has the number of the Friday before it.
std::int64_t business_day_number(sys_days day) {
    const std::int64_t since_monday = day.time_since_epoch().count() + 3;  // 1970 began on a Thursday
    const auto week = floor_division(since_monday, 7);
    return 5 * week + std::min<std::int64_t>(since_monday - 7 * week, 4);
}

sys_days business_day(std::int64_t number) {
    const auto week = floor_division(number, 5);
    return sys_days(days(7 * week + (number - 5 * week) - 3));
}

/// Months since the year 0.
std::int64_t month_number(sys_days day) {
    const std::chrono::year_month_day date(day);
    return static_cast<int>(date.year()) * 12LL + static_cast<unsigned>(date.month()) - 1;
}

/// The day of a month on which the step has its row.
sys_days day_in_month(std::int64_t month_number, const Step& step) {
    using namespace std::chrono;
    const year_month month = year{0} / January + months(month_number);
    const unsigned last = static_cast<unsigned>((month / std::chrono::last).day());
    sys_days at = month / static_cast<int>(std::min(step.day, last));
    if (step.business_days && is_weekend(at)) {
        const auto after_friday = days(weekday(at).iso_encoding() - 5);
        at = step.day > 15 ? at - after_friday : at + (days(3) - after_friday);
    }
    return at;
}

bool same_time(double a, double b) { return std::llround(a * 1000) == std::llround(b * 1000); }

/// Neighbouring times between which a whole number of steps lies.
std::int64_t pairs_on_grid(std::span<const double> times, const Step& step) {
    std::int64_t count = 0;
    double before = NAN;
    for (const double time : times) {
        if (!is_time(time)) continue;
        if (time > before) {
            const auto steps = std::llround(step.steps_between(before, time));
            count += steps > 0 && same_time(step.after(before, steps), time) ? 1 : 0;
        }
        before = time;
    }
    return count;
}

/// The step in calendar months nearest to `step`, on the day of the month that fits most times.
std::pair<Step, std::int64_t> in_months(std::span<const double> times, Step step) {
    step.months = std::max<std::int64_t>(1, std::llround(step.seconds / seconds_per_month));
    std::array<std::int64_t, 32> rows_on{};
    for (const double time : times) {
        if (!is_time(time)) continue;
        const std::chrono::year_month_day date(local_day(time, step.local).day);
        ++rows_on.at(static_cast<unsigned>(date.day()));
    }
    const auto usual_day = rows_on.rend() - std::max_element(rows_on.rbegin(), rows_on.rend()) - 1;
    auto best = step;
    std::int64_t most = -1;
    const std::array<std::pair<unsigned, bool>, 4> candidates{
        {{month_end, false}, {static_cast<unsigned>(usual_day), false}, {month_end, true}, {1, true}}};
    for (const auto& [day, business] : candidates) {
        step.day = day;
        step.business_days = business;
        const auto fitting = pairs_on_grid(times, step);
        if (fitting <= most) continue;
        most = fitting;
        best = step;
    }
    return {best, most};
}

/// Whether rows that are usually a day apart leave out the weekends.
bool skips_weekends(std::span<const double> times, const LocalTime& local) {
    constexpr std::int64_t rows_per_weekend_row = 50;
    std::int64_t rows = 0, on_weekend = 0, weekends = 0;
    std::int64_t before = 0;
    for (const double time : times) {
        if (!is_time(time)) continue;
        const auto day = local_day(time, local).day;
        if (is_weekend(day)) {
            ++on_weekend;
            continue;
        }
        const auto week = floor_division(day.time_since_epoch().count() + 3, 7);
        if (rows++ > 0 && week > before) ++weekends;
        before = week;
    }
    return weekends > 0 && on_weekend * rows_per_weekend_row <= rows;
}

Phrase counted_unit(double count, const char* one, const char* several) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.6g", count);
    return {count == 1 ? one : several, std::string(buffer)};
}

}  // namespace

bool is_time(double seconds) { return std::abs(seconds) < 1e11; }

double Step::after(double time, std::int64_t rows) const {
    double next = time + static_cast<double>(rows) * seconds;
    if (months > 0) {
        auto at = local_day(time, local);
        at.day = day_in_month(month_number(at.day) + rows * months, *this);
        next = time_of(at, local);
    } else if (business_days) {
        auto at = local_day(time, local);
        at.day = business_day(business_day_number(at.day) + rows);
        next = time_of(at, local);
    } else if (is_local_days(*this)) {
        auto at = local_day(time, local);
        at.day += days(rows * std::llround(seconds / seconds_per_day));
        next = time_of(at, local);
    } else if (clocks) {
        next -= std::floor(next / seconds_per_day) * seconds_per_day;
    }
    return std::round(next * 1000) / 1000;  // without the rounding errors of many steps
}

bool Step::leads(double from, double to) const {
    const bool in_days = is_calendar() || is_local_days(*this);
    if (in_days && (!is_time(from) || !is_time(to))) return false;
    const double next = after(from);
    return same_time(next, to) || (clocks && same_time(next + seconds_per_day, to));  // 24:00
}

double Step::steps_between(double from, double to) const {
    const bool in_days = is_calendar() || is_local_days(*this);
    if (!in_days || !is_time(from) || !is_time(to)) return (to - from) / seconds;
    const auto first = local_day(from, local);
    const auto last = local_day(to, local);
    const double clock_days = (last.clock - first.clock) / seconds_per_day;
    if (!is_calendar())
        return (static_cast<double>((last.day - first.day).count()) + clock_days) * seconds_per_day / seconds;
    if (months == 0)
        return static_cast<double>(business_day_number(last.day) - business_day_number(first.day)) +
               clock_days;
    const auto whole = floor_division(month_number(last.day) - month_number(first.day), months);
    return static_cast<double>(whole) +
           (to - after(from, whole)) / (static_cast<double>(months) * seconds_per_month);
}

std::int64_t missing_rows(const Step& step, double from, double to) {
    const double steps = step.steps_between(from, to);
    // An hour of daylight saving in a day or month is no sign of a step of another kind.
    const double tolerance = step.is_calendar() ? 0.05 : 1e-6;
    const double whole = std::round(steps);
    if (std::abs(steps - whole) > tolerance || !(std::abs(whole) < 1e9)) return -1;
    return std::max<std::int64_t>(0, static_cast<std::int64_t>(whole) - 1);
}

bool same_frequency(const Step& a, const Step& b) {
    if (a.is_calendar() || b.is_calendar())
        return a.months == b.months && (a.months > 0 || a.business_days == b.business_days);
    return a.seconds == b.seconds;
}

UsualStep usual_step(std::span<const double> time) {
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

namespace {

/// The most frequent difference: of local times if it is of whole days, which are not equally long in UTC.
UsualStep usual_step_in(std::span<const double> times, const LocalTime& local) {
    if (local.zone != nullptr) {
        std::vector<double> shown(times.begin(), times.end());
        for (double& time : shown) time = local.shown(time);
        const auto usual = usual_step(shown);
        if (usual.seconds > 0 && std::fmod(usual.seconds, seconds_per_day) == 0) return usual;
    }
    return usual_step(times);
}

/// Of clocks that are not exact: the middle step, rounded to a unit that most steps are near to; 0: none is.
double middle_step(std::span<const double> times) {
    std::vector<double> steps;
    double before = NAN;
    for (const double time : times) {
        if (std::isnan(time)) continue;
        if (time > before) steps.push_back(time - before);
        before = time;
    }
    if (steps.size() < 10) return 0;
    const auto middle = steps.begin() + std::ssize(steps) / 2;
    std::nth_element(steps.begin(), middle, steps.end());
    static constexpr std::array<double, 29> units{
        1,   2,   3,   4,   5,   6,    10,   12,   15,   20,    30,    60,    120,   180,  240,
        300, 360, 600, 720, 900, 1200, 1800, 3600, 7200, 10800, 14400, 21600, 43200, 86400};
    const double unit = *std::ranges::min_element(
        units, [&](double a, double b) { return std::abs(a / *middle - 1) < std::abs(b / *middle - 1); });
    const auto near =
        std::ranges::count_if(steps, [unit](double step) { return std::abs(step / unit - 1) < 0.25; });
    return std::abs(*middle / unit - 1) < 0.02 && near * 5 >= std::ssize(steps) * 4 ? unit : 0;
}

}  // namespace

Step detect_step(std::span<const double> times, const LocalTime& local, bool clocks) {
    constexpr double shortest_month = 28 * seconds_per_day;
    auto usual = usual_step_in(times, local);
    if (usual.count * 2 < usual.rising)
        if (const double middle = middle_step(times); middle > 0) usual.seconds = middle;
    Step step;
    step.seconds = usual.seconds;
    step.local = local;
    step.clocks = clocks;
    if (step.seconds >= shortest_month) {
        const auto [months, fitting] = in_months(times, step);
        if (fitting >= usual.count && 2 * fitting >= usual.rising) return months;
    }
    step.business_days = step.seconds == seconds_per_day && skips_weekends(times, local);
    return step;
}

Phrase frequency_name(const Step& step) {
    if (step.months > 0)
        return step.months % 12 == 0 ? counted_unit(static_cast<double>(step.months) / 12,
                                                    CASP_TEXT("%1 year"), CASP_TEXT("%1 years"))
                                     : counted_unit(static_cast<double>(step.months), CASP_TEXT("%1 month"),
                                                    CASP_TEXT("%1 months"));
    if (step.business_days) return CASP_TEXT("1 business day");
    if (!step.is_known()) return CASP_TEXT("unknown");
    struct Unit {
        double seconds;
        const char *one, *several;
    };
    static constexpr std::array<Unit, 5> units{{{604800, CASP_TEXT("%1 week"), CASP_TEXT("%1 weeks")},
                                                {86400, CASP_TEXT("%1 day"), CASP_TEXT("%1 days")},
                                                {3600, CASP_TEXT("%1 hour"), CASP_TEXT("%1 hours")},
                                                {60, CASP_TEXT("%1 minute"), CASP_TEXT("%1 minutes")},
                                                {1, CASP_TEXT("%1 second"), CASP_TEXT("%1 seconds")}}};
    for (const auto& unit : units) {
        const double n = step.seconds / unit.seconds;
        if (n >= 1 && (n == std::floor(n) || unit.seconds == 1))
            return counted_unit(n, unit.one, unit.several);
    }
    return counted_unit(step.seconds, CASP_TEXT("%1 second"), CASP_TEXT("%1 seconds"));
}

Phrase frequency_name(double step_seconds) {
    Step step;
    step.seconds = step_seconds;
    return frequency_name(step);
}

std::int64_t season_of(const Step& step) {
    constexpr double day = 86400;
    if (step.months > 0) return step.months % 12 == 0 ? 1 : 12 % step.months == 0 ? 12 / step.months : 0;
    if (step.business_days) return 5;
    if (!step.is_known()) return 0;
    if (step.seconds < day) {
        const double rows = day / step.seconds;
        return std::abs(rows - std::round(rows)) < 1e-6 ? std::llround(rows) : 0;
    }
    const double days = step.seconds / day;
    if (days == 1) return 7;
    if (days == 7) return 52;
    if (days >= 28 && days <= 31) return 12;
    if (days >= 89 && days <= 92) return 4;
    return days >= 365 && days <= 366 ? 1 : 0;
}

}  // namespace casp::data
