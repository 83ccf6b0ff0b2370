#pragma once
// Grid and labels of an embedding view, for both OpenGL and the painter.

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
    int left_out = 0;  ///< in 3D: number of labels that do not fit
};

/// Area covered by a label, in the scene's font (not for upright ones).
[[nodiscard]] QRectF label_rect(const EmbeddingAxes::Label& label, const EmbeddingScene& scene);

/// 2D: ticks below and left of the plot, grid over the visible part. 3D: three walls behind `bounds`, with
/// titles beside their axes, without the part in parentheses if space is short; labels that would overlap or
/// be clipped are omitted, tick labels first. Needs a QGuiApplication for its fonts.
[[nodiscard]] EmbeddingAxes embedding_axes(const EmbeddingScene& scene, const EmbeddingBounds& bounds,
                                           const EmbeddingCamera& camera, const QSizeF& view);

/// `camera` with unchanged direction, moved to show all of `bounds` and, in 3D, the axis labels around them,
/// as far as a view of this size allows.
[[nodiscard]] EmbeddingCamera fitted_camera(const EmbeddingScene& scene, const EmbeddingBounds& bounds,
                                            EmbeddingCamera camera, const QSizeF& view);

}  // namespace casp::widgets
