#pragma once
// Marker shapes as signed distances, shared by the OpenGL shader and the painter.

#include <QPainterPath>

#include "figures/figure.h"

namespace casp::widgets {

/// Distance in pixels from (x, y), y downwards, to the outline of a marker of this radius around the origin;
/// positive inside.
[[nodiscard]] double marker_distance(figures::MarkerShape shape, double x, double y, double radius);
/// The same in GLSL: an expression of `vec2 p` and `float r`.
[[nodiscard]] const char* marker_distance_glsl(figures::MarkerShape shape);
[[nodiscard]] QPainterPath marker_path(figures::MarkerShape shape, const QPointF& centre, double radius);

}  // namespace casp::widgets
