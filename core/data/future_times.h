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
};

/// Continues the time axis by `rows` rows at the step of the last `lookback` rows: a number of seconds, or of
/// calendar months if these fit better (the end of a month stays the end). Times without a date begin anew
/// at midnight; a UTC offset stays that of the last row. Without a time axis, a column of row numbers
/// (Table::row_numbers) is continued. `fallback_step`: seconds, for a table of one row. `known`: as many last
/// rows of the table precede the others in the result.
///
/// Throws an input Error with the file's line if one of the last `lookback` times (at least two) is missing,
/// repeated, earlier than the one before or off the step.
[[nodiscard]] FutureTimes future_times(const Table& table, std::int64_t lookback, std::int64_t rows,
                                       double fallback_step, std::int64_t known = 0);

}  // namespace casp::data
