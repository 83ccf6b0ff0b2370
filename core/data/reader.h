#pragma once
// The kinds of data files that can be read. Everything that opens a data file goes through read_table().

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_import.h"
#include "data/table.h"
#include "util/progress.h"

namespace casp::data {

/// Options of all readers; each reader uses those that apply to it.
struct ReadOptions {
    CsvOptions csv;  ///< its threads and digest hold for every reader
};

/// Reader for one kind of file.
struct Reader {
    std::string name;                     ///< "csv"
    std::string title;                    ///< completes "a … file" and "… files": "CSV"
    std::vector<std::string> extensions;  ///< usual ones, lower case, without the dot
    /// Whether a file that begins with `head` (up to 64 KiB, unpacked) is of this kind.
    bool (*recognises)(const std::filesystem::path& path, std::string_view head);
    /// Throws an input Error if the file cannot be read, and Cancelled. `progress` is called on the calling
    /// thread, in bytes.
    Table (*read)(const std::filesystem::path& path, const ReadOptions& options, const ProgressFn& progress,
                  std::stop_token stop);
};

/// All readers, in the order in which they are tried. The last one, CSV, accepts any text.
[[nodiscard]] const std::vector<Reader>& readers();

/// The reader of a file, by the first bytes of its content. For a file that is missing or cannot be opened:
/// the reader of its extension, else CSV; its read() reports the problem. Throws an input Error if no reader
/// recognises it.
[[nodiscard]] const Reader& reader_for(const std::filesystem::path& path);

/// Reads a data file with its reader.
[[nodiscard]] Table read_table(const std::filesystem::path& path, const ReadOptions& options = {},
                               const ProgressFn& progress = {}, std::stop_token stop = {});

/// What can be read, for "expected …": "a CSV file".
[[nodiscard]] std::string readable_files();

}  // namespace casp::data
