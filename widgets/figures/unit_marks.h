#pragma once
// Lines and areas in unit coordinates (scale.h), as a chart on fixed axes draws them. Plain functions,
// any thread.

#include <vector>

#include <QPolygonF>

#include "figures/figure.h"
#include "figures/scale.h"

namespace casp::figures {

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
