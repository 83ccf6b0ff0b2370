#pragma once
// Least height of a value axis, so that differences within noise are not drawn at full height. Plain
// functions, any thread.

#include <optional>

#include "figures/figure.h"

namespace casp::figures {

struct AxisRange {
    double min = 0, max = 1;
    bool operator==(const AxisRange&) const = default;
};

/// The range middle ± `half` around values in [low, high] (finite, low ≤ high); nothing if the values with
/// the painter's margin are already at least that high, and if `half` is not positive.
[[nodiscard]] std::optional<AxisRange> least_range(double low, double high, double half);

/// How much an axis covers on either side of the middle of what it shows.
struct AxisBand {
    double relative = 0;  ///< fraction of the middle's absolute value
    double absolute = 0;  ///< or this, in units of the axis, if it is larger
};

/// Widens the y axis of a plot (its first one) to that band around all its marks, error bars and horizontal
/// rules, and adds `note` to the plot if that was necessary. A logarithmic axis needs a relative band.
void keep_band(Plot& plot, const AxisBand& band, const QString& note);

/// The band of errors, entropies and other values whose seed noise is a fraction of them: ±5 %.
void keep_value_band(Plot& plot);
/// The band of differences in per cent: ±1 %.
void keep_percent_band(Plot& plot);

}  // namespace casp::figures
