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
};

/// What a label covers, in the scene's font (not for upright ones).
[[nodiscard]] QRectF label_rect(const EmbeddingAxes::Label& label, const EmbeddingScene& scene);

/// Flat: ticks below and left of the plot, grid over the visible part. Else three walls behind `bounds`; the
/// titles stand beside their axes, clear of all ticks' labels where there is room, and without what stands in
/// brackets where that takes too much of it. Needs a QGuiApplication for its fonts.
[[nodiscard]] EmbeddingAxes embedding_axes(const EmbeddingScene& scene, const EmbeddingBounds& bounds,
                                           const EmbeddingCamera& camera, const QSizeF& view);

}  // namespace casp::widgets
