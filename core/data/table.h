#pragma once
// Table: numeric columns and time axis of an imported CSV file.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/calendar_step.h"
#include "data/time_text.h"
#include "util/phrase.h"

namespace casp::data {

/// What a column of numbers means in the time axis.
enum class TimePart : std::uint8_t {
    whole,  ///< the whole time, in a NumberForm
    year,
    month,
    day,
    day_of_year,
    hour,
    minute,
    second,
    hour_minute,         ///< 1345 is 13:45
    hour_minute_second,  ///< 134500 likewise
    half_hour,           ///< of the day, counted from 0 or 1
    quarter_hour
};

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
    index_column,   ///< a column of row numbers was left out
    time_format,    ///< the date format is ambiguous
    decimal_sign,   ///< the decimal separator is ambiguous
    no_row,         ///< lines that are no rows of the table were left out
    order,          ///< the newest row is the first
    clock_channel,  ///< a channel that may be a clock or a counter
    asleep,         ///< a channel that does not vary in the training rows
    catalog,  ///< treated as a data set of the catalogue although the digest differs, or not the preset's
    policy    ///< effect of the policy for missing values or sentinels
};

/// Name of a kind for logs and JSON, e.g. "ragged_row".
[[nodiscard]] const char* to_string(WarningKind kind);

/// A warning about the file. `line`: 1-based, including the header; 0: the whole file.
struct Warning {
    WarningKind kind;
    std::int64_t line = 0;
    std::string column;      ///< empty: not specific to a column
    std::int64_t count = 1;  ///< number of occurrences, if warnings of one kind and column are merged
    Phrase text;             ///< one sentence, for display
};

/// Numbers that copies share until one of them is edited: the table of a run has those of the file that is
/// also shown. Different copies may be used in different threads.
class SharedValues {
public:
    SharedValues() : SharedValues(std::vector<double>()) {}
    SharedValues(std::vector<double> values)  // NOLINT(google-explicit-constructor)
        : values_(std::make_shared<std::vector<double>>(std::move(values))) {}
    SharedValues(std::initializer_list<double> values) : SharedValues(std::vector<double>(values)) {}
    // Moving copies, so that there are always numbers.
    SharedValues(const SharedValues&) = default;
    SharedValues& operator=(const SharedValues&) = default;
    ~SharedValues() = default;

    [[nodiscard]] const std::vector<double>& all() const { return *values_; }
    operator const std::vector<double>&() const { return all(); }  // NOLINT(google-explicit-constructor)
    [[nodiscard]] std::size_t size() const { return all().size(); }
    [[nodiscard]] bool empty() const { return all().empty(); }
    [[nodiscard]] const double* data() const { return all().data(); }
    [[nodiscard]] auto begin() const { return all().begin(); }
    [[nodiscard]] auto end() const { return all().end(); }
    [[nodiscard]] double front() const { return all().front(); }
    [[nodiscard]] double back() const { return all().back(); }
    [[nodiscard]] double operator[](std::size_t i) const { return all()[i]; }
    [[nodiscard]] double at(std::size_t i) const { return all().at(i); }

    /// The numbers of this copy only.
    [[nodiscard]] std::vector<double>& edit() {
        if (values_.use_count() > 1) values_ = std::make_shared<std::vector<double>>(*values_);
        return *values_;
    }
    [[nodiscard]] bool shares_with(const SharedValues& other) const { return values_ == other.values_; }
    friend bool operator==(const SharedValues& a, const SharedValues& b) { return a.all() == b.all(); }

private:
    std::shared_ptr<std::vector<double>> values_;  ///< never null
};

struct Column {
    std::string name;
    SharedValues values;       ///< [rows]; NaN: missing
    std::int64_t missing = 0;  ///< number of missing values
};

/// Detected format; shown to the user, who can override each item.
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

/// One decision of how the file was read, for people.
struct Reading {
    Phrase what;      ///< "header"
    Phrase found;     ///< "line 4"
    Phrase why;       ///< what in the file says so; empty: nothing speaks against it
    std::string key;  ///< setting that changes it: "data.csv.header_lines"; empty: none
};

/// How the file writes its times: what future_times.h needs to continue them.
struct TimeCells {
    /// The last row's cells of Format::time_columns; empty for Unix times and without a time axis.
    std::vector<std::string> last;
    bool short_year_first = false;  ///< 21/03/03
    bool month_first = false;       ///< of dates that do not begin with the year
    bool short_dates = false;       ///< days or months below 10 have one digit
    bool short_hours = false;       ///< hours below 10 have one digit
    bool ends_days_at_24 = false;   ///< midnight is 24:00 of the day before
    double unix_scale = 0;          ///< seconds per unit of times that are one number; 0: they are not
    double unix_offset = 0;         ///< seconds since 1970 of the number 0
    std::vector<TimePart> parts;  ///< of Format::time_columns with a part of the time each; whole: see `last`
    bool hour_ending = false;     ///< hours of `parts` count from 1 to 24, each the hour's end
    TimeReading how;              ///< of the cells in `last`
};

/// A column of row numbers, which is no channel.
struct RowNumbers {
    std::string name;  ///< empty: without a name in the header
    double first = 0;
    double step = 1;
};

/// Numeric columns of equal length with an optional time axis.
struct Table {
    std::filesystem::path path;
    std::vector<Column> columns;      ///< channels in file order
    std::vector<std::string> header;  ///< names of all columns of the file, made unique
    /// [rows] seconds since 1970, or empty. UTC if the file gives an offset, else local time treated as UTC.
    /// NaN if a cell could not be parsed (with a warning).
    std::vector<double> time;
    Step step;  ///< from row to row, in the calendar where that fits better
    Format format;
    TimeCells time_cells;
    std::optional<RowNumbers> row_numbers;
    std::vector<Warning> warnings;
    std::vector<Reading> readings;
    std::vector<std::int64_t>
        file_rows;       ///< [rows] row of the file, if the rows were sorted by time; else empty
    std::string sha256;  ///< of the file's content, lower-case hex; empty unless requested
    /// (row, line) wherever row and line numbers diverge: first row, empty lines, cells with line breaks.
    std::vector<std::pair<std::int64_t, std::int64_t>> line_anchors;

    [[nodiscard]] std::int64_t rows() const {
        return columns.empty() ? 0 : static_cast<std::int64_t>(columns.front().values.size());
    }

    /// 1-based line of the file where a row (0-based, without header) begins; 0: unknown.
    [[nodiscard]] std::int64_t line_of(std::int64_t row) const;

    /// Index of the channel with exactly this name; -1: none.
    [[nodiscard]] std::int64_t find_column(const std::string& name) const;
    /// Memory of rows and times.
    [[nodiscard]] std::int64_t bytes() const {
        return rows() * (std::ssize(columns) + 2) * static_cast<std::int64_t>(sizeof(double));
    }
};

}  // namespace casp::data
