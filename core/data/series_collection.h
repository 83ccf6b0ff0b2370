#pragma once
// Collections of series: many univariate series of different length, each with H test values (M4).

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "data/table.h"
#include "util/progress.h"

namespace casp::data {

/// A frequency of M4, with what the competition and its public loaders fix for it.
struct Frequency {
    std::string_view name;  ///< "Yearly": data.frequency, and the beginning of the file names
    std::int64_t horizon;   ///< H
    std::int64_t season;    ///< s of MASE and Naive2, in values
    std::int64_t history;   ///< training windows are cut within the last `history` values
};

/// Yearly, Quarterly, Monthly, Weekly, Daily, Hourly.
[[nodiscard]] const std::array<Frequency, 6>& frequencies();

/// By name; null: there is none.
[[nodiscard]] const Frequency* find_frequency(std::string_view name);

/// Many series, in original units. All values are finite.
struct SeriesCollection {
    std::filesystem::path path;            ///< file of the training values
    const Frequency* frequency = nullptr;  ///< never null once read
    std::int64_t horizon = 0;              ///< H: test values of every series
    std::vector<std::string> ids;          ///< [series] in the order of the test file
    std::vector<double> values;            ///< training values, one series after another
    std::vector<std::int64_t> offsets{0};  ///< [series + 1] where each series begins in `values`
    std::vector<double> test;              ///< [series, H]
    std::vector<Warning> warnings;
    std::string sha256;  ///< of the content of all files; lower-case hex

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
    std::string frequency;     ///< data.frequency; empty: from the file name, or the only one in the folder
    std::int64_t horizon = 0;  ///< data.horizon; 0: that of the test file, or of the frequency
    int threads = 0;           ///< 0: all of the machine
};

/// Whether read_collection() reads `path`: a folder with M4's files of any frequency, a file NAME-train.csv
/// in a folder Train, or a CSV file with the columns unique_id, ds and y. Accesses the disk; false for a path
/// that does not exist.
[[nodiscard]] bool is_collection(const std::filesystem::path& path);

/// Reads a collection:
/// - M4: `path` is a folder with Train/NAME-train.csv and Test/NAME-test.csv (NAME: the frequency), or the
///   training file. A line per series: its id, then its values; cells after the last value are empty. The
///   series are those of the test file, in its order.
/// - the same series as arrays, one per id, in training.npz and test.npz of a folder (series_npz.h);
///   `frequency` selects.
/// - one CSV file with the columns unique_id, ds, y (any order, further columns are ignored): a row per
///   value. `ds` holds dates that begin with the year, or integers. The last H values of each series are its
///   test values. The median step of the dates gives an empty data.frequency.
///
/// Progress in bytes on the calling thread. Throws Cancelled, and an input Error with file, line and series
/// for: a missing file, no such frequency in the folder, series in one file only, an id that occurs twice, a
/// value that is no finite number, an empty cell between values, a series with fewer than H + 1 training
/// values, fewer or more than H test values, dates of a series that are not increasing, files of different
/// frequencies. Constant series are kept, with one warning.
[[nodiscard]] SeriesCollection read_collection(const std::filesystem::path& path,
                                               const CollectionOptions& options,
                                               const ProgressFn& progress = {}, std::stop_token stop = {});

/// Digest of all files of a collection, as SeriesCollection::sha256. Throws as read_collection().
[[nodiscard]] std::string collection_digest(const std::filesystem::path& path, const std::string& frequency);

}  // namespace casp::data
