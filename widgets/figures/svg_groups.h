#pragma once
// What QSvgGenerator writes, made short.

#include <QByteArray>

namespace casp::figures {

/// Qt writes a group for every change of pen, brush, place and font, most of them empty, and fonts where
/// nothing is written: two thirds of a file. Here empty ones are gone and marks that look alike are one
/// group, which an editor handles as one. Dashes longer than any line are gone, too: charts/plot_item.cpp
/// asks for them so that a line is one path. The picture stays the same.
[[nodiscard]] QByteArray with_few_groups(const QByteArray& svg);

}  // namespace casp::figures
