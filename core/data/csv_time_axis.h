#pragma once
// The time axis of a table, from the cells of its time columns.

#include "data/csv_detect.h"
#include "data/csv_parse.h"

namespace casp::data {

/// Builds Table::time from `cells`, which lose it, oldest row first: chooses the order of day, month and
/// year, joins the columns, turns or sorts the rows, and applies the zone. Throws an input Error for times
/// that are not in the form that the options set.
void build_time_axis(Table& table, Cells& cells, const Layout& layout, const CsvOptions& options);

}  // namespace casp::data
