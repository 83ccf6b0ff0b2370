#pragma once
// Fonts, sizes and the legend of a plot: measured once, drawn in scene units. Part of the painter.

#include <vector>

#include <QFont>
#include <QFontMetricsF>
#include <QPen>
#include <QRectF>
#include <QString>
#include <QStringList>

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
    bool hollow = false;
    bool operator==(const LegendEntry&) const = default;
};

/// Named series, each name and colour once.
[[nodiscard]] std::vector<LegendEntry> legend_of(const figures::Plot& plot, const Canvas& canvas);

/// The legend of a figure of several plots that stands once above all of them: that of one plot, where it
/// says all that the others' would. Empty: each plot has its own.
[[nodiscard]] std::vector<LegendEntry> common_legend(const figures::Figure& figure, const Canvas& canvas);

/// Most rows of a legend in so many scene units: it leaves more than half of them to the plot.
[[nodiscard]] int legend_rows_in(double height, const Canvas& canvas);

/// Entries in rows, at most `most_rows`, each in full: one that is wider than a row goes on in the next one.
/// What does not fit becomes "and 12 more", within `width` as all the rest.
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
        QStringList lines;  ///< below one another
        bool swatch = true;
    };
    std::vector<Placed> placed_;
    double height_ = 0, width_ = 0, swatch_ = 0, row_ = 0;
    int rows_ = 0;
};

/// `text` in lines of at most `width`, broken between words; a word that is wider alone is cut in its middle.
[[nodiscard]] QStringList wrapped(const QString& text, const QFontMetricsF& metrics, double width);

/// One marker around the origin, `size` across.
[[nodiscard]] QPainterPath marker_path(figures::MarkerShape shape, double size);

}  // namespace casp::widgets
