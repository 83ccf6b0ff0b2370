#pragma once
// Parts of a time in separate columns.

#include <cstdint>

namespace casp::data {

/// What a column of numbers means in the time axis.
enum class TimePart : std::uint8_t {
    whole,  ///< the whole time, in a NumberForm
    year,
    month,
    day,
    day_of_year,
    hour,
    minute,
    second,
    hour_minute,         ///< 1345 is 13:45
    hour_minute_second,  ///< 134500 likewise
    half_hour,           ///< of the day, counted from 0 or 1
    quarter_hour
};

}  // namespace casp::data
