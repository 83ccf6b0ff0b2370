#pragma once
// Collections of series: many univariate series of different length, each with H test values (M4).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "data/csv_import.h"
#include "data/missing.h"
#include "data/series_frequency.h"
#include "data/table.h"
#include "util/progress.h"

namespace casp::data {

/// Many series, in original units. All values are finite.
struct SeriesCollection {
    std::filesystem::path path;  ///< file of the training values
    Frequency frequency;
    std::int64_t horizon = 0;              ///< H: test values of every series
    std::vector<std::string> ids;          ///< [series] in the order of the test file
    std::vector<double> values;            ///< training values, one series after another
    std::vector<std::int64_t> offsets{0};  ///< [series + 1] where each series begins in `values`
    std::vector<double> test;              ///< [series, H]
    std::vector<Warning> warnings;
    std::vector<Reading> readings;  ///< decisions about the file
    std::string sha256;             ///< of the content of all files; lower-case hex

    [[nodiscard]] std::int64_t size() const { return std::ssize(ids); }
    [[nodiscard]] std::int64_t length(std::int64_t series) const {
        const auto i = static_cast<std::size_t>(series);
        return offsets[i + 1] - offsets[i];
    }
    [[nodiscard]] std::span<const double> training_of(std::int64_t series) const {
        return std::span(values).subspan(static_cast<std::size_t>(offsets[static_cast<std::size_t>(series)]),
                                         static_cast<std::size_t>(length(series)));
    }
    [[nodiscard]] std::span<const double> test_of(std::int64_t series) const {
        return std::span(test).subspan(static_cast<std::size_t>(series * horizon),
                                       static_cast<std::size_t>(horizon));
    }
};

struct CollectionOptions {
    std::string frequency = {};  ///< data.frequency; empty: from the files
    std::int64_t horizon =
        0;                ///< data.horizon; 0: that of the file or frequency, shortened if series are short
    int threads = 0;      ///< 0: all of the machine
    CsvOptions csv = {};  ///< of a CSV file with a row per value
    std::optional<MissingPolicy> missing = {};  ///< data.missing; unset: shown as interpolated
    std::vector<std::string> columns = {};  ///< data.columns: the column of the values, if several may be it
};

/// Whether the reader of `path` (reader.h) reads a collection. Accesses the disk; false for a path that does
/// not exist.
[[nodiscard]] bool is_collection(const std::filesystem::path& path);

/// Reads a collection with the reader of `path`:
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
[[nodiscard]] SeriesCollection read_collection(const std::filesystem::path& path,
                                               const CollectionOptions& options,
                                               const ProgressFn& progress = {}, std::stop_token stop = {});

/// Whether `path` is a folder with M4's files of any frequency, or a file NAME-train.csv in a folder Train.
[[nodiscard]] bool is_m4(const std::filesystem::path& path);

/// Reads M4's files, as read_collection().
[[nodiscard]] SeriesCollection read_m4(const std::filesystem::path& path, const CollectionOptions& options,
                                       const ProgressFn& progress, const std::stop_token& stop);

/// Digest of all files of a collection, as SeriesCollection::sha256. Throws as read_collection().
[[nodiscard]] std::string collection_digest(const std::filesystem::path& path, const std::string& frequency);

}  // namespace casp::data
