#pragma once
// Canvas drawing grid and points of an EmbeddingView with OpenGL or a painter. Internal to widgets/vtk.

#include <QImage>
#include <QWidget>

#include "vtk/embedding_axes.h"

namespace casp::widgets {

/// Its widget passes mouse events through to the view.
class EmbeddingCanvas {
public:
    virtual ~EmbeddingCanvas() = default;
    [[nodiscard]] virtual QWidget* widget() = 0;
    /// Points, colours or style have changed. `scene` outlives the canvas.
    virtual void scene_changed() = 0;
    virtual void set_camera(const EmbeddingCamera& camera, const EmbeddingAxes& axes) = 0;
    /// Its current image, in device pixels.
    [[nodiscard]] virtual QImage picture() = 0;
};

/// Needs opengl_available(). The canvas belongs to its widget, and that to `parent`.
[[nodiscard]] EmbeddingCanvas* make_vtk_embedding_canvas(const EmbeddingScene& scene, QWidget* parent);

}  // namespace casp::widgets
