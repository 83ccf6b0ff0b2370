#pragma once
// Cells and characters of a CSV file: cell borders, numbers and encodings.

#include <cstdint>
#include <string>
#include <string_view>

#include "data/file_bytes.h"

namespace casp::data {

/// Signs with a meaning in the file.
struct Dialect {
    char delimiter = ',';
    char quote = '"';         ///< '\0': quotes have no meaning
    bool has_quotes = false;  ///< the file contains the quote character
    char decimal = '.';

    /// Runs of blanks count as one delimiter.
    [[nodiscard]] bool merges() const { return delimiter == ' '; }
};

struct Cell {
    std::string_view text;  ///< without enclosing quotes; doubled quotes stay doubled
    bool quoted = false;
    bool unclosed = false;      ///< the data ended inside quotes
    std::int64_t newlines = 0;  ///< line breaks inside the quotes
};

/// Reads the cell at `p` and returns its end: a delimiter, the line's '\n' (a '\r' before it belongs to the
/// line ending), or `end`. Lenient RFC 4180: blanks around a quoted cell are allowed; a quote inside an
/// unquoted cell is text; text after a closing quote makes the whole cell text.
const char* read_cell(const char* p, const char* end, const Dialect& dialect, Cell& cell);

/// Skips the delimiter at `p` (with blanks as delimiter, the whole run). False if the record ends at `p`.
bool next_cell(const char*& p, const char* end, const Dialect& dialect);

/// Skips leading blanks of a record if blanks are the delimiter.
const char* begin_record(const char* p, const char* end, const Dialect& dialect);

/// Text of a quoted cell with doubled quotes made single; other cells unchanged.
[[nodiscard]] std::string unescaped(const Cell& cell, char quote);

enum class CellKind { number, missing, nan, infinite, text };

/// Reads a cell as a number, correctly rounded. Surrounding blanks and a leading '+' are allowed. `value` is
/// NaN for all other kinds.
CellKind read_number(std::string_view text, char decimal, double& value);

/// Without blanks, tabs and carriage returns at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

[[nodiscard]] bool valid_utf8(std::string_view text);

/// UTF-8 of text in UTF-8 or Latin-1, for names and messages; control characters become blanks.
[[nodiscard]] std::string readable(std::string_view text, bool latin1);

/// UTF-16 to UTF-8. Lone surrogates and an odd last byte become U+FFFD and are counted in `broken`.
[[nodiscard]] Bytes utf16_to_utf8(std::string_view bytes, bool big_endian, std::int64_t& broken);

}  // namespace casp::data
