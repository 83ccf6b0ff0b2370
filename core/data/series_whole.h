#pragma once
// Files of series, before they are divided into training and test values: M4's, which has two files, and
// those in which nothing separates the two: Monash's .tsf (a header of @ lines, then a line per series), JSON
// lines as GluonTS writes them, and CSV files with a row per value.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "data/series_collection.h"
#include "data/series_csv.h"
#include "util/error.h"
#include "util/progress.h"

namespace casp::data {

/// Series as their files have them: in the order of the file, with their values in the order of their times.
struct WholeSeries {
    std::filesystem::path path;
    SeriesFile file;  ///< here NaN is a missing value
    /// [values] line of each value; empty: a line per series, `file.lines`.
    std::vector<std::int64_t> value_lines;
    Frequency frequency;
    std::int64_t horizon = 0;  ///< that the file asks for; 0: none
    std::vector<Warning> warnings;
    std::vector<Reading> readings;
    /// For a cell that is no number, which counts as missing where the policy treats missing values.
    std::optional<Error> no_number;
    /// M4: the values of `file` are training values, those of this file test values.
    std::filesystem::path test_path;
    SeriesFile test;

    [[nodiscard]] std::string sha256() const;  ///< of the content of all files
};

/// Reads a data set with the reader of `path`, of which the options' horizon and policy decide nothing.
/// Throws as read_collection().
[[nodiscard]] WholeSeries read_series(const std::filesystem::path& path, const CollectionOptions& options,
                                      const ProgressFn& progress, const std::stop_token& stop);

/// The collection of these series. Of M4, all have H test values: those of the options, else of the first
/// series. Otherwise the test values are the last H of each series. H is that of the options, else of the
/// file, else of M4's frequency, else the default of data.horizon; what the options do not demand is
/// shortened to what the shortest series allows, with a warning. Missing values at both ends of a series are
/// left out; those between values are treated by the options' policy (unset: as `interpolate`), each with a
/// warning. Throws an input Error for missing values under `error` or `keep`, a series without values or with
/// fewer than 2 H + 1, and an id that occurs twice.
[[nodiscard]] SeriesCollection divided(const WholeSeries& whole, const CollectionOptions& options);

/// divided() of the two files of M4.
[[nodiscard]] SeriesCollection joined_files(const WholeSeries& whole, const CollectionOptions& options);

/// The Error for series whose frequency neither the settings nor the file gives. `why`: completes "not set,
/// and".
[[nodiscard]] Error frequency_unknown(const Phrase& why);

/// The frequency of the options, else that which the file calls `name` in its field `field`
/// (frequency_of_name()). Throws an input Error without either, and for a name that is not known.
[[nodiscard]] Frequency stated_frequency(const std::string& name, const std::string& field,
                                         const CollectionOptions& options, const std::string& where);

/// Reads M4's files, as read_series().
[[nodiscard]] WholeSeries read_m4(const std::filesystem::path& path, const CollectionOptions& options,
                                  const ProgressFn& progress, const std::stop_token& stop);

/// Whether a file that begins with `head` is one: after comments, its first line is \@relation, \@attribute,
/// \@frequency or another of its words.
[[nodiscard]] bool begins_as_tsf(std::string_view head);

/// Reads a .tsf file in UTF-8 or Latin-1. A series' id is its attribute `series_name`, else its first text
/// attribute, else its number. `?` is a missing value. \@frequency gives the frequency unless the options do,
/// \@horizon the horizon unless the options do. Throws as read_collection(), and for a header without
/// \@attribute or \@data, a line with another number of fields, and a frequency that is not known.
[[nodiscard]] WholeSeries read_tsf(const std::filesystem::path& path, const CollectionOptions& options,
                                   const ProgressFn& progress, const std::stop_token& stop);

/// Whether a file that begins with `head` is one: an object with a member "target".
[[nodiscard]] bool begins_as_json_lines(std::string_view head);

/// Reads a file with a JSON object per line: `target`, an array of numbers (null, NaN and "NaN": missing);
/// `item_id`, text or a number (without it: the number of the line); `freq`, the frequency as pandas writes
/// it, unless the options give it. `start` is not needed; other keys are left out, with one warning that
/// names them. Throws as read_collection(), and for a line that is no such object, a target of several
/// dimensions, and series of different frequencies.
[[nodiscard]] WholeSeries read_json_lines(const std::filesystem::path& path, const CollectionOptions& options,
                                          const ProgressFn& progress, const std::stop_token& stop);

/// Reads a file with a row per value, as the reader of tables reads its times and numbers (csv_import.h, with
/// the options' corrections). The columns are found by their names (long_columns.h); data.columns names the
/// value where the names leave it open. Series are in the order of their first rows; the rows of different
/// series may alternate, and those of a series that are not in the order of their times are sorted, with a
/// warning. Times are those of the table's time axis, or whole numbers. Without data.frequency, the median
/// step decides; other steps are taken as that one, with a warning. Throws as read_collection(), and for a
/// file without such columns, several columns that may be the value, a row without an id, a time that cannot
/// be read, and two rows of a series with the same time.
[[nodiscard]] WholeSeries read_long_csv(const std::filesystem::path& path, const CollectionOptions& options,
                                        const ProgressFn& progress, const std::stop_token& stop);

}  // namespace casp::data
