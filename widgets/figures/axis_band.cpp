#include "figures/axis_band.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace casp::figures {

namespace {

constexpr double margin = 0.05;  ///< on either side, as scales_of() in charts/

}  // namespace

std::optional<AxisRange> least_range(double low, double high, double half) {
    if (!(half > 0) || (high - low) * (1 + 2 * margin) >= 2 * half) return {};
    const double middle = low + (high - low) / 2;
    return AxisRange{middle - half, middle + half};
}

void keep_band(Plot& plot, const AxisBand& band, const QString& note) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const auto add = [&](double value) {
        if (!std::isfinite(value) || (plot.y.log && value <= 0)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    };
    for (const auto& series : plot.series) {
        if (series.secondary) continue;
        for (const auto* values : {&series.y, &series.low, &series.high})
            for (const double value : *values) add(value);
    }
    for (const auto& rule : plot.rules)
        if (!rule.vertical) add(rule.at);
    for (const auto& limit : {plot.y.min, plot.y.max})
        if (limit) add(*limit);
    if (!(low <= high)) return;
    const double half = std::max(band.relative * std::abs(low + (high - low) / 2), band.absolute);
    const auto range = least_range(low, high, half);
    if (!range) return;
    plot.y.min = range->min;
    plot.y.max = range->max;
    plot.remarks.push_back({note, {}});
}

void keep_value_band(Plot& plot) { keep_band(plot, {0.05, 0}, QStringLiteral("axis covers at least ±5 %")); }

void keep_percent_band(Plot& plot) { keep_band(plot, {0, 1}, QStringLiteral("axis covers at least ±1 %")); }

}  // namespace casp::figures
