#include "data/time_like.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "data/csv_text.h"
#include "data/time_text.h"

namespace casp::data {

namespace {

/// "07", or "7" if `one_digit` suffices.
std::string two_digits(int value, bool one_digit = false) {
    return (value < 10 && !one_digit ? "0" : "") + std::to_string(value);
}

std::string four_digits(int year) {
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, "%04d", year);
    return buffer;
}

/// Number of digits at the beginning; removes them.
std::size_t take_digits(std::string_view& text) {
    std::size_t n = 0;
    while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
    text.remove_prefix(n);
    return n;
}

/// Position of "AM" or "PM" in any case; npos: none.
std::size_t half_day_at(std::string_view text) {
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
        if (std::string_view("AaPp").find(text[i]) != std::string_view::npos &&
            (text[i + 1] == 'M' || text[i + 1] == 'm'))
            return i;
    return std::string_view::npos;
}

/// The date at the beginning of `sample`, which is removed.
std::string date_like(std::string_view& sample, std::chrono::sys_days day, const TimeCells& cells) {
    const std::chrono::year_month_day date(day);
    const int year = static_cast<int>(date.year());
    const auto month = static_cast<int>(static_cast<unsigned>(date.month()));
    const auto of_month = static_cast<int>(static_cast<unsigned>(date.day()));
    const auto first_digits = take_digits(sample);
    if (first_digits == 8) return four_digits(year) + two_digits(month) + two_digits(of_month);
    const std::string separator(sample.substr(0, 1));
    sample.remove_prefix(1);
    take_digits(sample);
    sample.remove_prefix(1);
    const auto last_digits = take_digits(sample);
    const auto month_text = two_digits(month, cells.short_dates);
    const auto day_text = two_digits(of_month, cells.short_dates);
    if (first_digits == 4) return four_digits(year) + separator + month_text + separator + day_text;
    return (cells.month_first ? month_text + separator + day_text : day_text + separator + month_text) +
           separator + (last_digits == 4 ? four_digits(year) : two_digits(year % 100));
}

/// `sample` without its date; `milliseconds`: since midnight.
std::string clock_like(std::string_view sample, std::int64_t milliseconds, const TimeCells& cells) {
    auto hour = static_cast<int>(milliseconds / 3'600'000);
    const auto second = static_cast<int>(milliseconds / 1000 % 60);
    auto decimals_text = std::to_string(1000 + milliseconds % 1000).substr(1);
    const bool afternoon = hour >= 12;
    const bool half_days = half_day_at(sample) != std::string_view::npos;
    if (half_days) hour = hour % 12 == 0 ? 12 : hour % 12;
    take_digits(sample);
    sample.remove_prefix(1);
    take_digits(sample);
    std::string text =
        two_digits(hour, cells.short_hours) + ":" + two_digits(static_cast<int>(milliseconds / 60'000 % 60));
    const bool has_seconds = sample.starts_with(':');
    if (has_seconds) {
        sample.remove_prefix(1);
        take_digits(sample);
    }
    if (has_seconds || milliseconds % 60'000 != 0) text += ":" + two_digits(second);
    char point = '.';
    std::size_t decimals = 0;
    if (has_seconds && (sample.starts_with('.') || sample.starts_with(','))) {
        point = sample.front();
        sample.remove_prefix(1);
        decimals = take_digits(sample);
    }
    while (decimals < 3 && decimals_text.find_first_not_of('0', decimals) != std::string::npos) ++decimals;
    decimals_text.resize(decimals, '0');
    if (decimals > 0) text += point + decimals_text;
    std::string rest(sample);
    if (half_days) {
        auto& half = rest[half_day_at(rest)];
        const bool lower = half == 'a' || half == 'p';
        half = afternoon ? (lower ? 'p' : 'P') : (lower ? 'a' : 'A');
    }
    return text + rest;
}

}  // namespace

double utc_offset_of(std::string_view sample) {
    TimeText with;
    const auto colon = sample.find(':');
    if (!read_time(sample, with, {.digits = true}) || !with.has_offset || colon == std::string_view::npos)
        return 0;
    TimeText without;
    const bool readable =
        read_time(sample.substr(0, sample.find_first_of("+-ZzUG", colon)), without, {.digits = true});
    return readable ? without.seconds - with.seconds : 0;
}

std::string time_like(std::string_view sample, double seconds, const TimeCells& cells,
                      bool has_clock_column) {
    sample = trimmed(sample);
    TimeText time;
    if (!read_time(sample, time, {.digits = true})) return format_time(seconds);
    const std::chrono::sys_time<std::chrono::milliseconds> instant{
        std::chrono::milliseconds(std::llround((seconds + utc_offset_of(sample)) * 1000))};
    const auto day = std::chrono::floor<std::chrono::days>(instant);
    const std::int64_t of_day = (instant - day).count();
    if (!time.has_date) return clock_like(sample, of_day, cells);
    auto text = date_like(sample, day, cells);
    if (sample.empty())
        return has_clock_column || of_day == 0 ? text : text + " " + clock_like("00:00", of_day, cells);
    const auto clock = sample.find_first_of("0123456789");
    return text + std::string(sample.substr(0, clock)) + clock_like(sample.substr(clock), of_day, cells);
}

}  // namespace casp::data
