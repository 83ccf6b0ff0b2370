#pragma once
// M4's CSV files: a line per series with its id and its values.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/csv_index.h"
#include "data/csv_text.h"
#include "util/error.h"
#include "util/progress.h"

namespace casp::data {

/// The series of one file, in its order.
struct SeriesFile {
    std::vector<std::string> ids;          ///< [series] UTF-8; an id may occur twice
    std::vector<std::int64_t> lines;       ///< [series] 1-based
    std::vector<double> values;            ///< one series after another, all finite
    std::vector<std::int64_t> offsets{0};  ///< [series + 1] where each series begins in `values`
    std::string sha256;

    void add(std::string id, std::int64_t line, const std::vector<double>& its_values);
};

/// Reads a file with a line per series. The delimiter is a comma or a semicolon, the decimal separator a
/// point; cells may be quoted. The first line is a header if its second cell is no number, or its first cell
/// is empty or a usual name of an id column. Empty and missing cells behind the last value of a series are
/// left out. Throws Cancelled, and an input Error for a file that cannot be read or has no series, a line
/// without an id or a value, an empty cell between values, and a cell that is no finite number.
[[nodiscard]] SeriesFile read_series_csv(const std::filesystem::path& path, int threads,
                                         const ProgressFn& progress, const std::stop_token& stop);

/// Text of a CSV file with series; refers to the file's bytes.
struct SeriesText {
    std::string_view all;     ///< without byte-order mark
    std::string_view header;  ///< the first line that is not empty, without its line ending
    std::int64_t header_line = 1;
    Dialect dialect;  ///< comma or semicolon; `has_quotes` is true if the text contains the quote character
};

/// Throws an input Error for bytes that are empty or not a text in UTF-8 or Latin-1.
[[nodiscard]] SeriesText series_text(std::string_view bytes, const std::string& where);

/// Chunks of whole lines from `data` (a line of `text.all`, number `line`) to the end. If the text has quotes
/// and `dialect.has_quotes` is set, quoted cells may contain line breaks.
[[nodiscard]] std::vector<Chunk> series_chunks(const SeriesText& text, const Dialect& dialect,
                                               const char* data, std::int64_t line, const std::string& where,
                                               int threads, const std::stop_token& stop);

/// Calls `parse(i)` for every chunk, in parallel, and returns the SHA-256 of `bytes`, computed meanwhile.
/// Throws the Error of the earliest chunk that has one, and Cancelled. Progress in bytes on the calling
/// thread.
[[nodiscard]] std::string parse_chunks(const std::vector<Chunk>& chunks, std::string_view bytes,
                                       const std::string& stage, int threads, const ProgressFn& progress,
                                       const std::stop_token& stop,
                                       const std::function<void(std::size_t)>& parse);

/// A chunk for each line that is not empty, without blanks around it. A byte-order mark is left out.
[[nodiscard]] std::vector<Chunk> text_lines(std::string_view text);

/// "file.csv:12"
[[nodiscard]] std::string at_line(const std::string& where, std::int64_t line);

/// Id as UTF-8 without surrounding blanks.
[[nodiscard]] std::string series_id(const Cell& cell, const Dialect& dialect);

/// Text of a file in quotes for a message, abbreviated.
[[nodiscard]] std::string shown_text(std::string_view text);

/// "series "Y1""
[[nodiscard]] std::string shown_series(std::string_view id);

/// Numbers of the series by their ids; refers to the file. Throws an input Error for the first id that occurs
/// twice.
std::unordered_map<std::string_view, std::size_t> places_of(const SeriesFile& file, const std::string& where);

/// The Error for a cell that is no finite number. `column`: its number or name.
[[nodiscard]] Error number_error(CellKind kind, std::string_view text, const std::string& where,
                                 std::string_view id, const std::string& column, const Dialect& dialect);

}  // namespace casp::data
