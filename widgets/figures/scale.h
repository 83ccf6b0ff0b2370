#pragma once
// Ranges of axes, and values as positions in the plot area: 0 … 1 from left to right and from bottom to top.
// Shared by painter, crosshair and zoom. Plain functions, any thread.

#include <optional>

#include "figures/figure.h"

namespace casp::figures {

/// A range of an axis.
struct Range {
    double min = 0, max = 1;
    bool operator==(const Range&) const = default;
};

/// One axis: values to 0 … 1 (left to right, bottom to top) and back.
struct Scale {
    double min = 0, max = 1;  ///< values at 0 and 1; log: both > 0
    bool log = false;
    bool reversed = false;  ///< 0 at the right or top (rows of a heatmap)

    /// NaN for values that a logarithmic axis cannot show.
    [[nodiscard]] double at(double value) const;
    [[nodiscard]] double value(double at) const;
};

/// Zoomed range; none: all data.
struct PlotWindow {
    std::optional<Range> x, y;
    bool operator==(const PlotWindow&) const = default;
};

struct Scales {
    Scale x, y, y2;
    bool no_data = false;  ///< nothing finite to show (on a log axis: nothing > 0)

    [[nodiscard]] const Scale& of(const Series& series) const { return series.secondary ? y2 : y; }
};

/// Ranges from the axes' limits, else from the data with a margin; `window` overrides x and y. A heatmap has
/// x 0 … columns and y rows … 0, with cell i between i and i + 1.
[[nodiscard]] Scales scales_of(const Plot& plot, const PlotWindow& window = {});

/// Width of a bar on the x axis, in values: 0.8 of the smallest distance between neighbours.
[[nodiscard]] double bar_width(const Series& series);

/// The range middle ± `half` around values in [low, high] (finite, low ≤ high); nothing if the values with
/// the painter's margin are already at least that high, and if `half` is not positive.
[[nodiscard]] std::optional<Range> min_range(double low, double high, double half);

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
