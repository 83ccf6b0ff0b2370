#pragma once
// The scores of the M4 competition (sMAPE, MASE, OWA), in float64, sums in index order. Plain functions; any
// thread. Lists of different lengths and a season below 1 throw std::invalid_argument.

#include <cstdint>
#include <span>

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

}  // namespace casp::analysis
