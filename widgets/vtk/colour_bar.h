#pragma once
// Horizontal colour bar with title, minimum and maximum, for painters on any device.

#include <QRectF>
#include <QString>

#include "figures/style.h"

class QPainter;

namespace casp::widgets {

/// From the left border of `where`, vertically centred, in the painter's font; the title is shortened to fit.
void paint_colour_bar(QPainter& painter, const QRectF& where, const figures::Style& style,
                      const QString& title, const QString& colour_map, double low, double high);
/// Width with the full title, in the painter's font.
[[nodiscard]] double colour_bar_width(const QPainter& painter, const QString& title, double low, double high);

}  // namespace casp::widgets
