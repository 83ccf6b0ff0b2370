#pragma once
// Names that are too long for their place, shortened so that different names stay different.

#include <QFontMetricsF>
#include <QStringList>

namespace casp::widgets {

/// Names of at most `width`, in the same order, unchanged if all fit. What all have in common is left out;
/// where that is not enough or nothing, they are elided in the middle, or around where they differ. Only a
/// few characters' width is too narrow for different names to stay different.
[[nodiscard]] QStringList elided_apart(const QStringList& names, const QFontMetricsF& metrics, double width);

}  // namespace casp::widgets
