#pragma once
// An embedding view with QPainter: what lies over the OpenGL canvas, the whole view where there is no OpenGL,
// and the picture for files.
//
// Files are always made this way, also where there is OpenGL: it needs neither a display nor a driver, gives
// the same pixels everywhere and on any thread, has no limit of size, and on a vector device draws real
// shapes.

#include <QFont>
#include <QImage>
#include <QRectF>

#include "vtk/embedding_axes.h"

class QPainter;

namespace casp::widgets {

/// Where things stand in a view of a given size; device-independent pixels.
struct EmbeddingLayout {
    QRectF title, legend, plot;
    int legend_rows = 1;  ///< at most
};

/// The names of the kinds beside their markers, in rows; what has no room is counted.
struct EmbeddingLegend {
    struct Entry {
        std::size_t kind = 0;
        QPointF at;  ///< middle of its left edge, from the upper left corner of the legend
    };
    std::vector<Entry> entries;
    QString more;  ///< "and 12 more"; empty: all are there
    QPointF more_at;
    int rows = 0;
};
/// For so much room; at most so many rows.
[[nodiscard]] EmbeddingLegend embedding_legend(const EmbeddingScene& scene, double width, int most_rows);
/// Rows of a legend in a view of that height: the points are what is looked at.
[[nodiscard]] int most_legend_rows(const EmbeddingScene& scene, double height);
/// All of the legend in rich text, for a tool tip; empty where the legend says it all.
[[nodiscard]] QString legend_tip(const EmbeddingScene& scene, const EmbeddingLegend& legend);

/// The style's font in pixels, so that it is the same on every device.
[[nodiscard]] QFont embedding_font(const figures::Style& style, double larger_by = 0);
[[nodiscard]] EmbeddingLayout embedding_layout(const EmbeddingScene& scene, const QSizeF& size);

/// Points onto `image`, whose pixels are `ratio` times smaller than the projection's. Antialiased; 100,000
/// points take some 10 ms.
void paint_points(QImage& image, double ratio, const EmbeddingScene& scene,
                  const EmbeddingProjection& projection);
/// The same as shapes, for vector devices; the painter's origin is the plot's upper left corner.
void paint_points(QPainter& painter, const EmbeddingScene& scene, const EmbeddingProjection& projection);
void paint_grid(QPainter& painter, const EmbeddingScene& scene, const EmbeddingAxes& axes,
                const EmbeddingProjection& projection);
/// Title, legend or colour bar, frame and labels.
void paint_decoration(QPainter& painter, const EmbeddingScene& scene, const EmbeddingAxes& axes,
                      const EmbeddingLayout& layout);

/// How a picture is taken.
struct EmbeddingPicture {
    bool flat = true;
    std::optional<EmbeddingCamera> camera;  ///< else all points are shown
    std::set<std::int64_t> highlight;
    double ratio = 1;  ///< pixels of the picture per device-independent pixel
};

/// The whole view, `size` device-independent pixels large. Any thread; needs a QGuiApplication for its fonts.
[[nodiscard]] QImage render_embedding_to_image(const EmbeddingPoints& points, const figures::Style& style,
                                               const QSize& size, const EmbeddingPicture& picture = {});
/// Onto any device, in particular QSvgGenerator and QPdfWriter: points are shapes there.
void paint_embedding(QPainter& painter, const QRectF& where, const EmbeddingPoints& points,
                     const figures::Style& style, const EmbeddingPicture& picture = {});

}  // namespace casp::widgets
