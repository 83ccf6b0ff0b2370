#pragma once
// Parallel parsing of a CSV file's cells into columns of numbers, and the time axis from its time cells.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "data/csv_detect.h"
#include "data/csv_index.h"

namespace casp::data {

/// Maximum number of single warnings per kind and column; further ones are only counted.
constexpr std::size_t single_warnings = 20;

/// Number of findings of one kind, and the first ones by line.
struct Tally {
    std::int64_t count = 0;
    std::vector<std::pair<std::int64_t, Phrase>> first;  ///< (line, the cell's text), at most single_warnings

    void add(std::int64_t line, Phrase text);
    /// Adds the findings of another; keeps the earliest lines of both.
    void merge(const Tally& other);
};

/// Cells of a column that hold no number.
struct CellNotes {
    Tally missing;  ///< empty, a missing marker, or absent in a short row; without texts
    Tally nan;      ///< the text "nan"; without texts
    Tally infinite;
    Tally bad;

    void merge(const CellNotes& other);
    [[nodiscard]] std::int64_t count() const {
        return missing.count + nan.count + infinite.count + bad.count;
    }
};

/// A parsed column of numbers.
struct NumberColumn {
    std::vector<double> values;  ///< [rows]; NaN for a cell without a number
    CellNotes notes;
};

/// What the cells of times show together.
struct TimeNotes {
    bool open_order = false;            ///< some dates begin with day or month
    bool first_over_12 = false;         ///< some first numbers of these can only be days
    bool second_over_12 = false;        ///< some second numbers of these can only be days
    bool year_first = false;            ///< some dates begin with the year
    bool forms = false;                 ///< some dates are in a form of date_forms.h
    bool short_dates = false;           ///< some days or months have one digit
    bool short_hours = false;           ///< some hours have one digit
    std::int64_t days_ended_at_24 = 0;  ///< times written as 24:00
    std::int64_t days_begun_at_0 = 0;   ///< times written as 00:00

    void merge(const TimeNotes& other);
};

struct Cells {
    std::int64_t rows = 0;
    std::vector<NumberColumn> numbers;  ///< one per layout column with role number, in order
    std::vector<double> date;  ///< [rows] day before month, or year first; empty without a date column
    std::vector<double> date_swapped;     ///< [rows] month before day
    std::vector<double> date_year_first;  ///< [rows] short year first; empty unless Layout::short_years
    std::vector<double> clock;            ///< [rows] seconds since midnight; empty without a clock column
    TimeNotes times;
    std::string last_date;  ///< the cell of the last row; empty: it has none, or no time
    std::string last_clock;
    Tally bad_time;
    Tally short_rows;
    Tally long_rows;
    Tally empty_lines;  ///< between rows; not those at the end of the file
    Tally left_out;     ///< lines that are no rows; their rows are removed from everything above
    std::vector<std::pair<std::int64_t, std::int64_t>> line_anchors;
};

/// Parses all chunks. `report(bytes)` is called on the calling thread with the total of all threads. Throws
/// an input Error if the rows are so much shorter than the header that the table would be far larger than the
/// file, and Cancelled.
[[nodiscard]] Cells parse_cells(const std::vector<Chunk>& chunks, const Layout& layout,
                                const std::string& where, int threads,
                                const std::function<void(std::int64_t)>& report, const std::stop_token& stop);

/// Builds Table::time from `cells`, which lose it, oldest row first: chooses the order of day, month and
/// year, joins the columns, turns or sorts the rows, and applies the zone. Throws an input Error for times
/// that are not in the form that the options set.
void build_time_axis(Table& table, Cells& cells, const Layout& layout, const CsvOptions& options);

}  // namespace casp::data
