#pragma once
// Numeric columns that are a clock, a counter or numbers of rows, and tables that have times as columns.

#include <vector>

#include "data/csv_detect.h"
#include "data/table.h"

namespace casp::data {

/// What a column that rises evenly is.
enum class Counter {
    no,
    row_numbers,  ///< numbers of rows, or elapsed time: no channel
    channel       ///< perhaps
};

/// What a numeric column is by its name and its values from row to row.
[[nodiscard]] Counter counter_kind(const Layout& layout, const ColumnLayout& column,
                                   const std::vector<double>& values, const CsvOptions& options);

/// Whether all steps from value to value are alike, up to the rounding of decimals.
[[nodiscard]] bool rises_evenly(const std::vector<double>& values);

/// Warns of channels that repeat a part of the time axis, such as a column "hour" beside the dates, and of
/// those whose name says a time although they were not read as one.
void check_clock_channels(Table& table);

/// Warns of columns that are times: a table without a time axis whose columns are called 1960, 1961 or
/// 2020-01, 2020-02, or one with a row for each day whose columns are called H1, H2 or 00:30, 01:00.
void check_direction(Table& table);

}  // namespace casp::data
