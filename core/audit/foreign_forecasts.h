#pragma once
// Forecasts made by other code: pred.npy and true.npy, an .npz file, or a CSV file.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "audit/window_array.h"

namespace casp::audit {

struct ForeignForecasts {
    std::filesystem::path path;              ///< as given
    WindowArray prediction;                  ///< [windows, H, M]
    std::optional<WindowArray> truth;        ///< the same shape
    std::vector<std::string> channels = {};  ///< [M] names or numbers in a CSV file; empty: unnamed
    /// [windows] in the test split, ascending; empty: unknown
    std::vector<std::int64_t> window_numbers = {};
    bool in_original_units = false;  ///< as files of this form have them
    bool are_exchanged = false;      ///< predictions were in the place of the truths
};

/// Reads
/// - a folder with pred.npy and, optionally, true.npy, as the Time-Series-Library and its kin write it (or
/// one of
///   these files);
/// - an .npz file with the arrays pred and, optionally, true;
/// - a CSV file with the columns window, step, channel, prediction and, optionally, true: a row per value,
///   windows and steps from 0, channels by name or by number;
/// - a CSV file with the columns unique_id, ds, cutoff, y and one of forecasts, in original units, as
/// --export
///   writes it.
///
/// Throws Cancelled, and an input Error for a missing file, pickled objects, arrays of other axes than
/// WindowArray takes, and in a CSV file a value that is missing or occurs twice, with its line.
[[nodiscard]] ForeignForecasts read_foreign_forecasts(const std::filesystem::path& path,
                                                      const std::stop_token& stop = {});

/// Throws an input Error unless predictions and truths have the same shape.
void require_equal_shapes(const ForeignForecasts& forecasts);

/// The CSV files of read_foreign_forecasts().
[[nodiscard]] ForeignForecasts read_forecasts_csv(const std::filesystem::path& path,
                                                  const std::stop_token& stop);

}  // namespace casp::audit
