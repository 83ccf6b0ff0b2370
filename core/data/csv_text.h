#pragma once
// Cells and characters of a CSV file: cell borders, numbers and encodings.

#include <cstdint>
#include <string>
#include <string_view>

#include "data/file_bytes.h"
#include "util/phrase.h"

namespace casp::data {

/// Signs with a meaning in the file.
struct Dialect {
    char delimiter = ',';
    char quote = '"';         ///< '\0': quotes have no meaning
    bool has_quotes = false;  ///< the file contains the quote character
    char decimal = '.';
    /// Between groups of three digits; ' ' stands for every kind of blank, '\'' also for ’; '\0': none
    char thousands = '\0';
    char escape = '\0';  ///< '\\': a quote behind it is part of a quoted cell; '\0': none

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

/// Reads a cell as a number, correctly rounded. Surrounding blanks, a leading '+', the minus sign of
/// typography (U+2212), Fortran's exponents (1.5D+02) and groups of three digits with `thousands` between
/// them (Dialect::thousands) are allowed. `value` is NaN for all other kinds.
CellKind read_number(std::string_view text, char decimal, double& value, char thousands = '\0');

/// Without blanks, tabs and carriage returns at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Name of a sign of a Dialect: "comma"; "none" for '\0'.
[[nodiscard]] Phrase sign_name(char sign);

/// UTF-8 for names and messages: control characters become blanks, and a text that is not UTF-8 is taken as
/// Latin-1.
[[nodiscard]] std::string readable(std::string_view text);

}  // namespace casp::data
