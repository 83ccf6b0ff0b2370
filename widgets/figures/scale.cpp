#include "figures/scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace casp::figures {
namespace {

// Lowest and highest finite value seen.
struct Extent {
    double min = std::numeric_limits<double>::infinity();
    double max = -std::numeric_limits<double>::infinity();
    bool positive_only = false;

    void add(double value) {
        if (!std::isfinite(value) || (positive_only && value <= 0)) return;
        min = std::min(min, value);
        max = std::max(max, value);
    }
    void add(const std::vector<double>& values) {
        for (const double value : values) add(value);
    }
    [[nodiscard]] bool empty() const { return !(min <= max); }
};

// Widens by a fraction of the length; a single value gets a range around it.
Range with_air(Range range, double share, bool log) {
    if (log) {
        const double low = std::log10(range.min), high = std::log10(range.max);
        const double air = high > low ? (high - low) * share : 0.3;
        return {std::pow(10.0, low - air), std::pow(10.0, high + air)};
    }
    if (!(range.max > range.min)) {
        const double air = range.min == 0 ? 1 : std::abs(range.min) * 0.05;
        return {range.min - air, range.max + air};
    }
    const double air = (range.max - range.min) * share;
    return {range.min - air, range.max + air};
}

// `values`: the margin of a non-negative y axis does not extend below 0.
Scale scale_of(const Axis& axis, const Extent& extent, double share, bool from_zero, bool values) {
    Scale scale;
    scale.log = axis.log;
    Range range = axis.log ? Range{0.1, 1} : Range{0, 1};
    if (!extent.empty()) {
        range = with_air({extent.min, extent.max}, share, axis.log);
        if (values && !axis.log && extent.min >= 0 && range.min < 0 && extent.max > 0) range.min = 0;
        if (values && !axis.log && extent.max <= 0 && range.max > 0 && extent.min < 0) range.max = 0;
        if (from_zero && !axis.log) {
            if (extent.min >= 0) range.min = 0;
            if (extent.max <= 0) range.max = 0;
        }
    }
    if (axis.min && (!axis.log || *axis.min > 0)) range.min = *axis.min;
    if (axis.max && (!axis.log || *axis.max > 0)) range.max = *axis.max;
    if (!(range.max > range.min)) range.max = axis.log ? range.min * 10 : range.min + 1;
    scale.min = range.min;
    scale.max = range.max;
    return scale;
}

Extent x_extent(const Plot& plot, double& air) {
    Extent extent;
    extent.positive_only = plot.x.log;
    if (!plot.x.categories.isEmpty()) {
        extent.positive_only = false;
        extent.add(-0.5);
        extent.add(static_cast<double>(plot.x.categories.size()) - 0.5);
        air = 0;
        return extent;
    }
    for (const auto& series : plot.series) {
        if (series.kind == MarkKind::bars) {
            const double half = bar_width(series) * 0.75;
            for (const double x : series.x) {
                extent.add(x - half);
                extent.add(x + half);
            }
        } else {
            extent.add(series.x);
            if (series.kind == MarkKind::points || !series.high.empty()) air = 0.04;
        }
    }
    return extent;
}

Extent y_extent(const Plot& plot, const Axis& axis, bool secondary, bool& from_zero) {
    Extent extent;
    extent.positive_only = axis.log;
    for (const auto& series : plot.series) {
        if (series.secondary != secondary) continue;
        extent.add(series.y);
        extent.add(series.low);
        extent.add(series.high);
        if (series.kind == MarkKind::bars) {
            extent.add(0);
            from_zero = true;
        }
    }
    // A reference level must be visible.
    if (!secondary && !extent.empty()) {
        for (const auto& rule : plot.rules) {
            if (!rule.vertical) extent.add(rule.at);
        }
    }
    return extent;
}

void apply(Scale& scale, const std::optional<Range>& window) {
    if (!window || !(window->max > window->min) || (scale.log && window->min <= 0)) return;
    scale.min = window->min;
    scale.max = window->max;
}

}  // namespace

double Scale::at(double value) const {
    double place = 0;
    if (log) {
        place = value > 0 ? std::log10(value / min) / std::log10(max / min)
                          : std::numeric_limits<double>::quiet_NaN();
    } else {
        place = (value - min) / (max - min);
    }
    return reversed ? 1 - place : place;
}

double Scale::value(double at) const {
    const double place = reversed ? 1 - at : at;
    return log ? min * std::pow(max / min, place) : min + place * (max - min);
}

double bar_width(const Series& series) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < series.x.size(); ++i) {
        const double distance = std::abs(series.x[i] - series.x[i - 1]);
        if (distance > 0) least = std::min(least, distance);
    }
    return 0.8 * (std::isfinite(least) ? least : 1.0);
}

Scales scales_of(const Plot& plot, const PlotWindow& window) {
    Scales scales;
    if (plot.heatmap) {
        scales.x.max = static_cast<double>(std::max<std::int64_t>(plot.heatmap->columns, 1));
        scales.y.max = static_cast<double>(std::max<std::int64_t>(plot.heatmap->rows, 1));
        scales.y.reversed = true;
        scales.no_data = plot.heatmap->values.empty();
    } else {
        double x_air = 0;
        const Extent x = x_extent(plot, x_air);
        bool from_zero = false, from_zero2 = false;
        const Extent y = y_extent(plot, plot.y, false, from_zero);
        scales.x = scale_of(plot.x, x, x_air, false, false);
        scales.y = scale_of(plot.y, y, 0.05, from_zero, true);
        Extent y2;
        if (plot.y2) {
            y2 = y_extent(plot, *plot.y2, true, from_zero2);
            scales.y2 = scale_of(*plot.y2, y2, 0.05, from_zero2, true);
        }
        scales.no_data = y.empty() && y2.empty();
    }
    apply(scales.x, window.x);
    apply(scales.y, window.y);
    return scales;
}

namespace {

constexpr double margin = 0.05;  ///< on either side, as scales_of() in charts/

}  // namespace

std::optional<Range> min_range(double low, double high, double half) {
    if (!(half > 0) || (high - low) * (1 + 2 * margin) >= 2 * half) return {};
    const double middle = low + (high - low) / 2;
    return Range{middle - half, middle + half};
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
    const auto range = min_range(low, high, half);
    if (!range) return;
    plot.y.min = range->min;
    plot.y.max = range->max;
    plot.remarks.push_back({note, {}});
}

void keep_value_band(Plot& plot) { keep_band(plot, {0.05, 0}, QStringLiteral("axis covers at least ±5 %")); }

void keep_percent_band(Plot& plot) { keep_band(plot, {0, 1}, QStringLiteral("axis covers at least ±1 %")); }

}  // namespace casp::figures
