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

/// A series that a line holds.
struct LineSeries {
    std::string id;  ///< empty: the line holds none
    std::vector<double> values;
};

/// Calls `read(i)` for every line, in parallel, and puts its series together. Throws the Error of the
/// earliest line that has one, and Cancelled. Progress in bytes on the calling thread. `bytes`: of the file,
/// for its digest; `name`: its name.
[[nodiscard]] SeriesFile read_lines(const std::vector<Chunk>& lines, std::string_view bytes,
                                    const std::string& name, int threads, const ProgressFn& progress,
                                    const std::stop_token& stop,
                                    const std::function<LineSeries(std::size_t)>& read);

/// A chunk for each line that is not empty, without blanks around it. A byte-order mark is left out.
[[nodiscard]] std::vector<Chunk> text_lines(std::string_view text);

/// "file.csv:12"
[[nodiscard]] std::string at_line(const std::string& where, std::int64_t line);

/// Text of a file in quotes for a message, abbreviated.
[[nodiscard]] std::string shown_text(std::string_view text);

/// "series "Y1""
[[nodiscard]] Phrase shown_series(std::string_view id);

/// Numbers of the series by their ids; refers to the file. Throws an input Error for the first id that occurs
/// twice.
std::unordered_map<std::string_view, std::size_t> places_of(const SeriesFile& file, const std::string& where);

/// The Error for a cell that is no finite number. `column`: its number or name.
[[nodiscard]] Error number_error(CellKind kind, std::string_view text, const std::string& where,
                                 std::string_view id, const std::string& column, const Dialect& dialect);

}  // namespace casp::data
