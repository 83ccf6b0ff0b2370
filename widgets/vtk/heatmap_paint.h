#pragma once
// Drawing of labels and overlays of a heatmap, and of the whole heatmap for files.

#include <set>

#include <QImage>
#include <QRectF>

#include "figures/style.h"
#include "vtk/heatmap_pyramid.h"

class QPainter;

namespace casp::widgets {

/// Presentation of a heatmap: titles, visible cells, highlights.
struct HeatmapLook {
    figures::Style style = figures::light_style();
    QString title, row_title, column_title;  ///< "anchor", "window": singular, also for the read-out
    QString empty_text;
    QRectF cells;                                  ///< visible ones: x columns, y rows
    std::set<std::int64_t> lit_rows, lit_columns;  ///< rows, columns
    std::int64_t row = -1, column = -1;            ///< row and column under the crosshair; −1: none
};

/// Layout in device-independent pixels.
struct HeatmapLayout {
    QRectF title, bar, cells;
};

[[nodiscard]] HeatmapLayout heatmap_layout(const HeatmapPyramid& pyramid, const HeatmapLook& look,
                                           const QSizeF& size);
/// Draws titles, labels, colour bar, highlights and crosshair; everything but the cells.
void paint_heatmap_decoration(QPainter& painter, const HeatmapPyramid& pyramid, const HeatmapLook& look,
                              const HeatmapLayout& layout);
/// For files: cells drawn by the painter, identical on every machine. `size` in device-independent pixels.
[[nodiscard]] QImage render_heatmap_to_image(const HeatmapPyramid& pyramid, const HeatmapLook& look,
                                             const QSize& size, double ratio = 1);

}  // namespace casp::widgets
