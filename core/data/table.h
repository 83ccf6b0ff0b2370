#pragma once
// What a CSV file becomes before anything is computed with it.

#include <cstdint>
#include <filesystem>
#include <string>
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
    policy  ///< what the policy for missing values or sentinels did or does
};

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
    std::string line_ending = "LF";         ///< "LF" or "CRLF"
    std::vector<std::string> time_columns;  ///< none, one, or two (date and time)
    std::string time_format;                ///< e.g. "ISO 8601", "day/month/year", "Unix seconds"
};

/// Numeric columns of equal length with an optional time axis.
struct Table {
    std::filesystem::path path;
    std::vector<Column> columns;  ///< channels in file order
    std::vector<double> time;     ///< [rows] seconds since 1970 UTC, or empty
    double step_seconds = 0;      ///< most frequent difference of `time`; 0: none
    Format format;
    std::vector<Warning> warnings;
    std::string md5;     ///< of the file's bytes, lower-case hex
    std::string sha256;  ///< likewise

    [[nodiscard]] std::int64_t rows() const {
        return columns.empty() ? 0 : static_cast<std::int64_t>(columns.front().values.size());
    }
};

}  // namespace casp::data
