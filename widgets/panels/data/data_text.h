#pragma once
// Formatting of numbers, counts and times on the Data page.

#include <cstdint>
#include <string>

#include <QColor>
#include <QString>

#include "words/amount_text.h"

namespace casp::widgets {
// Separate namespace: other panels have helpers with the same names.
inline namespace data_page {

/// Shortest text that reads back exactly: "-9999", "0.25"; empty for NaN.
[[nodiscard]] QString exact_text(double value);
/// Four significant digits for tables of statistics; "–" for NaN.
[[nodiscard]] QString short_text(double value);
/// 8640 to "8,640".
[[nodiscard]] QString count_text(std::int64_t count);
/// "1 row", "8,640 rows", from "row" and "rows".
[[nodiscard]] QString counted(std::int64_t count, const QString& one, const QString& several);
/// "2016-07-01 02:00"; seconds only if non-zero; empty for NaN. `clock_only`: "02:00:30".
[[nodiscard]] QString time_text(double seconds, bool clock_only = false);
/// A kind of warning for people: "missing cells", "gaps in time".
[[nodiscard]] QString warning_kind_text(int kind);
[[nodiscard]] QString native_text(const std::string& text);

/// Blends the fraction `share` of `colour` over `under`.
[[nodiscard]] QColor blended(const QColor& under, const QColor& colour, double share);

}  // namespace data_page
}  // namespace casp::widgets
