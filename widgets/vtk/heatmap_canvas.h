#pragma once
// Canvas drawing the cells of a HeatmapView with OpenGL textures or a painter. Internal to widgets/vtk.

#include <QImage>
#include <QWidget>

#include "vtk/heatmap_pyramid.h"

namespace casp::widgets {

/// Its widget passes mouse events through to the view.
class HeatmapCanvas {
public:
    virtual ~HeatmapCanvas() = default;
    [[nodiscard]] virtual QWidget* widget() = 0;
    /// Values, order, colours or background have changed. The pyramid outlives the canvas.
    virtual void matrix_changed() = 0;
    /// Cells between the borders of the widget: x columns, y shown rows.
    virtual void set_visible_cells(const QRectF& cells) = 0;
    /// Its current image, in device pixels.
    [[nodiscard]] virtual QImage picture() = 0;
};

/// Needs opengl_available(). The canvas belongs to its widget, and that to `parent`.
[[nodiscard]] HeatmapCanvas* make_vtk_heatmap_canvas(const HeatmapPyramid& pyramid, QWidget* parent);
[[nodiscard]] HeatmapCanvas* make_painter_heatmap_canvas(const HeatmapPyramid& pyramid, QWidget* parent);

}  // namespace casp::widgets
