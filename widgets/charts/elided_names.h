#pragma once
// Names that are too long for their place, shortened so that different names stay different.

#include <QFontMetricsF>
#include <QStringList>

namespace casp::widgets {

/// Names of at most `width`, in the same order. They are elided in the middle; those that would be alike
/// then show where they differ instead. Only a few characters' width is too narrow for that.
[[nodiscard]] QStringList elided_apart(const QStringList& names, const QFontMetricsF& metrics, double width);

}  // namespace casp::widgets
