#pragma once
// The kinds of data files that can be read: tables and collections of series. Everything that opens a table
// goes through read_table(), everything that opens a collection through read_collection().

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_import.h"
#include "data/series_collection.h"
#include "data/table.h"
#include "util/progress.h"

namespace casp::data {

/// Bytes of a file that decide its kind; fewer if it is shorter.
inline constexpr std::size_t head_bytes = 64u << 10u;

/// Reader for one kind of file. One of `read` and `read_series` is null. Both throw an input Error if the
/// file cannot be read, and Cancelled; `progress` is called on the calling thread, in bytes.
struct Reader {
    std::string name;                     ///< "csv"
    std::string title;                    ///< as in "… files": "CSV"
    std::vector<std::string> extensions;  ///< usual ones, lower case, without the dot; empty: as another kind
    /// Whether a file whose content begins with `head` (head_bytes, unpacked; empty for a folder) is of this
    /// kind.
    bool (*recognises)(const std::filesystem::path& path, std::string_view head);
    Table (*read)(const std::filesystem::path& path, const CsvOptions& options, const ProgressFn& progress,
                  std::stop_token stop);  ///< tables
    SeriesCollection (*read_series)(const std::filesystem::path& path, const CollectionOptions& options,
                                    const ProgressFn& progress,
                                    const std::stop_token& stop);  ///< collections of series
};

/// All readers, in the order in which they are tried. The last one, CSV, accepts any text.
[[nodiscard]] const std::vector<Reader>& readers();

/// The reader of a file, by the first bytes of its content, or its place (M4). For a file that is missing or
/// cannot be opened: CSV, whose read() reports the problem. Throws an input Error if no reader recognises it.
[[nodiscard]] const Reader& reader_for(const std::filesystem::path& path);

/// Reads a table with its reader. Throws as that, and an input Error for a collection of series and for a
/// table whose rows are of several series (long_columns.h).
[[nodiscard]] Table read_table(const std::filesystem::path& path, const CsvOptions& options = {},
                               const ProgressFn& progress = {}, std::stop_token stop = {});

/// What can be read, for "expected …": "a file of these kinds: Monash .tsf, JSON lines, CSV".
[[nodiscard]] std::string readable_files();

}  // namespace casp::data
