#pragma once
// Times in columns of numbers: Unix times, days of spreadsheets, and columns of year, month, day and hour.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "data/csv_import.h"
#include "data/table.h"

namespace casp::data {

/// A way to write a time as one number: `seconds` since 1970 = number · scale + offset.
struct NumberForm {
    const char* name;
    TimeStyle style;
    double least, most;  ///< range of plausible numbers
    double scale;
    double offset;
};

/// All forms; a new one is a line.
[[nodiscard]] const std::vector<NumberForm>& number_forms();

/// The part that a column's name says ("Hour Ending": hour); TimePart::whole: none.
[[nodiscard]] TimePart part_of_name(std::string_view name);

/// Whether a name is an hour of the day: "H1", "HE 24", "Hour 07".
[[nodiscard]] bool names_hour(std::string_view name);

/// Whether a name speaks of hours that are counted by their end.
[[nodiscard]] bool names_hour_ending(std::string_view name);

/// Whether a name suggests a time or date.
[[nodiscard]] bool suggests_time(std::string_view name);

/// Whether a name says only that: "Time (UTC)", but not "time of flight".
[[nodiscard]] bool is_time_name(std::string_view name);

/// Whether a name suggests numbers of rows ("index", "No.").
[[nodiscard]] bool suggests_row_numbers(std::string_view name);

/// Seconds of the unit of elapsed time in a name ("Time (s)": 1, "t [ms]": 0.001, "elapsed": 0 for unknown);
/// negative: the name does not speak of elapsed time.
[[nodiscard]] double elapsed_unit(std::string_view name);

/// The number for a part of a time (seconds since 1970) in a separate column. `hour_ending`: hours count
/// from 1.
[[nodiscard]] std::int64_t part_of_time(TimePart part, double seconds, bool hour_ending = false);

/// Parts of one time axis.
struct TimeParts {
    /// [parts][rows] by TimePart; `whole` is a date in seconds since 1970. An empty part is not there; NaN:
    /// no value.
    std::array<std::vector<double>, 12> values;
    bool hour_ending = false;  ///< hours and their parts count from 1

    [[nodiscard]] const std::vector<double>& of(TimePart part) const {
        return values[static_cast<std::size_t>(part)];
    }
    [[nodiscard]] std::vector<double>& of(TimePart part) { return values[static_cast<std::size_t>(part)]; }
    /// Seconds since 1970 of `row`; NaN if a part is missing or out of range.
    [[nodiscard]] double at(std::size_t row) const;
};

/// Rounds times given with `decimals` decimals of days to whole hours, minutes or seconds if all of them are
/// that near to one.
void round_days(std::vector<double>& seconds, double scale, int decimals);

}  // namespace casp::data
