#pragma once
// Custom marks of a plot: scene geometry, drawing and hit tests. Part of the painter.

#include <vector>

#include <QImage>
#include <QPolygonF>
#include <QRectF>

#include "charts/chart_painter.h"
#include "charts/plot_text.h"

namespace casp::widgets {

/// Pieces of a line in unit coordinates (0 … 1), reduced, cut at gaps and clipped to the plot area. SVG has
/// no clipping in Qt, so nothing outside may remain.
struct LinePieces {
    std::vector<QPolygonF> pieces;  ///< two points and more
    QPolygonF lonely;               ///< isolated points between two gaps
};
[[nodiscard]] LinePieces line_pieces(const figures::Series& series, const Scales& scales, int columns);

/// The part of the segment that lies in [0, 1]²; false: none.
[[nodiscard]] bool clip_segment(QPointF& from, QPointF& to);

/// Polygons of an area, in scene coordinates of `area`.
[[nodiscard]] std::vector<QPolygonF> area_polygons(const figures::Series& series, const Scales& scales,
                                                   QRectF area);

/// Bars as rectangles in the scene, with their indices; those outside are omitted.
struct Bars {
    std::vector<QRectF> rectangles;
    std::vector<std::size_t> indices;
};
[[nodiscard]] Bars bar_rectangles(const figures::Plot& plot, std::size_t series, const Scales& scales,
                                  QRectF area);

/// Points in the scene, with their indices; those outside are omitted.
struct Points {
    QPolygonF places;
    std::vector<std::size_t> indices;
};
[[nodiscard]] Points point_places(const figures::Series& series, const Scales& scales, QRectF area);

void draw_points(QPainter& painter, const Canvas& canvas, const figures::Series& series, const QColor& colour,
                 const Points& points, const Highlight& highlight);
void draw_bars(QPainter& painter, const Canvas& canvas, const figures::Series& series, const QColor& colour,
               const Bars& bars, const Highlight& highlight);
void draw_error_bars(QPainter& painter, const Canvas& canvas, const figures::Plot& plot, std::size_t series,
                     const QColor& colour, const Scales& scales, QRectF area);

/// Limits of a heatmap's colours: as specified, else from the data (symmetric for blue-white-red).
[[nodiscard]] Range colour_range(const figures::Heatmap& map);
/// The visible cells as an image, one pixel per cell, or per block mean if there are more than `most_*`.
[[nodiscard]] QImage heatmap_image(const figures::Heatmap& map, const Scales& scales, int most_columns,
                                   int most_rows);

}  // namespace casp::widgets
