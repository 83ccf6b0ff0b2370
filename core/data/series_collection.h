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
    CsvOptions csv = {};  ///< of a CSV file with a row per value; its threads of all files
    std::optional<MissingPolicy> missing = {};  ///< data.missing; unset: shown as interpolated
    std::vector<std::string> columns = {};  ///< data.columns: the column of the values, if several may be it

    bool operator==(const CollectionOptions&) const = default;
};

/// Whether the reader of `path` (reader.h) reads a collection. Accesses the disk; false for a path that does
/// not exist.
[[nodiscard]] bool is_collection(const std::filesystem::path& path);

/// Throws an input Error for a horizon out of range and a frequency that is not known.
void check_options(const CollectionOptions& options);

/// Whether `path` is a folder with M4's files of any frequency, or a file NAME-train.csv in a folder Train.
[[nodiscard]] bool is_m4(const std::filesystem::path& path);

/// The files that a data set is read from: of M4 those of the training and of the test values, else `path`.
/// `frequency`: data.frequency. Reads none of them. Throws an input Error if M4's are not complete.
[[nodiscard]] std::vector<std::filesystem::path> data_files(const std::filesystem::path& path,
                                                            const std::string& frequency);

/// SHA-256 of the content of data_files(), as of a table or collection and in run.h5. Throws an input Error
/// if it cannot be read.
[[nodiscard]] std::string dataset_digest(const std::filesystem::path& path, const std::string& frequency);

}  // namespace casp::data
