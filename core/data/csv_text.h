#pragma once
// Cells and characters of a CSV file: where a cell ends, what number it holds, how its text is encoded.

#include <cstdint>
#include <string>
#include <string_view>

#include "data/file_bytes.h"

namespace casp::data {

/// What separates cells and lines.
struct Dialect {
    char delimiter = ',';
    char quote = '"';         ///< '\0': quotes mean nothing
    bool has_quotes = false;  ///< the quote character occurs somewhere in the file
    char decimal = '.';

    /// Runs of blanks count as one delimiter.
    [[nodiscard]] bool merges() const { return delimiter == ' '; }
};

struct Cell {
    std::string_view text;  ///< without the enclosing quotes; doubled quotes still doubled
    bool quoted = false;
    bool unclosed = false;      ///< a quote was opened and the data ended
    std::int64_t newlines = 0;  ///< line breaks inside the quotes
};

/// Reads the cell that begins at `p` and returns where it ended: at a delimiter, at the line's '\n' (a '\r'
/// before it belongs to the line end), or at `end`. RFC 4180, lenient: blanks may stand around a quoted cell;
/// a quote inside an unquoted cell is text; what follows a closing quote makes the whole cell text.
const char* read_cell(const char* p, const char* end, const Dialect& dialect, Cell& cell);

/// Steps over the delimiter at `p` (over the whole run of blanks where blanks delimit). False where the
/// record ends there instead.
bool next_cell(const char*& p, const char* end, const Dialect& dialect);

/// At the start of a record of a file delimited by blanks: steps over leading ones.
const char* begin_record(const char* p, const char* end, const Dialect& dialect);

/// A quoted cell's text with doubled quotes made single; other cells as they are.
[[nodiscard]] std::string unescaped(const Cell& cell, char quote);

enum class CellKind { number, missing, nan, infinite, text };

/// What a cell holds as a number. Correctly rounded; surrounding blanks and a leading '+' are allowed;
/// `value` is NaN for everything but number.
CellKind read_number(std::string_view text, char decimal, double& value);

/// Without blanks, tabs and carriage returns at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

[[nodiscard]] bool valid_utf8(std::string_view text);

/// UTF-8 of text that is UTF-8 already or else Latin-1; control characters become blanks. For names and
/// messages.
[[nodiscard]] std::string readable(std::string_view text, bool latin1);

/// UTF-16 to UTF-8. Lone surrogates and an odd last byte become U+FFFD and are counted in `broken`.
[[nodiscard]] Bytes utf16_to_utf8(std::string_view bytes, bool big_endian, std::int64_t& broken);

}  // namespace casp::data
