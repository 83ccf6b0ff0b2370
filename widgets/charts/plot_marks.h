#pragma once
// Custom marks of a plot: scene geometry, drawing and hit tests. Part of the painter.

#include <vector>

#include <QImage>
#include <QPolygonF>
#include <QRectF>

#include "charts/chart_painter.h"
#include "charts/plot_text.h"
#include "figures/reduce.h"

namespace casp::widgets {

/// A point of the unit square in the plot area `area` of the scene.
[[nodiscard]] inline QPointF in_scene(QPointF unit, const QRectF& area) {
    return {area.left() + unit.x() * area.width(), area.bottom() - unit.y() * area.height()};
}

/// Bars as rectangles in the scene, with their indices; those outside are omitted.
struct Bars {
    std::vector<QRectF> rectangles;
    std::vector<std::size_t> indices;
};
[[nodiscard]] Bars bar_rectangles(const figures::Series& series, const Scales& scales, QRectF area);

/// Points in the scene, with their indices; those outside are omitted.
struct Points {
    QPolygonF places;
    std::vector<std::size_t> indices;
};
[[nodiscard]] Points point_places(const figures::Series& series, const Scales& scales, QRectF area);

/// Whether some marks of this series are highlighted, so that the others are dimmed.
[[nodiscard]] bool is_any_highlighted(const figures::Series& series, const Highlight& highlight);

void draw_points(QPainter& painter, const Canvas& canvas, const figures::Series& series, const QColor& colour,
                 const Points& points, const Highlight& highlight);
void draw_bars(QPainter& painter, const Canvas& canvas, const figures::Series& series, const QColor& colour,
               const Bars& bars, const Highlight& highlight);
void draw_error_bars(QPainter& painter, const Canvas& canvas, const figures::Series& series,
                     const QColor& colour, const Scales& scales, QRectF area);

/// Limits of a heatmap's colours: as specified, else from the data.
[[nodiscard]] Range colour_range(const figures::Heatmap& map);
/// The visible cells as an image, one pixel per cell, or per block mean if there are more than `most_*`.
[[nodiscard]] QImage heatmap_image(const figures::Heatmap& map, const Scales& scales, int max_column_count,
                                   int max_rows);

}  // namespace casp::widgets
