#pragma once
// Grid and labels of an embedding view, for OpenGL and the painter alike.

#include <vector>

#include <QRectF>
#include <QString>

#include "vtk/embedding_scene.h"

namespace casp::widgets {

struct EmbeddingAxes {
    struct Line {
        QVector3D from, to;   ///< data units
        bool strong = false;  ///< zero lines and the edges of the box
    };
    struct Label {
        QPointF at;  ///< pixels from the upper left corner of the plot; may lie outside
        QString text;
        Qt::Alignment side;  ///< which side of the text is at `at`
        bool title = false;
        bool upright = false;  ///< turned by 90°, reads upwards
    };
    std::vector<Line> lines;
    std::vector<Label> labels;
    int left_out = 0;  ///< in depth: labels for which the view has no room
};

/// What a label covers, in the scene's font (not for upright ones).
[[nodiscard]] QRectF label_rect(const EmbeddingAxes::Label& label, const EmbeddingScene& scene);

/// Flat: ticks below and left of the plot, grid over the visible part. Else three walls behind `bounds`; the
/// titles stand beside their axes, without what stands in brackets where that takes too much room. In depth
/// no label covers another or is cut by the view's border: rather it is left out, ticks' labels first. Needs
/// a QGuiApplication for its fonts.
[[nodiscard]] EmbeddingAxes embedding_axes(const EmbeddingScene& scene, const EmbeddingBounds& bounds,
                                           const EmbeddingCamera& camera, const QSizeF& view);

/// `camera`, its direction kept, so that it shows all of `bounds` and in depth the labels of the axes around
/// them, as far as a view of that size has room for both.
[[nodiscard]] EmbeddingCamera fitted_camera(const EmbeddingScene& scene, const EmbeddingBounds& bounds,
                                            EmbeddingCamera camera, const QSizeF& view);

}  // namespace casp::widgets
