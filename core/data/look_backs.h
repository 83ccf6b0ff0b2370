#pragma once
// Look-backs of stored windows, read from the run's data set.

#include <cstdint>
#include <span>
#include <vector>

#include "data/prepared.h"

namespace casp::data {

/// The look-backs of windows that begin at `starts` (rows of the table; of a collection positions among all
/// training values), scaled with `scaler`: [windows, L, M], row-major. In a collection zeros precede the
/// first value of a series (series_windows.h). Throws an input Error if a window is not in the data set, or
/// the scaler has another number of channels.
[[nodiscard]] std::vector<float> look_backs(const PreparedData& data, const Scaler& scaler,
                                            std::span<const std::int64_t> starts, std::int64_t lookback);

/// Scales each row of `length` values to mean 0 and variance 1, a constant row to zeros: the series of a
/// collection have different scales.
void to_unit_variance(std::span<float> rows, std::int64_t length);

/// The series of a collection that the window beginning at `start` belongs to.
[[nodiscard]] std::int64_t series_of_window(const SeriesCollection& collection, std::int64_t start,
                                            std::int64_t lookback);

}  // namespace casp::data
