#pragma once
// Detection of a CSV file's format: delimiter, decimal separator, header, and numeric and date columns.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_import.h"
#include "data/csv_index.h"
#include "data/csv_text.h"
#include "data/table.h"

namespace casp::data {

/// Advice for a file without rows.
inline constexpr const char* export_again = "Export or download the table again, with its rows.";

/// Meaning of a column of the file.
enum class Role : std::uint8_t {
    skip,
    number,
    date,  ///< a date, with or without the time of day
    clock  ///< the time of day of a separate date column
};

struct ColumnLayout {
    std::string name;  ///< unique
    Role role = Role::skip;
    bool named = false;  ///< the header has a name for it
};

/// Format of the file and its columns, as needed to parse the cells.
struct Layout {
    Dialect dialect;
    bool has_header = true;
    std::int64_t header_line = 1;
    std::vector<ColumnLayout> columns;
    bool compact_dates = false;  ///< dates are 20160701
    int unix_column = -1;        ///< column with role number that is the time axis; −1: none
    double unix_scale = 1;       ///< seconds per unit of it
    std::vector<Warning> warnings;
};

/// Delimiter and quoting, from the first lines.
[[nodiscard]] Dialect detect_dialect(std::string_view text, const CsvOptions& options);

/// Everything else, from lines sampled from the whole file. Removes the header record from the first chunk.
/// Throws an input Error for a file with only a header, too many columns, or a missing date column.
[[nodiscard]] Layout detect_layout(std::vector<Chunk>& chunks, const Dialect& dialect, bool latin1,
                                   const std::string& where, const CsvOptions& options);

}  // namespace casp::data
