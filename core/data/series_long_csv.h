#pragma once
// CSV files with a row per value: a column with the id of the series, one with the time, one with the value.

#include <filesystem>
#include <stop_token>

#include "data/series_collection.h"

namespace casp::data {

/// Reads a file with a row per value, as the reader of tables reads its times and numbers (csv_import.h, with
/// the options' corrections). The columns are found by their names (long_columns.h); data.columns names the
/// value where the names leave it open. Series are in the order of their first rows; the rows of different
/// series may alternate, and those of a series that are not in the order of their times are sorted, with a
/// warning. Times are those of the table's time axis, or whole numbers. Without data.frequency, the median
/// step decides; other steps are taken as that one, with a warning. Throws as read_collection(), and for a
/// file without such columns, several columns that may be the value, a row without an id, a time that cannot
/// be read, and two rows of a series with the same time.
[[nodiscard]] SeriesCollection read_long_csv(const std::filesystem::path& path,
                                             const CollectionOptions& options, const ProgressFn& progress,
                                             const std::stop_token& stop);

}  // namespace casp::data
