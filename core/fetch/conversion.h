#pragma once
// Conversion of files in other formats (data/foreign_format.h) to CSV or .safetensors by the user's Python.

#include <filesystem>
#include <stop_token>
#include <string>

#include "util/phrase.h"

namespace casp::data {
struct ForeignFormat;
}  // namespace casp::data

namespace casp::fetch {

/// A file that can be converted, and where to.
struct Conversion {
    std::filesystem::path file, out;
    const data::ForeignFormat* format = nullptr;
};

/// The conversion of a file beside it (data::conversion_name()), or to `out`; to weights if that ends in
/// .safetensors. Reads the first 64 KiB, or the names in a zip archive.
///
/// Throws an input Error if it cannot be opened, is read as it is, or would have to be trusted (pickles).
[[nodiscard]] Conversion conversion_of(const std::filesystem::path& file,
                                       const std::filesystem::path& out = {});

/// Runs the format's line with resources/python/convert.py in a child process. `out` is complete or does not
/// exist. Returns what was done, with the packages: "data.parquet was converted to data.csv with
/// pandas 2.1.4". Blocks; thread-safe.
///
/// Throws an input Error if `out` exists, for an interpreter that cannot be started, a missing package,
/// several tables in the file, and what the packages report; a run Error if `out` cannot be written or an
/// hour was not enough; and Cancelled.
Phrase convert(const Conversion& conversion, const std::string& interpreter, const std::stop_token& stop);

}  // namespace casp::fetch
