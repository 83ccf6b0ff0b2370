#pragma once
// Fonts, sizes and the legend of a plot: measured once, drawn in scene units. Part of the painter.

#include <vector>

#include <QFont>
#include <QFontMetricsF>
#include <QPen>
#include <QRectF>
#include <QString>

#include "figures/figure.h"
#include "figures/style.h"

class QPainter;

namespace casp::widgets {

/// The style in scene units.
struct Canvas {
    figures::Style style;
    double unit = 96.0 / 72.0;  ///< scene units per point
    bool hinting = true;
    bool vector = false;

    [[nodiscard]] double points(double length) const { return length * unit; }
    /// The style's font, `larger` points larger.
    [[nodiscard]] QFont font(double larger = 0, bool bold = false) const;
    /// A hairline of the style.
    [[nodiscard]] QPen line(const QColor& colour, double width_points = 0.75) const;
    /// Colour of a series, with its opacity.
    [[nodiscard]] QColor colour_of(const figures::Series& series, std::size_t index) const;
};

/// On the screen hairlines fall on whole pixels; in files of high resolution it makes no difference.
[[nodiscard]] inline double snapped(double position) { return std::floor(position) + 0.5; }

struct LegendEntry {
    QString name;
    QColor colour;
    figures::MarkKind kind = figures::MarkKind::line;
    figures::MarkerShape marker = figures::MarkerShape::circle;
    bool dashed = false;
    bool operator==(const LegendEntry&) const = default;
};

/// Named series, each name and colour once.
[[nodiscard]] std::vector<LegendEntry> legend_of(const figures::Plot& plot, const Canvas& canvas);

/// Entries in rows, at most `most_rows`; what does not fit becomes "and 12 more".
class Legend {
public:
    void lay_out(const std::vector<LegendEntry>& entries, const Canvas& canvas, double width, int most_rows);
    [[nodiscard]] double height() const { return height_; }
    [[nodiscard]] int rows() const { return rows_; }
    /// Width of the widest row.
    [[nodiscard]] double width() const { return width_; }
    void draw(QPainter& painter, const Canvas& canvas, QPointF top_left) const;

private:
    struct Placed {
        LegendEntry entry;
        QPointF at;
        QString text;
        bool swatch = true;
    };
    std::vector<Placed> placed_;
    double height_ = 0, width_ = 0, swatch_ = 0;
    int rows_ = 0;
};

/// One marker around the origin, `size` across.
[[nodiscard]] QPainterPath marker_path(figures::MarkerShape shape, double size);

}  // namespace casp::widgets
