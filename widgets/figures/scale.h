#pragma once
// Values and positions in the plot area: 0 … 1 from left to right and from bottom to top. Shared by painter,
// crosshair and zoom. Plain functions, any thread.

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

}  // namespace casp::figures
