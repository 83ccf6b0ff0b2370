#pragma once
// What a CSV file becomes before anything is computed with it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace casp::data {

enum class WarningKind {
    ragged_row,
    bad_number,
    missing_value,
    duplicate_column,
    duplicate_time,
    non_monotonic_time,
    gap,
    constant_column,
    sentinel,
    not_a_number,
    infinite,
    encoding,
    text_column,
    index_column,  ///< a column of row numbers, left out
    time_format,   ///< the reading of the dates is a guess
    decimal_sign,  ///< the reading of the commas in numbers is a guess
    catalog,       ///< taken for a data set of the catalogue, whose bytes are others
    policy         ///< what the policy for missing values or sentinels did or does
};

/// The name of a kind for logs and JSON, e.g. "ragged_row".
[[nodiscard]] const char* to_string(WarningKind kind);

/// Something about the file that the user should know. `line` is 1-based and counts the header; 0: the whole
/// file.
struct Warning {
    WarningKind kind;
    std::int64_t line = 0;
    std::string column;      ///< empty: not about one column
    std::int64_t count = 1;  ///< how many times, where warnings of one kind and column are folded into one
    std::string text;        ///< one sentence for people
};

struct Column {
    std::string name;
    std::vector<double> values;  ///< [rows]; NaN where missing
    std::int64_t missing = 0;    ///< number of NaN that stand for missing cells
};

/// How the file was read; shown to the user, who can correct each of them.
struct Format {
    char delimiter = ',';
    char decimal = '.';
    char quote = '"';
    bool has_header = true;
    bool bom = false;
    std::string encoding = "UTF-8";         ///< "UTF-8", "Latin-1", "UTF-16LE", "UTF-16BE"
    std::string line_ending = "LF";         ///< "LF", "CRLF" or "CR"
    std::vector<std::string> time_columns;  ///< none, one, or two (date and time)
    std::string time_format;                ///< e.g. "ISO 8601", "day/month/year", "Unix seconds"
};

/// Numeric columns of equal length with an optional time axis.
struct Table {
    std::filesystem::path path;
    std::vector<Column> columns;  ///< channels in file order
    /// [rows] seconds since 1970, or empty. UTC where the file gives an offset, else the file's own clock
    /// read as if it were UTC. NaN where a cell could not be read (warned).
    std::vector<double> time;
    double step_seconds = 0;  ///< most frequent difference of `time`; 0: none
    Format format;
    std::vector<Warning> warnings;
    std::string md5;     ///< of the file's bytes, lower-case hex; empty unless asked for
    std::string sha256;  ///< likewise
    /// (row, line) wherever lines stop following rows one by one: first row, empty lines, cells with line
    /// breaks.
    std::vector<std::pair<std::int64_t, std::int64_t>> line_anchors;

    [[nodiscard]] std::int64_t rows() const {
        return columns.empty() ? 0 : static_cast<std::int64_t>(columns.front().values.size());
    }

    /// The 1-based line of the file on which a row (0-based, header not counted) begins; 0: not known.
    [[nodiscard]] std::int64_t line_of(std::int64_t row) const;

    /// Index of the channel with this exact name; -1 where there is none.
    [[nodiscard]] std::int64_t find_column(const std::string& name) const;
};

}  // namespace casp::data
