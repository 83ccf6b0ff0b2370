#pragma once
// Reduction of curves to the visible resolution and to pieces in unit coordinates (scale.h), as a chart on
// fixed axes draws them; smoothing. Plain functions, any thread.

#include <cstddef>
#include <span>
#include <vector>

#include <QPolygonF>

#include "figures/figure.h"
#include "figures/scale.h"

namespace casp::figures {

/// Visible range and resolution of the x axis.
struct Columns {
    double from = 0, to = 1;  ///< visible x range, from < to; log: both > 0
    int count = 1000;         ///< pixel columns, ≥ 1
    bool log = false;         ///< columns are equally wide on a logarithmic axis
};

/// Marks a gap between two points in the result of reduce_line.
inline constexpr std::ptrdiff_t gap = -1;

/// Indices of the points that give the same polyline at that resolution, in order.
///
/// Each pixel column keeps its lowest and its highest point: extremes are exact, never averaged. Points
/// beside gaps and empty columns are kept. One point beyond either end is kept, so that the line reaches the
/// border. A NaN in y (or x) is a gap if it is at least a column wide or crosses a column's border. x must
/// not decrease; if it does (trajectories), or with few points, only NaN are removed. Linear in the number of
/// points: 1,000,000 take about 2 ms.
[[nodiscard]] std::vector<std::ptrdiff_t> reduce_line(std::span<const double> x, std::span<const double> y,
                                                      const Columns& columns);

/// Exponential moving average, debiased as Adam's moments are: out[t] = Σ w^(t-i) y[i] / Σ w^(t-i), over the
/// finite values up to t. `weight` 0 … 0.999 (0: y itself). NaN stays NaN and is ignored. Smooth the full
/// data first, reduce afterwards: the curve must not depend on the view's size.
[[nodiscard]] std::vector<double> smoothed(std::span<const double> y, double weight);

/// Pieces of a line in unit coordinates (0 … 1), reduced, cut at gaps and clipped to the plot area. SVG has
/// no clipping in Qt, so nothing outside may remain.
struct LinePieces {
    std::vector<QPolygonF> pieces;  ///< two points and more
    QPolygonF lonely;               ///< isolated points between two gaps
};
[[nodiscard]] LinePieces line_pieces(const Series& series, const Scales& scales, int columns);

/// The part of the segment that lies in [0, 1]²; false: none.
[[nodiscard]] bool clip_segment(QPointF& from, QPointF& to);

/// The same for an area: its edges between two gaps.
struct AreaPiece {
    QPolygonF upper, lower;
};
[[nodiscard]] std::vector<AreaPiece> area_pieces(const Series& series, const Scales& scales, int columns);

}  // namespace casp::figures
