#pragma once
// Conversion of a figure's numbers to CSV (RFC 4180), neither reduced nor rounded.

#include <cstdint>
#include <functional>
#include <memory>

#include <QByteArray>
#include <QString>

#include "figures/figure.h"

namespace casp::figures {

/// The figure's own table if it has one; else a table of its series, one row per point: plot, series, x, y
/// and, if used, time (ISO 8601, UTC), category, unsmoothed, low, high, id. A heatmap gives one row per cell:
/// plot, row, column, value. A series that repeats another (csv_name) gives none. In figures with both, cells
/// follow points; the table is rectangular only if a figure has one kind, as all of ours do.
[[nodiscard]] Numbers numbers_of(const Figure& figure);

/// Receives a row; returns false to stop.
using TakeRow = std::function<bool(const QStringList&)>;
/// The same row by row, without storing them; the header, if any, goes to `header`. Returns false if a
/// receiver stopped.
bool each_row(const Figure& figure, const TakeRow& header, const TakeRow& take);
/// Number of rows and columns, counted without creating the rows.
[[nodiscard]] std::int64_t row_count(const Figure& figure);
[[nodiscard]] std::int64_t cell_count(const Figure& figure);
/// All cells of a matrix that is plotted at reduced resolution.
[[nodiscard]] Numbers cells_of(const QString& plot, std::shared_ptr<const Heatmap> map);

/// About the size of csv_of(), from its first rows.
[[nodiscard]] std::int64_t csv_size(const Figure& figure);

/// UTF-8, comma, CRLF, quotes where needed. Numbers are the shortest text that reads back to the same value.
[[nodiscard]] QByteArray csv_of(const Figure& figure);
/// Passes the same text to `write` in chunks of some kilobytes; returns false if `write` does. `rows_done`
/// receives the number of rows written after each chunk. Any thread.
bool write_csv(const Figure& figure, const std::function<bool(const QByteArray&)>& write,
               const std::function<void(std::int64_t)>& rows_done = {});

/// ISO 8601, UTC; empty for an invalid time.
[[nodiscard]] QString iso_text(double seconds);
/// Shortest text that reads back exactly; empty for NaN.
[[nodiscard]] QString exact_text(double value);
/// Shortest text that reads back to this float (shorter than that of the equal double).
[[nodiscard]] QString exact_text(float value);

}  // namespace casp::figures
