#pragma once
// Import of CSV files: format detection, parallel parsing and warnings.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "data/table.h"
#include "util/progress.h"

namespace casp::data {

/// Format of dates; `automatic` detects it from the content (rules in docs/data.md).
enum class TimeStyle {
    automatic,
    iso,
    day_first,
    month_first,
    year_first,  ///< two digits: 21/03/03
    digits,      ///< of a date: 20160701
    unix_seconds,
    unix_milliseconds,
    unix_microseconds,
    unix_nanoseconds,
    excel_days,
    matlab_days,
    julian_days,
    elapsed  ///< time since the first row
};

/// Corrections of the detection; what is not set is detected from the content. Settings: csv_settings.h.
struct CsvOptions {
    std::optional<char> delimiter;        ///< unset: comma, semicolon, tab, bar or space
    std::optional<char> decimal;          ///< '.' or ','
    std::optional<char> thousands;        ///< as Dialect::thousands; '\0': none
    std::optional<char> quote;            ///< '"' or '\''; '\0': quotes have no meaning
    std::optional<bool> header;           ///< whether the table begins with names
    std::int64_t first_line = 0;          ///< where the table begins, from 1; 0: detected
    std::int64_t header_lines = 0;        ///< lines of names; 0: detected
    std::int64_t unit_lines = -1;         ///< lines below the names that are no rows; −1: detected
    std::int64_t footer_lines = -1;       ///< lines at the end that are no rows; −1: detected
    std::optional<std::string> comment;   ///< sign at the beginning of lines that are no rows; empty: none
    std::optional<std::string> encoding;  ///< a name of data.csv.encoding
    std::vector<std::string> missing;     ///< texts of missing cells besides the usual ones (csv_text.cpp)
    /// Names of the date column, of the date and the time-of-day column, or of the columns of year, month,
    /// day and so on; empty list: no time axis.
    std::optional<std::vector<std::string>> time_columns;
    std::optional<bool> hour_ending;   ///< hours in a separate column count from 1 to 24
    std::string time_zone;             ///< IANA name for times without an offset; empty: none
    std::optional<bool> newest_first;  ///< the rows are in this order, or not
    bool keep_row_numbers = false;     ///< columns that rise evenly are channels
    TimeStyle time_style = TimeStyle::automatic;
    bool digest = true;  ///< compute Table::sha256 (in parallel with the parsing)
    int threads = 0;     ///< 0: all of the machine

    std::size_t max_columns = 100'000;        ///< more are an error
    std::size_t max_line_bytes = 64u << 20u;  ///< a longer line is an error

    bool operator==(const CsvOptions&) const = default;
};

/// Reads a CSV file.
///
/// Numbers are rounded correctly to double. Channels keep the order of the file. A missing, non-numeric or
/// infinite cell of a numeric column becomes NaN and is counted in Column::missing. Columns of text or row
/// numbers and empty columns are omitted. Table::warnings reports this by kind and line: at most 20 warnings
/// per kind and column, then one that counts the rest.
///
/// `progress` is called on the calling thread, in bytes. Throws Cancelled, and an input Error if the file
/// cannot be read or is not a table of numbers.
[[nodiscard]] Table import_csv(const std::filesystem::path& path, const CsvOptions& options = {},
                               const ProgressFn& progress = {}, std::stop_token stop = {});

/// Parses bytes in memory; `where` names the file in messages. Table::path is empty.
[[nodiscard]] Table parse_csv(std::string_view bytes, const std::string& where,
                              const CsvOptions& options = {}, const ProgressFn& progress = {},
                              std::stop_token stop = {});

}  // namespace casp::data
