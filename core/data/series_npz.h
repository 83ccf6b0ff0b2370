#pragma once
// M4's series in .npz files: an array per series, named by its id.

#include <filesystem>
#include <stop_token>

#include "data/series_collection.h"
#include "data/series_csv.h"

namespace casp::data {

/// Reads the series of a frequency: the arrays whose names begin with its letter, as in "Y12" (M4's ids),
/// without trailing NaN. Line numbers are those of the arrays. Throws Cancelled, and an input Error as
/// read_npz() and parse_npy(), for an array with several dimensions, a value that is no finite number, and a
/// file without a series of the frequency.
[[nodiscard]] SeriesFile read_series_npz(const std::filesystem::path& path, const Frequency& frequency,
                                         const std::stop_token& stop);

}  // namespace casp::data
