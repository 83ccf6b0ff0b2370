#pragma once
// Fonts, sizes and the legend of a plot: measured once, drawn in scene units. Part of the painter.

#include <vector>

#include <QFont>
#include <QFontMetricsF>
#include <QPen>
#include <QString>
#include <QStringList>

#include "figures/figure.h"
#include "figures/style.h"

class QPainter;

namespace casp::widgets {

/// Style in scene units.
struct Canvas {
    figures::Style style;
    double unit = 96.0 / 72.0;  ///< scene units per point
    bool hinting = true;        ///< on screen, where a unit is a pixel
    bool vector = false;        ///< for SVG and PDF: a line is one path, which is slower for pixels
    double detail = 1;          ///< pixels per unit

    [[nodiscard]] double points(double length) const { return length * unit; }
    /// Number of distinguishable columns in this many units, to which curves and heatmaps are reduced.
    [[nodiscard]] int columns(double width) const { return static_cast<int>(width * detail); }
    /// The style's font, `larger` points larger.
    [[nodiscard]] QFont font(double larger = 0, bool bold = false) const;
    /// A hairline of the style.
    [[nodiscard]] QPen line(const QColor& colour, double width_points = 0.75) const;
    /// Colour of a series, with its opacity.
    [[nodiscard]] QColor colour_of(const figures::Series& series, std::size_t index) const;
};

/// On screen, hairlines are aligned to whole pixels; in high-resolution files this makes no difference.
[[nodiscard]] inline double snapped(double position) { return std::floor(position) + 0.5; }

struct LegendEntry {
    QString name;
    QColor colour;
    figures::MarkKind kind = figures::MarkKind::line;
    figures::MarkerShape marker = figures::MarkerShape::circle;
    bool dashed = false;
    bool hollow = false;
    bool note = false;  ///< text without a sample, muted without a colour
    bool operator==(const LegendEntry&) const = default;
};

/// Named series; each combination of name and colour once.
[[nodiscard]] std::vector<LegendEntry> legend_of(const figures::Plot& plot, const Canvas& canvas);

/// Common legend above several plots: that of one plot if it covers the others'. Empty: each plot has its own
/// legend.
[[nodiscard]] std::vector<LegendEntry> common_legend(const figures::Figure& figure, const Canvas& canvas);

/// Maximum number of legend rows within this many scene units, leaving more than half to the plot.
[[nodiscard]] int legend_rows_in(double height, const Canvas& canvas);

/// Entries in at most `max_rows` rows, each in full: an entry wider than a row continues in the next one.
/// Entries that do not fit become "and 12 more", also within `width`.
class Legend {
public:
    void lay_out(const std::vector<LegendEntry>& entries, const Canvas& canvas, double width, int max_rows);
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

/// `text` for drawing in `font`: DejaVu Sans puts the tilde of c̃ below the c unless a joiner separates them.
[[nodiscard]] QString shaped(QString text, const QFont& font);

/// `text` in lines of at most `width`, broken between words; a wider word continues in the next line.
[[nodiscard]] QStringList wrapped(const QString& text, const QFontMetricsF& metrics, double width);

/// Largest extent of a marker, relative to its `size`.
[[nodiscard]] constexpr double marker_extent(figures::MarkerShape shape) {
    return shape == figures::MarkerShape::square ? 0.89 : shape == figures::MarkerShape::diamond ? 1.2 : 1;
}

/// One marker around the origin, `size` across.
[[nodiscard]] QPainterPath marker_path(figures::MarkerShape shape, double size);

}  // namespace casp::widgets
