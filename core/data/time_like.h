#pragma once
// Times written as a file writes its own.

#include <string>
#include <string_view>
#include <vector>

#include "data/table.h"

namespace casp::data {

/// A time (as Table::time) in the format of the file's last row, a cell for each of Format::time_columns:
/// order and separators of the date, digits of the year, seconds and their decimals, AM or PM are the cell's,
/// and so is a UTC offset, unless the zone is known; TimeCells gives what one cell does not show. Seconds and
/// decimals that the cell does not have are added if they are not zero; so is the time of day, unless it has
/// a column.
[[nodiscard]] std::vector<std::string> time_cells_like(const TimeCells& cells, double seconds,
                                                       const LocalTime& local);

/// Whether the times are times of day, without dates.
[[nodiscard]] bool are_clocks(const TimeCells& cells);

/// Whether the file gives UTC (Unix times) or UTC offsets.
[[nodiscard]] bool are_utc(const TimeCells& cells);

/// Seconds by which the local time of the cell is ahead of UTC; 0 without an offset.
[[nodiscard]] double utc_offset_of(std::string_view sample, TimeReading how);

}  // namespace casp::data
