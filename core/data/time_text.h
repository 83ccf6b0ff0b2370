#pragma once
// Parsing and formatting of dates and times.

#include <string>
#include <string_view>

namespace casp::data {

/// A parsed date or time; the order of day and month may be undecided.
struct TimeText {
    bool has_date = false;
    bool has_clock = false;
    bool year_first =
        false;  ///< year, month, day; else `first` and `second` are day and month in undecided order
    int year = 0;
    int first = 0;
    int second = 0;
    double seconds = 0;  ///< since midnight; minus the UTC offset if given
    bool has_offset = false;
    double offset = 0;        ///< seconds by which the local time is ahead of UTC
    bool short_year = false;  ///< two digits; so has `first`, which may be the year: 21/03/03
    bool has_form = false;    ///< the date is in one of the forms of date_forms.h
    bool short_date = false;  ///< day or month has one digit
    bool short_hour = false;  ///< the hour has one digit
    bool end_of_day = false;  ///< 24:00
};

/// How a column writes its times, where one cell does not show it.
struct TimeReading {
    bool digits = false;        ///< a number is a date: 20160701, 201607011230, 1949 (read_digits())
    bool dotted_clock = false;  ///< 12.30.00 is a time of day
};

/// Parses "2016-07-01", "2016/7/1 2:00", "2016-07-01T02:00:00.25+02:00", "01.07.2016 02:00", "7/1/16 2:00
/// PM", "02:00:30", "20160701T020000Z", "2016年7月1日 2时", and the forms of date_forms.h with or without a
/// time of day. 24:00 is midnight at the end of the day. Two-digit years mean 1970 to 2069. Returns false for
/// any other text. Of a span, "01.01.2020 00:00 - 01.01.2020 01:00", the beginning.
[[nodiscard]] bool read_time(std::string_view text, TimeText& time, TimeReading how = {});

/// The text before " - "; of any other text all of it.
[[nodiscard]] std::string_view beginning_of_span(std::string_view text);

/// Seconds since 1970 of date and time; NaN if the date does not exist in that order of day and month.
[[nodiscard]] double seconds_since_1970(const TimeText& time, bool month_first);

/// The same of a date with a short year, as if it began with the year.
[[nodiscard]] double seconds_with_year_first(const TimeText& time);

/// "2016-07-01 00:00:00", with up to 3 decimals as needed; "?" for NaN and beyond the year 30,000.
[[nodiscard]] std::string format_time(double seconds);

}  // namespace casp::data
