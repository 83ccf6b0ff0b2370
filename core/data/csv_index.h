#pragma once
// Where the records of a CSV file begin, so that threads can read parts of it.

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_text.h"

namespace casp::data {

/// A part of the file that begins and ends with a record.
struct Chunk {
    const char* begin = nullptr;
    const char* end = nullptr;
    std::int64_t records = 0;     ///< empty lines not counted
    std::int64_t lines = 0;       ///< line breaks, also those inside cells and of empty lines
    std::int64_t first_row = 0;   ///< records in the chunks before
    std::int64_t first_line = 1;  ///< line of the file on which it begins
};

/// True for a line without any cell; `end` is where its '\n' stands.
[[nodiscard]] bool is_empty_line(const char* begin, const char* end, const Dialect& dialect);

/// Cuts the text at record borders into about 64 chunks or more, none empty. Without quotes in the file every
/// line break is a border and the threads share the work; with quotes one pass follows them, since whether a
/// line break stands inside a cell depends on all that comes before. Throws an input Error for a quote that
/// is never closed (with its line) and for a line over `max_line_bytes`.
[[nodiscard]] std::vector<Chunk> index_records(std::string_view text, const Dialect& dialect,
                                               const std::string& where, std::size_t max_line_bytes,
                                               int threads, const std::stop_token& stop);

/// Steps over the empty lines at `p` and then over one record, whose cells are appended to `cells`.
/// Returns the begin of the next line. `lines` is increased by the line breaks passed.
const char* read_record(const char* p, const char* end, const Dialect& dialect, std::vector<Cell>& cells,
                        std::int64_t& lines);

}  // namespace casp::data
