#include "vtk/colour_bar.h"

#include <algorithm>

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include "figures/ticks.h"

namespace casp::widgets {

static constexpr double bar_width = 110, gap = 6, title_gap = 10;

double colour_bar_width(const QPainter& painter, const QString& title, double low, double high) {
    const QFontMetricsF metrics(painter.font());
    return (title.isEmpty() ? 0 : metrics.horizontalAdvance(title) + title_gap) +
           metrics.horizontalAdvance(figures::number_text(low, 3)) + bar_width + 2 * gap +
           metrics.horizontalAdvance(figures::number_text(high, 3)) + 1;
}

void paint_colour_bar(QPainter& painter, const QRectF& where, const figures::Style& style,
                      const QString& title, const QString& colour_map, double low, double high) {
    const QFontMetricsF metrics(painter.font());
    const double without_title = colour_bar_width(painter, {}, low, high) + title_gap;
    const QString shown =
        metrics.elidedText(title, Qt::ElideRight, std::max(0.0, where.width() - without_title));
    const double base = where.center().y() + (metrics.ascent() - metrics.descent()) / 2;
    double x = where.left();
    painter.save();
    painter.setPen(style.text);
    painter.drawText(QPointF(x, base), shown);
    if (!shown.isEmpty()) x += metrics.horizontalAdvance(shown) + title_gap;
    painter.setPen(style.muted);
    const QString from = figures::number_text(low, 3);
    painter.drawText(QPointF(x, base), from);
    x += metrics.horizontalAdvance(from) + gap;
    QImage bar(256, 1, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) bar.setPixel(i, 0, figures::map_colour(colour_map, i / 255.0));
    painter.drawImage(QRectF(x, where.center().y() - 4.5, bar_width, 9), bar);
    painter.drawText(QPointF(x + bar_width + gap, base), figures::number_text(high, 3));
    painter.restore();
}

}  // namespace casp::widgets
