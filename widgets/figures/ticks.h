#pragma once
// Positions and labels of axis ticks. Plain functions, any thread.

#include <vector>

#include <QString>
#include <QStringList>

namespace casp::figures {

struct Tick {
    double at = 0;    ///< value on the axis
    QString label;    ///< empty: a tick (or grid line) without a label
    QString context;  ///< time axes: the day or year, under the first label and where it changes
    bool minor = false;
};

/// A number with at most `digits` significant digits, a true minus sign, thousands as they are, powers of
/// ten as "2e−5". "–" for NaN.
[[nodiscard]] QString number_text(double value, int digits = 4);
/// "10⁻³"
[[nodiscard]] QString power_text(int exponent);

/// At most `most` (≥ 2) ticks at multiples of 1, 2, 2.5 or 5 · 10ⁿ within [min, max], labelled uniformly,
/// with as many digits as distinguish them. `integers`: whole numbers only.
[[nodiscard]] std::vector<Tick> linear_ticks(double min, double max, int most, bool integers = false);
/// Decades, thinned out if there are more than `most`; below two decades, 2 and 5 are labelled too. The other
/// multiples are minor ticks. min > 0.
[[nodiscard]] std::vector<Tick> log_ticks(double min, double max, int most, bool integers = false);
/// Calendar steps from seconds to decades; values are seconds since 1970 UTC.
[[nodiscard]] std::vector<Tick> time_ticks(double min, double max, int most);
/// One tick per entry at 0, 1, …; if there are more than `most`, only every n-th has a label.
[[nodiscard]] std::vector<Tick> category_ticks(const QStringList& names, double min, double max, int most);

/// A moment of a time axis for tooltips: "2016-07-01 02:00", seconds where they are not zero. At midnight
/// only the date, unless `clock`, which is for axes with other times of day.
[[nodiscard]] QString time_text(double seconds, bool clock = false);
/// Whether any of these moments is not midnight, that is, the step is below a day.
[[nodiscard]] bool has_clock(const std::vector<double>& moments);

}  // namespace casp::figures
