#pragma once
// How a CSV file is written: delimiter, decimal sign, header, which columns are numbers and which are dates.

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

/// What is done with the cells of a column of the file.
enum class Role : std::uint8_t {
    skip,
    number,
    date,  ///< a date, with or without the time of day
    clock  ///< the time of day, beside a date column
};

struct ColumnLayout {
    std::string name;  ///< unique
    Role role = Role::skip;
    bool named = false;  ///< the header gave a name
};

/// Everything that has to be known before the cells are read.
struct Layout {
    Dialect dialect;
    bool has_header = true;
    std::int64_t header_line = 1;
    std::vector<ColumnLayout> columns;
    bool compact_dates = false;  ///< dates are 20160701
    int unix_column = -1;        ///< a column of role number that is the time axis
    double unix_scale = 1;       ///< seconds per unit of it
    std::vector<Warning> warnings;
};

/// Delimiter and quoting, from the first lines.
[[nodiscard]] Dialect detect_dialect(std::string_view text, const CsvOptions& options);

/// The rest, from lines all over the file. Takes the header record off the first chunk.
/// Throws an input Error: only a header, too many columns, a date column that is not there.
[[nodiscard]] Layout detect_layout(std::vector<Chunk>& chunks, const Dialect& dialect, bool latin1,
                                   const std::string& where, const CsvOptions& options);

}  // namespace casp::data
