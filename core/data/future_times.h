#pragma once
// Times of the rows after the last one of a table, and of the last ones, in the file's format.

#include <cstdint>
#include <string>
#include <vector>

#include "data/table.h"

namespace casp::data {

struct FutureTimes {
    std::vector<std::string> columns;             ///< of `cells`: time columns, row numbers, or none
    std::vector<double> seconds;                  ///< [rows] as Table::time; empty without a time axis
    std::vector<std::vector<std::string>> cells;  ///< [rows, columns] in the file's own format
    std::int64_t holidays = 0;                    ///< business days that the last rows leave out
    LocalTime local;                              ///< of `seconds`
};

/// Continues the time axis by `rows` rows at the step of the last `lookback` rows (calendar_step.h): seconds,
/// calendar months or business days. Times without a date begin anew at midnight; a UTC offset stays that of
/// the last row. Without a time axis, a column of row numbers (Table::row_numbers) is continued.
/// `fallback_step`: for a table of one row. `known`: as many last rows of the table precede the others in the
/// result.
///
/// Throws an input Error with the file's line if one of the last `lookback` times (at least two) is missing,
/// repeated, earlier than the one before or off the step; up to five business days in a row may be missing.
[[nodiscard]] FutureTimes future_times(const Table& table, std::int64_t lookback, std::int64_t rows,
                                       const Step& fallback_step, std::int64_t known = 0);

}  // namespace casp::data
