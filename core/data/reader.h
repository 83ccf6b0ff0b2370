#pragma once
// The kinds of data files that can be read: tables and collections of series. Everything that opens a table
// goes through read_table(), everything that opens a collection through read_collection().

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_import.h"
#include "data/file_bytes.h"
#include "data/series_collection.h"
#include "data/series_whole.h"
#include "data/table.h"
#include "util/phrase.h"
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
    WholeSeries (*read_series)(const std::filesystem::path& path, const CollectionOptions& options,
                               const ProgressFn& progress,
                               const std::stop_token& stop);  ///< collections of series
};

/// All readers, in the order in which they are tried. The last one, CSV, accepts any text.
[[nodiscard]] const std::vector<Reader>& readers();

/// The reader of a file, by the first bytes of its content, or its place (M4). For a file that is missing or
/// cannot be opened: CSV, whose read() reports the problem. Throws an input Error if no reader recognises it.
[[nodiscard]] const Reader& reader_for(const std::filesystem::path& path);

/// Of what was opened and nobody uses any more, the latest is kept up to this size, of each kind.
inline constexpr std::int64_t max_kept_bytes = std::int64_t{256} << 20;

/// The files of a data set as they are now, and how they are read: what was read from an equal one is the
/// same.
struct DataSource {
    std::vector<FileState> files;  ///< of M4 two
    CollectionOptions options;     ///< of a table only `csv`; without threads

    bool operator==(const DataSource&) const = default;
    /// Accesses the disk. Throws nothing: what is wrong, reading reports.
    [[nodiscard]] static DataSource of(const std::filesystem::path& path, const CollectionOptions& options);
    /// Whether the files still have the content with this digest, which was read at `begun` from an equal
    /// source. The content of files that were written just before is compared.
    [[nodiscard]] bool still_has(const std::string& sha256,
                                 std::chrono::system_clock::time_point begun) const;
};

/// The table of a file, read with its reader unless it is open already (KeptValues): by whoever in this
/// process, with the same options, and the file has not changed since. Throws as the reader, and an input
/// Error for a collection of series and for a table whose rows are of several series (long_columns.h). Any
/// thread.
[[nodiscard]] std::shared_ptr<const Table> read_table(const std::filesystem::path& path,
                                                      const CsvOptions& options = {},
                                                      const ProgressFn& progress = {},
                                                      const std::stop_token& stop = {});

/// A collection of series, likewise; its file is read once for all horizons and policies. Readers:
/// - M4: `path` is a folder with Train/NAME-train.csv and Test/NAME-test.csv (NAME: the frequency), or the
///   training file. A line per series: its id, then its values; cells after the last value are empty. The
///   series are those of the test file, in its order.
/// - one file without test values: a CSV file with a row per value, Monash's .tsf, JSON lines. The last H
///   values of each series are its test values (series_whole.h).
///
/// Progress in bytes on the calling thread. Throws Cancelled, and an input Error with file, line and series
/// for: a missing file, no such frequency in the folder, series in one file only, an id that occurs twice, a
/// value that is no finite number, an empty cell between values, a series with fewer than H + 1 training
/// values, fewer or more than H test values, files of different frequencies, and what the readers of the
/// files list. Constant series are kept, with one warning.
[[nodiscard]] std::shared_ptr<const SeriesCollection> read_collection(const std::filesystem::path& path,
                                                                      const CollectionOptions& options,
                                                                      const ProgressFn& progress = {},
                                                                      const std::stop_token& stop = {});

/// How often read_table() and read_collection() have read a data set from its files in this process.
[[nodiscard]] std::int64_t data_sets_read();

/// What can be read, for "expected …": "a file of these kinds: Monash .tsf, JSON lines, CSV".
[[nodiscard]] Phrase readable_files();

}  // namespace casp::data
