#pragma once
// The cells of a CSV file to columns of numbers, on all cores.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "data/csv_detect.h"
#include "data/csv_index.h"

namespace casp::data {

/// How many single warnings there are per kind and column before the rest is only counted.
constexpr std::size_t single_warnings = 20;

/// Things of one kind: how many, and the first of them by line.
struct Tally {
    std::int64_t count = 0;
    std::vector<std::pair<std::int64_t, std::string>>
        first;  ///< (line, the cell's text), at most single_warnings

    void add(std::int64_t line, std::string text);
    /// Adds another's; the earliest lines of both stay.
    void merge(const Tally& other);
};

/// One column of numbers as read.
struct NumberColumn {
    std::vector<double> values;      ///< [rows], NaN where there is no number
    std::int64_t missing = 0;        ///< cells that are empty or a missing marker, and those of short rows
    std::int64_t first_missing = 0;  ///< line
    std::int64_t nan = 0;            ///< cells that say "nan"
    std::int64_t first_nan = 0;
    Tally infinite;
    Tally bad;
};

struct Cells {
    std::int64_t rows = 0;
    std::vector<NumberColumn> numbers;  ///< one per column of the layout with role number, in order
    std::vector<double> date;  ///< [rows] day before month, or year first; empty without a date column
    std::vector<double> date_swapped;  ///< [rows] month before day
    std::vector<double> clock;         ///< [rows] seconds since midnight; empty without a clock column
    bool open_order = false;           ///< some dates begin with day or month
    bool first_over_12 = false;        ///< ... and some of their first numbers can only be days
    bool second_over_12 = false;       ///< ... or some of their second numbers
    bool year_first = false;           ///< some dates begin with the year
    Tally bad_time;
    Tally short_rows;
    Tally long_rows;
    Tally empty_lines;  ///< between rows; those at the end of the file do not count
    std::vector<std::pair<std::int64_t, std::int64_t>> line_anchors;
};

/// Reads all chunks. `report(bytes)` is called on the calling thread with the bytes done by all threads.
/// Throws an input Error where the rows are so ragged that the table would be far larger than the file;
/// Cancelled.
[[nodiscard]] Cells parse_cells(const std::vector<Chunk>& chunks, const Layout& layout,
                                const std::string& where, int threads,
                                const std::function<void(std::int64_t)>& report, const std::stop_token& stop);

}  // namespace casp::data
