#pragma once
// What stands around and above the cells of a heatmap, and the whole heatmap as a picture.

#include <set>

#include <QImage>
#include <QRectF>

#include "figures/style.h"
#include "vtk/heatmap_pyramid.h"

class QPainter;

namespace casp::widgets {

/// How a heatmap is shown, beside its numbers.
struct HeatmapLook {
    figures::Style style = figures::light_style();
    QString title, row_title, column_title;  ///< "anchor", "window": singular, also for the read-out
    QString empty_text;
    QRectF cells;                                  ///< visible ones: x columns, y shown rows
    std::set<std::int64_t> lit_rows, lit_columns;  ///< source rows, columns
    std::int64_t row = -1, column = -1;            ///< shown row and column under the cross-hair; −1: none
};

/// Where things stand; device-independent pixels.
struct HeatmapLayout {
    QRectF title, bar, cells;
};

[[nodiscard]] HeatmapLayout heatmap_layout(const HeatmapPyramid& pyramid, const HeatmapLook& look,
                                           const QSizeF& size);
/// "anchor 12" or the name of that shown row.
[[nodiscard]] QString row_text(const HeatmapPyramid& pyramid, const HeatmapLook& look,
                               std::int64_t shown_row);
[[nodiscard]] QString column_text(const HeatmapPyramid& pyramid, const HeatmapLook& look,
                                  std::int64_t column);
/// Titles, labels, colour bar, highlights, cross-hair; all but the cells.
void paint_heatmap_decoration(QPainter& painter, const HeatmapPyramid& pyramid, const HeatmapLook& look,
                              const HeatmapLayout& layout);
/// For files: cells by the painter, the same on every machine. `size` in device-independent pixels.
[[nodiscard]] QImage render_heatmap_to_image(const HeatmapPyramid& pyramid, const HeatmapLook& look,
                                             const QSize& size, double ratio = 1);

}  // namespace casp::widgets
