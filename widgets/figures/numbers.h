#pragma once
// The numbers behind a figure as CSV (RFC 4180), in full: never reduced, never rounded.

#include <QByteArray>
#include <QString>

#include "figures/figure.h"

namespace casp::figures {

/// The figure's own table where it has one, else one made from its series: a row per point with the columns
/// plot, series, x, y, and where used time (ISO 8601, UTC), category, unsmoothed, low, high, id. A heatmap
/// gives a row per cell: plot, row, column, value. A series that repeats another (csv_name) gives none.
/// Figures with both hold the cells after the points, so each table stays rectangular only where a figure is
/// of one kind; ours are.
[[nodiscard]] Numbers numbers_of(const Figure& figure);

/// UTF-8, comma, CRLF, quotes where needed. Numbers are the shortest text that reads back to the same value.
[[nodiscard]] QByteArray csv_of(const Numbers& numbers);
[[nodiscard]] QByteArray csv_of(const Figure& figure);

/// Shortest text that reads back exactly; empty for NaN.
[[nodiscard]] QString exact_text(double value);
/// The shortest that reads back to this float, which is shorter than that of the double it becomes.
[[nodiscard]] QString exact_text(float value);

}  // namespace casp::figures
