#pragma once
// Series of a file in which nothing separates test from training values.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "data/series_collection.h"
#include "data/series_csv.h"

namespace casp::data {

/// Series in the order of the file, with their values in the order of their times.
struct WholeSeries {
    SeriesFile file;  ///< here NaN is a missing value
    /// [values] line of each value; empty: a line per series, `file.lines`.
    std::vector<std::int64_t> value_lines;
    Frequency frequency;
    std::int64_t horizon = 0;  ///< that the file asks for; 0: none
    std::vector<Warning> warnings;
    std::vector<Reading> readings;
};

/// The collection whose test values are the last H of each series. H is that of the options, else of the
/// file, else of M4's frequency, else the default of data.horizon; what the options do not demand is
/// shortened to what the shortest series allows, with a warning. Missing values at both ends of a series are
/// left out; those between values are treated by the options' policy (unset: as `interpolate`), each with a
/// warning. Throws an input Error for missing values under `error` or `keep`, a series without values or with
/// fewer than 2 H + 1, and an id that occurs twice.
[[nodiscard]] SeriesCollection divided(WholeSeries whole, const std::filesystem::path& path,
                                       const CollectionOptions& options);

/// The Error for series whose frequency neither the settings nor the file gives. `why`: completes "not set,
/// and".
[[nodiscard]] Error frequency_unknown(const std::string& why);

/// The frequency of the options, else that which the file calls `name` in its field `field`
/// (frequency_of_name()). Throws an input Error without either, and for a name that is not known.
[[nodiscard]] Frequency stated_frequency(const std::string& name, const std::string& field,
                                         const CollectionOptions& options, const std::string& where);

}  // namespace casp::data
