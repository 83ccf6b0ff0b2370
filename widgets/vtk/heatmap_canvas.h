#pragma once
// What draws the cells of a HeatmapView: OpenGL textures or a painter. Internal to widgets/vtk.

#include <QImage>
#include <QWidget>

#include "vtk/heatmap_pyramid.h"

namespace casp::widgets {

/// Lives in a widget that lets mouse events through to the view.
class HeatmapCanvas {
public:
    virtual ~HeatmapCanvas() = default;
    [[nodiscard]] virtual QWidget* widget() = 0;
    /// Values, order, colours or background are others now. The pyramid outlives the canvas.
    virtual void matrix_changed() = 0;
    /// Cells between the borders of the widget: x columns, y shown rows.
    virtual void set_visible_cells(const QRectF& cells) = 0;
    /// What it shows, in device pixels.
    [[nodiscard]] virtual QImage picture() = 0;
};

/// Needs opengl_available(). The canvas belongs to its widget, and that to `parent`.
[[nodiscard]] HeatmapCanvas* make_vtk_heatmap_canvas(const HeatmapPyramid& pyramid, QWidget* parent);
[[nodiscard]] HeatmapCanvas* make_painter_heatmap_canvas(const HeatmapPyramid& pyramid, QWidget* parent);

}  // namespace casp::widgets
