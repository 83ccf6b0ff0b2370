#pragma once
// The numbers behind a figure as CSV (RFC 4180), in full: never reduced, never rounded.

#include <cstdint>
#include <functional>
#include <memory>

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

/// Takes a row; false: no more.
using TakeRow = std::function<bool(const QStringList&)>;
/// The same, row by row, without keeping them: the header, where there is one, goes to `header`. False: one
/// of the two wanted no more.
bool each_row(const Figure& figure, const TakeRow& header, const TakeRow& take);
/// How many rows that makes, counted without making them; and how many columns they have.
[[nodiscard]] std::int64_t row_count(const Figure& figure);
[[nodiscard]] std::int64_t cell_count(const Figure& figure);
/// The cells of a matrix that is drawn with fewer of them.
[[nodiscard]] Numbers cells_of(const QString& plot, std::shared_ptr<const Heatmap> map);

/// UTF-8, comma, CRLF, quotes where needed. Numbers are the shortest text that reads back to the same value.
[[nodiscard]] QByteArray csv_of(const Figure& figure);
/// The same to `write`, in pieces of some kilobytes; false as soon as that returns false. `rows_done` is told
/// after each how many rows have gone. Any thread.
bool write_csv(const Figure& figure, const std::function<bool(const QByteArray&)>& write,
               const std::function<void(std::int64_t)>& rows_done = {});

/// ISO 8601, UTC; empty for what is no time.
[[nodiscard]] QString iso_text(double seconds);
/// Shortest text that reads back exactly; empty for NaN.
[[nodiscard]] QString exact_text(double value);
/// The shortest that reads back to this float, which is shorter than that of the double it becomes.
[[nodiscard]] QString exact_text(float value);

}  // namespace casp::figures
