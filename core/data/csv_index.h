#pragma once
// Division of a CSV file into chunks of whole records, for parallel reading.

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_text.h"

namespace casp::data {

/// Part of the file that consists of whole records.
struct Chunk {
    const char* begin = nullptr;
    const char* end = nullptr;
    std::int64_t records = 0;     ///< without empty lines
    std::int64_t lines = 0;       ///< line breaks, including those in cells and of empty lines
    std::int64_t first_row = 0;   ///< number of records in earlier chunks
    std::int64_t first_line = 1;  ///< line of the file where the chunk begins

    [[nodiscard]] std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

/// True for a line without cells; `end` points at its '\n'.
[[nodiscard]] bool is_empty_line(const char* begin, const char* end, const Dialect& dialect);

/// Divides the text at record borders into about 64 or more non-empty chunks. Without quotes, every line
/// break is a border and the threads share the work. With quotes, a single pass is needed: whether a line
/// break is inside a cell depends on all preceding text. Throws an input Error for an unclosed quote (with
/// its line) and for a line longer than `max_line_bytes`.
[[nodiscard]] std::vector<Chunk> index_records(std::string_view text, const Dialect& dialect,
                                               const std::string& where, std::size_t max_line_bytes,
                                               int threads, const std::stop_token& stop);

/// Skips the empty lines at `p`, then reads one record and appends its cells to `cells`. Returns the start of
/// the next line. Adds the line breaks passed to `lines`.
const char* read_record(const char* p, const char* end, const Dialect& dialect, std::vector<Cell>& cells,
                        std::int64_t& lines);

}  // namespace casp::data
