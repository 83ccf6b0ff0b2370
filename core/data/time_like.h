#pragma once
// Times written as a file writes its own.

#include <string>
#include <string_view>

#include "data/table.h"

namespace casp::data {

/// `seconds` (as Table::time) in the format of `sample`, a cell that read_time() accepts: order and
/// separators of the date, digits of the year, seconds and their decimals, AM or PM, and the UTC offset are
/// the sample's; `cells` gives what one cell does not show. Seconds and decimals that the sample does not
/// have are added if they are not zero; so is the time of day, unless `has_clock_column`.
[[nodiscard]] std::string time_like(std::string_view sample, double seconds, const TimeCells& cells,
                                    bool has_clock_column);

/// Seconds by which the local time of the cell is ahead of UTC; 0 without an offset.
[[nodiscard]] double utc_offset_of(std::string_view sample);

}  // namespace casp::data
