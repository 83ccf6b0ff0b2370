#pragma once
// CSV files to tables: finds out how the file is written, reads it on all cores, and says what is odd about
// it.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "data/table.h"
#include "util/progress.h"

namespace casp::data {

/// How dates are written; `automatic` decides by content (rules in docs/data.md).
enum class TimeStyle { automatic, iso, day_first, month_first, unix_seconds, unix_milliseconds };

/// Everything the import would otherwise find out by itself. The defaults suit nearly every file.
struct CsvOptions {
    std::optional<char> delimiter;  ///< else by content: comma, semicolon, tab, bar or space
    std::optional<char> decimal;    ///< '.' or ','; else by content
    std::optional<char> quote;      ///< else '"'; '\0': quotes mean nothing
    std::optional<bool> header;     ///< else by content
    /// "UTF-8", "Latin-1", "UTF-16LE", "UTF-16BE"; else by byte-order mark and content
    std::optional<std::string> encoding;
    /// Names of the date column, or of the date and the time column; empty list: the file has none. Unset: by
    /// content.
    std::optional<std::vector<std::string>> time_columns;
    TimeStyle time_style = TimeStyle::automatic;
    bool digest = true;  ///< fill Table::sha256 (on a thread of its own beside the reading)
    bool md5 = false;    ///< and Table::md5, for people who compare it with what a benchmark publishes
    int threads = 0;     ///< 0: as many as the machine has

    std::size_t max_columns = 100'000;        ///< more is refused
    std::size_t max_line_bytes = 64u << 20u;  ///< a longer line is refused (it is no CSV)
};

/// Reads a CSV file.
///
/// Numbers are rounded correctly to double. Channels keep the order of the file (the benchmark loaders move
/// the target to the end; in ETT and Weather it stands there already). A missing, non-numeric or infinite
/// cell of a numeric column becomes NaN and is counted in Column::missing; columns of text, of row numbers
/// and empty ones are left out. All of it is told in Table::warnings, in the order of the file's lines within
/// a kind; at most 20 single warnings per kind and column, then one that counts the rest.
///
/// `progress` is called on the calling thread, in bytes. Throws an input Error where the file cannot be read
/// or is not a table of numbers, and Cancelled.
[[nodiscard]] Table import_csv(const std::filesystem::path& path, const CsvOptions& options = {},
                               const ProgressFn& progress = {}, std::stop_token stop = {});

/// The same for bytes in memory; `where` stands for the file in messages. No Table::path.
[[nodiscard]] Table parse_csv(std::string_view bytes, const std::string& where,
                              const CsvOptions& options = {}, const ProgressFn& progress = {},
                              std::stop_token stop = {});

/// Texts that stand for a missing cell (compared without case and surrounding blanks); the empty cell is one.
[[nodiscard]] const std::vector<std::string_view>& missing_markers();

}  // namespace casp::data
