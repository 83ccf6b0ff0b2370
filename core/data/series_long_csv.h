#pragma once
// CSV files with a row per value: the columns unique_id, ds and y of Nixtla's libraries.

#include <filesystem>
#include <stop_token>

#include "data/series_collection.h"
#include "data/series_csv.h"

namespace casp::data {

/// Whether the header has the columns unique_id, ds and y.
[[nodiscard]] bool has_long_header(const SeriesText& text);

/// Reads a file with a row per value. Series are in the order of their first rows; the rows of different
/// series may alternate. `ds` holds dates that begin with the year, or integers, and must increase within a
/// series. The last H values of a series are its test values. Without data.frequency, the median step of the
/// dates decides; without data.horizon, H is that of the frequency. Adds no warnings. Throws as
/// read_collection().
[[nodiscard]] SeriesCollection read_long_csv(const std::filesystem::path& path,
                                             const CollectionOptions& options, const ProgressFn& progress,
                                             const std::stop_token& stop);

}  // namespace casp::data
