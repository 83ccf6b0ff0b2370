#pragma once
// Drawing of an embedding view with QPainter: the overlay of the OpenGL canvas, the whole view without
// OpenGL, and pictures for files.
//
// Files are always drawn this way, even with OpenGL: it needs neither a display nor a driver, gives the same
// pixels everywhere, and has no size limit.

#include <QFont>
#include <QImage>
#include <QRectF>

#include "vtk/embedding_axes.h"

class QPainter;

namespace casp::widgets {

/// Layout of a view of a given size; device-independent pixels.
struct EmbeddingViewLayout {
    QRectF title, legend, plot;
    int legend_rows = 1;  ///< at most
};

/// Legend: names of the kinds beside their markers, in rows; entries that do not fit are counted.
struct EmbeddingLegend {
    struct Entry {
        std::size_t kind = 0;
        QPointF at;  ///< middle of its left edge, from the upper left corner of the legend
    };
    std::vector<Entry> entries;
    QString more;  ///< "and 12 more"; empty: complete
    QPointF more_at;
    int rows = 0;
};
/// Layout for this width and maximum number of rows.
[[nodiscard]] EmbeddingLegend embedding_legend(const EmbeddingScene& scene, double width, int max_rows);
/// Maximum legend rows in a view of this height, leaving most of it to the points.
[[nodiscard]] int max_legend_rows(const EmbeddingScene& scene, double height);
/// The whole legend as rich text for a tooltip; empty if the legend is complete.
[[nodiscard]] QString legend_tip(const EmbeddingScene& scene, const EmbeddingLegend& legend);

/// The style's font in pixels, for equal size on every device.
[[nodiscard]] QFont embedding_font(const figures::Style& style, double larger_by = 0);
[[nodiscard]] EmbeddingViewLayout embedding_layout(const EmbeddingScene& scene, const QSizeF& size);

/// Grid and points onto `image`, whose pixels are `ratio` times smaller than the projection's. Antialiased;
/// 100,000 points take about 10 ms.
void paint_cloud(QImage& image, double ratio, const EmbeddingScene& scene, const EmbeddingAxes& axes,
                 const EmbeddingProjection& projection);
/// Title, legend or colour bar, frame and labels.
void paint_decoration(QPainter& painter, const EmbeddingScene& scene, const EmbeddingAxes& axes,
                      const EmbeddingViewLayout& layout);

/// The whole view at `size` device-independent pixels, of `ratio` pixels each.
[[nodiscard]] QImage embedding_picture(const EmbeddingScene& scene, const EmbeddingCamera& camera,
                                       const EmbeddingBounds& bounds, const QSize& size, double ratio);

}  // namespace casp::widgets
