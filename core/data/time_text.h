#pragma once
// Dates and times as people write them.

#include <cstdint>
#include <string>
#include <string_view>

namespace casp::data {

/// A date or time whose order of day and month may still be open.
struct TimeText {
    bool has_date = false;
    bool has_clock = false;
    bool year_first = false;  ///< year, month, day; else `first` and `second` are day and month in open order
    int year = 0;
    int first = 0;
    int second = 0;
    double seconds = 0;  ///< since midnight; less the offset where one is given
    bool has_offset = false;
};

/// Reads "2016-07-01", "2016/7/1 2:00", "2016-07-01T02:00:00.25+02:00", "01.07.2016 02:00", "7/1/16 2:00 PM",
/// "02:00:30", and "20160701" where `compact` allows it. 24:00 is midnight at the day's end. Two-digit years
/// are 1970 to 2069. False where the text is none of these.
[[nodiscard]] bool read_time(std::string_view text, TimeText& time, bool compact = false);

/// Midnight of the date in seconds since 1970 plus the clock; NaN where the date does not exist in that
/// order.
[[nodiscard]] double seconds_since_1970(const TimeText& time, bool month_first);

/// "2016-07-01 00:00:00", with as many decimals (at most 3) as it takes. "?" for NaN.
[[nodiscard]] std::string format_time(double seconds);

}  // namespace casp::data
