#include "data/time_like.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

#include "data/csv_text.h"
#include "data/date_forms.h"
#include "data/table_checks.h"
#include "data/time_columns.h"
#include "data/time_text.h"

namespace casp::data {

namespace {

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
    const auto date = date_of(day);
    const auto year = padded(date.year, 4);
    const auto first_digits = take_digits(sample);
    if (first_digits == 8) return year + padded(date.month, 2) + padded(date.day, 2);
    const std::string separator(sample.substr(0, 1));
    sample.remove_prefix(1);
    take_digits(sample);
    sample.remove_prefix(1);
    const auto last_digits = take_digits(sample);
    const auto month_text = padded(date.month, cells.short_dates ? 1 : 2);
    const auto day_text = padded(date.day, cells.short_dates ? 1 : 2);
    if (first_digits == 4) return year + separator + month_text + separator + day_text;
    return (cells.month_first ? month_text + separator + day_text : day_text + separator + month_text) +
           separator + (last_digits == 4 ? year : padded(date.year % 100, 2));
}

/// `sample` without its date; `milliseconds`: since midnight.
std::string clock_like(std::string_view sample, std::int64_t milliseconds, const TimeCells& cells) {
    auto hour = static_cast<int>(milliseconds / 3'600'000);
    const auto second = static_cast<int>(milliseconds / 1000 % 60);
    auto decimals_text = std::to_string(1000 + milliseconds % 1000).substr(1);
    const bool afternoon = hour >= 12;
    const bool half_days = half_day_at(sample) != std::string_view::npos;
    if (half_days) hour = hour % 12 == 0 ? 12 : hour % 12;
    const auto digits = take_digits(sample);
    const bool basic = digits >= 4;  // 0230
    const std::string sign(basic ? "" : sample.substr(0, 1));
    if (!basic) {
        sample.remove_prefix(sign.size());
        take_digits(sample);
    }
    std::string text = padded(hour, cells.short_hours ? 1 : 2) + sign +
                       padded(static_cast<int>(milliseconds / 60'000 % 60), 2);
    const bool has_seconds = basic ? digits == 6 : !sign.empty() && sample.starts_with(sign);
    if (has_seconds && !basic) {
        sample.remove_prefix(sign.size());
        take_digits(sample);
    }
    if (has_seconds || milliseconds % 60'000 != 0) text += sign + padded(second, 2);
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

std::string digits_like(std::size_t count, std::chrono::sys_days day, std::int64_t milliseconds) {
    const auto date = date_of(day);
    auto text = padded(date.year, 4) + padded(date.month, 2) + padded(date.day, 2);
    for (const int unit : {3'600'000, 60'000, 1000})
        text += padded(static_cast<int>(milliseconds / unit % (unit == 3'600'000 ? 25 : 60)), 2);
    return text.substr(0, count);
}

/// A local time in the format of `sample`; empty if that cannot be read.
std::string written_like(std::string_view sample, double seconds, const TimeCells& cells,
                         bool has_clock_column) {
    sample = trimmed(sample);
    TimeText time;
    if (!read_time(sample, time, cells.how)) return {};
    sample = beginning_of_span(sample);
    const std::chrono::sys_time<std::chrono::milliseconds> instant{
        std::chrono::milliseconds(std::llround(seconds * 1000))};
    auto day = std::chrono::floor<std::chrono::days>(instant);
    std::int64_t of_day = (instant - day).count();
    if (of_day == 0 && cells.ends_days_at_24 && (time.has_clock || has_clock_column)) {
        day -= std::chrono::days(1);
        of_day = 86'400'000;
    }
    if (!time.has_date) return clock_like(sample, of_day, cells);
    if (cells.how.digits && sample.find_first_not_of("0123456789") == std::string_view::npos)
        return digits_like(sample.size(), day, of_day);
    auto text = time.has_form ? write_date(sample, day, cells.short_dates) : date_like(sample, day, cells);
    if (sample.empty())
        return has_clock_column || of_day == 0 ? text : text + " " + clock_like("00:00", of_day, cells);
    const auto clock = std::min(sample.find_first_of("0123456789"), sample.size());
    return text + std::string(sample.substr(0, clock)) + clock_like(sample.substr(clock), of_day, cells);
}

/// written_like() if it is read as that time again, else in ISO 8601.
std::string time_like(std::string_view sample, double seconds, const TimeCells& cells,
                      bool has_clock_column) {
    if (cells.short_year_first) return format_time(seconds);
    auto text = written_like(sample, seconds, cells, has_clock_column);
    TimeText time;
    if (read_time(text, time, cells.how)) {
        const double read = seconds_since_1970(time, cells.month_first) + time.offset;
        const double of_day = seconds - std::floor(seconds / 86'400) * 86'400;
        const double at_24 = cells.ends_days_at_24 && of_day == 0 ? 86'400 : 0;
        const double expected = !time.has_date     ? (of_day == 0 && at_24 > 0 ? at_24 : of_day)
                                : has_clock_column ? seconds - (at_24 > 0 ? at_24 : of_day)
                                                   : seconds;
        if (std::abs(read - expected) < 0.001) return text;
    }
    return format_time(seconds);
}

/// Where "+02:00" or "-0500" begins; npos: the cell does not end with such an offset.
std::size_t numeric_offset_at(std::string_view cell) {
    const auto at = cell.find_last_of("+-");
    const bool ends_there = at != std::string_view::npos &&
                            cell.find_first_not_of("0123456789:", at + 1) == std::string_view::npos;
    return ends_there ? at : std::string_view::npos;
}

/// The cell with another offset, written in the same way.
std::string with_offset(const std::string& cell, double offset) {
    const auto at = numeric_offset_at(cell);
    const auto minutes = static_cast<int>(std::llround(std::abs(offset) / 60));
    const bool has_colon = cell.find(':', at) != std::string::npos;
    const bool hours_only = cell.size() - at <= 3 && minutes % 60 == 0;
    return cell.substr(0, at) + (offset < 0 ? "-" : "+") + padded(minutes / 60, 2) +
           (hours_only ? "" : (has_colon || cell.size() - at <= 3 ? ":" : "") + padded(minutes % 60, 2));
}

}  // namespace

double utc_offset_of(std::string_view sample, TimeReading how) {
    TimeText time;
    return read_time(sample, time, how) ? time.offset : 0;
}

std::vector<std::string> time_cells_like(const TimeCells& cells, double seconds, const LocalTime& local) {
    const bool is_utc = are_utc(cells);
    if (cells.unix_scale > 0) {
        if (!is_utc) seconds = local.shown(seconds);
        const double number = (std::round(seconds * 1000) / 1000 - cells.unix_offset) / cells.unix_scale;
        return {number == std::floor(number) ? std::to_string(static_cast<std::int64_t>(number))
                                             : number_text(number)};
    }
    // An offset is in the last cell; one without digits ("Z") is kept.
    const std::string end = cells.last.empty() ? std::string() : cells.last.back();
    const bool has_numbers = is_utc && numeric_offset_at(end) != std::string::npos;
    const bool in_zone = local.zone != nullptr && (!is_utc || has_numbers);
    const double offset = in_zone ? local.offset_at(seconds) : utc_offset_of(end, cells.how);
    std::vector<std::string> texts;
    auto sample = cells.last.begin();
    for (const auto part : cells.parts) {
        const bool is_text = part == TimePart::whole && sample != cells.last.end();
        texts.push_back(is_text ? time_like(*sample++, seconds + offset, cells, cells.parts.size() > 1)
                                : std::to_string(part_of_time(part, seconds + offset, cells.hour_ending)));
    }
    if (in_zone && has_numbers) texts.back() = with_offset(texts.back(), offset);
    return texts;
}

bool are_clocks(const TimeCells& cells) {
    TimeText time;
    return cells.last.size() == 1 && cells.parts.size() == 1 && read_time(cells.last[0], time, cells.how) &&
           !time.has_date;
}

bool are_utc(const TimeCells& cells) {
    if (cells.unix_scale > 0) return cells.unix_scale <= 1;  // others are days of a calendar
    TimeText time;
    return !cells.last.empty() && read_time(cells.last.back(), time, cells.how) && time.has_offset;
}

}  // namespace casp::data
