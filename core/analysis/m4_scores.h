#pragma once
// The scores of the M4 competition (sMAPE, MASE, OWA), in float64, sums in index order. Plain functions; any
// thread. Lists of different lengths and a season below 1 throw std::invalid_argument.

#include <cstdint>
#include <span>
#include <vector>

namespace casp::analysis {

/// Mean over the horizon of 200·|f − y|/(|y| + |f|), 0 where both are 0. Percent; NaN for an empty
/// horizon.
[[nodiscard]] double smape(std::span<const double> forecast, std::span<const double> truth);

/// Mean absolute difference of values `season` steps apart: the denominator of MASE. NaN for a series of at
/// most `season` values.
[[nodiscard]] double seasonal_difference(std::span<const double> training, std::int64_t season);

/// Mean |f − y| over the horizon, divided by seasonal_difference() of the whole training series. NaN where
/// that is 0 (constant and periodic series) or NaN.
[[nodiscard]] double mase(std::span<const double> forecast, std::span<const double> truth,
                          std::span<const double> training, std::int64_t season);

/// Mean of the values that are not NaN, in the order of their index; NaN if there is none.
[[nodiscard]] double mean_of_known(std::span<const double> values);

/// (smape / naive2_smape + mase / naive2_mase) / 2, of means over a group of series.
[[nodiscard]] double owa(double smape, double mase, double naive2_smape, double naive2_mase);

// Naive2, the benchmark of the M4 competition: persistence of the seasonally adjusted series. In float64,
// sums in index order. Plain functions; any thread.
//
// Follows the competition's R code (M4-methods, "Benchmarks and Evaluation.R"). Season: number of values, 1
// for none; a season below 1 throws std::invalid_argument.

/// The competition's test of seasonality: |r_s| > 1.645·sqrt((1 + 2·Σ_{i<s} r_i²)/n) with the
/// autocorrelations r of a series of n values at season s. False for s = 1, fewer than 3·s values, a constant
/// series, and s > floor(10·log10 n): R's acf() stops at that lag (no series of M4; hourly ones below 252
/// values).
[[nodiscard]] bool is_seasonal(std::span<const double> series, std::int64_t season);

/// Seasonal indices of the classical multiplicative decomposition (R's decompose()): [s], mean 1, of the
/// positions 0 … s − 1 of the series. NaN or infinite where a moving average is 0. Throws
/// std::invalid_argument for fewer than 2·s values.
[[nodiscard]] std::vector<double> seasonal_indices(std::span<const double> series, std::int64_t season);

/// Forecast of `horizon` values: the last value of the series divided by its seasonal index, times the index
/// of each forecast step. Persistence if the series is not seasonal or a forecast would not be finite (where
/// R returns NaN: index 0 of the last value, moving average 0). Throws std::invalid_argument for an empty
/// series.
[[nodiscard]] std::vector<double> naive2(std::span<const double> series, std::int64_t season,
                                         std::int64_t horizon);

}  // namespace casp::analysis
