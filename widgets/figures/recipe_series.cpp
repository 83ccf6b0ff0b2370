#include "figures/recipe_series.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <QLocale>

#include "figures/scale.h"
#include "figures/style.h"
#include "figures/ticks.h"

namespace casp::figures {

namespace {

constexpr double log_from_ratio = 50;  ///< of the largest to the smallest count
constexpr std::int64_t max_bins = 40;
constexpr double min_share = 0.1;  ///< of the middle, that an axis of lengths covers on either side

Series curve(const QString& name, std::span<const double> values, std::int64_t first, const QColor& colour) {
    Series series;
    series.name = name;
    series.colour = colour;
    for (std::size_t i = 0; i < values.size(); ++i) {
        series.x.push_back(static_cast<double>(first + static_cast<std::int64_t>(i)));
        series.y.push_back(values[i]);
    }
    return series;
}

/// Line from the last training value to the first test value.
Series joint(const Series& training, const Series& test) {
    Series series;
    series.csv_name = QString();
    series.colour = test.colour;
    series.dashed = true;
    series.x = {training.x.back(), test.x.front()};
    series.y = {training.y.back(), test.y.front()};
    return series;
}

/// Bounds of the bins, [bins + 1]: bin b holds the lengths from bounds[b] to bounds[b + 1] − 1.
std::vector<std::int64_t> bin_bounds(const std::vector<std::int64_t>& lengths) {
    const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
    const auto bins = std::clamp<std::int64_t>(
        std::llround(2 * std::cbrt(static_cast<double>(lengths.size()))), 5, max_bins);
    const double from = std::log(static_cast<double>(*least)),
                 width = (std::log(static_cast<double>(*most + 1)) - from) / static_cast<double>(bins);
    std::vector<std::int64_t> bounds{*least};
    for (std::int64_t b = 1; b < bins; ++b)
        if (const auto bound = std::llround(std::exp(from + width * static_cast<double>(b)));
            bound > bounds.back() && bound <= *most)
            bounds.push_back(bound);
    bounds.push_back(*most + 1);
    return bounds;
}

/// Number of lengths in each bin.
std::vector<double> bin_counts(const std::vector<std::int64_t>& lengths,
                               const std::vector<std::int64_t>& bounds) {
    std::vector<double> counts(bounds.size() - 1, 0);
    for (const auto length : lengths) {
        const auto above = std::upper_bound(bounds.begin(), bounds.end(), length);
        ++counts[static_cast<std::size_t>(above - bounds.begin()) - 1];
    }
    return counts;
}

bool differ_much(const std::vector<double>& counts) {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const double count : counts) {
        if (count > 0) least = std::min(least, count);
        most = std::max(most, count);
    }
    return most > log_from_ratio * least;
}

Numbers bins_table(const std::vector<std::int64_t>& bounds, const std::vector<double>& counts) {
    Numbers numbers;
    numbers.columns = {QStringLiteral("from"), QStringLiteral("to"), QStringLiteral("series")};
    for (std::size_t b = 0; b < counts.size(); ++b)
        numbers.rows.push_back({QString::number(bounds[b]), QString::number(bounds[b + 1] - 1),
                                QString::number(counts[b], 'f', 0)});
    return numbers;
}

}  // namespace

Figure series_values(const QString& id, std::span<const double> training, std::span<const double> test,
                     std::int64_t held_out) {
    Figure figure{QStringLiteral("series"), QStringLiteral("Series %1").arg(id)};
    figure.empty_text = QObject::tr("Select a series in the list to plot its values.");
    if (training.empty()) return figure;
    const auto n = std::ssize(training);
    const double border = static_cast<double>(n) + 0.5;
    Plot plot;
    plot.title = id;
    plot.x.title = QStringLiteral("step");
    plot.x.integers = true;
    plot.x.min = 1;
    plot.x.max = static_cast<double>(n + std::max<std::int64_t>(std::ssize(test), 1));
    plot.series.push_back(curve(QStringLiteral("training values"), training, 1, run_colour(0)));
    if (!test.empty()) {
        auto ahead = curve(QStringLiteral("test values"), test, n + 1, run_colour(1));
        ahead.dashed = true;
        plot.series.push_back(joint(plot.series.front(), ahead));
        plot.series.push_back(std::move(ahead));
        plot.rules.push_back({true, border, {}, {}, true});
    }
    figure.caption = QStringLiteral("Series %1: %2 training values and %3 test values.")
                         .arg(id)
                         .arg(n)
                         .arg(std::ssize(test));
    if (const auto shaded = std::min<std::int64_t>(held_out, n); shaded > 0) {
        plot.bands.push_back(
            {border - static_cast<double>(shaded), border, QStringLiteral("held out"), run_colour(2)});
        figure.caption += QStringLiteral(" Shaded: the last %1, held out for early stopping.").arg(shaded);
    }
    figure.plots.push_back(std::move(plot));
    return figure;
}

Figure series_lengths(const std::vector<std::int64_t>& lengths, std::int64_t marked) {
    Figure figure{QStringLiteral("series-lengths"), QStringLiteral("Lengths of the series")};
    if (lengths.empty()) return figure;
    const auto bounds = bin_bounds(lengths);
    const auto counts = bin_counts(lengths, bounds);
    Series area, outline;
    for (std::size_t b = 0; b < counts.size(); ++b)
        for (const auto side : {b, b + 1}) {
            area.x.push_back(static_cast<double>(bounds[side]) - 0.5);
            area.y.push_back(counts[b]);
            area.low.push_back(0);
        }
    outline.x = area.x;
    outline.y = area.y;
    area.kind = MarkKind::area;
    area.opacity = 0.35;
    area.colour = outline.colour = run_colour(0);
    Plot plot;
    plot.x.title = QStringLiteral("training values");
    plot.x.log = plot.x.integers = true;
    const auto least = static_cast<double>(bounds.front()), most = static_cast<double>(bounds.back());
    // Equal lengths look equal.
    if (const auto range = min_range(least, most, min_share * (least + most) / 2)) {
        plot.x.min = range->min;
        plot.x.max = range->max;
    }
    plot.y.title = QStringLiteral("series");
    plot.y.log = differ_much(counts);
    plot.y.min = plot.y.log ? 0.5 : 0;
    plot.legend = false;
    plot.series = {std::move(area), std::move(outline)};
    if (marked > 0) plot.rules.push_back({true, static_cast<double>(marked), {}, run_colour(1), false});
    figure.plots.push_back(std::move(plot));
    figure.caption = QStringLiteral("Number of training values of %1 series.").arg(lengths.size());
    figure.numbers = bins_table(bounds, counts);
    return figure;
}

namespace {

constexpr std::size_t max_ranks = 2000;
constexpr double left_tail = 0.005;  ///< of the positive scores, left of the axis

std::vector<double> sorted_scores(const std::vector<double>& values) {
    std::vector<double> sorted;
    std::copy_if(values.begin(), values.end(), std::back_inserter(sorted),
                 [](double value) { return std::isfinite(value); });
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

double median_of_sorted(const std::vector<double>& sorted) {
    const auto middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/// Fraction of series with at most each score. Scores of 0 have no place on a logarithmic axis: the curve
/// starts above them.
Series distribution_curve(const SeriesErrors& run, const std::vector<double>& sorted) {
    Series curve;
    curve.name = run.label;
    curve.colour = run.colour;
    curve.run = run.folder;
    curve.kind = MarkKind::steps;
    const auto n = sorted.size();
    const auto add = [&](std::size_t rank) {
        curve.x.push_back(sorted[rank]);
        curve.y.push_back(static_cast<double>(rank + 1) / static_cast<double>(n));
    };
    const auto steps = std::min(n - 1, max_ranks);
    for (std::size_t i = 0; i < steps; ++i) add(i * (n - 1) / steps);
    add(n - 1);
    return curve;
}

QString grouped(std::size_t number) {
    return QLocale(QLocale::English).toString(static_cast<qulonglong>(number));
}

Plot distribution_plot(const std::vector<SeriesErrors>& runs, std::vector<double> SeriesErrors::*score,
                       const QString& title) {
    Plot plot;
    plot.x.title = title;
    plot.y.title = QStringLiteral("fraction of series");
    plot.y.min = 0;
    plot.y.max = 1;
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const auto& run : runs) {
        const auto sorted = sorted_scores(run.*score);
        if (sorted.empty()) continue;
        const auto positive = std::upper_bound(sorted.begin(), sorted.end(), 0.0);
        if (positive != sorted.end()) {
            low = std::min(low, positive[static_cast<std::ptrdiff_t>(
                                    left_tail * static_cast<double>(sorted.end() - positive))]);
            high = std::max(high, sorted.back());
        }
        const double median = median_of_sorted(sorted);
        plot.remarks.push_back({QStringLiteral("median %1").arg(number_text(median)), run.colour});
        if (median > 0) plot.rules.push_back({true, median, {}, run.colour, true});
        plot.series.push_back(distribution_curve(run, sorted));
    }
    plot.x.log = high > low;
    if (plot.x.log) {
        plot.x.min = low;
        plot.x.max = high;
    }
    plot.legend = runs.size() > 1;
    return plot;
}

/// " 12 of 23,000 series have no MASE, because …"; different runs may be on different collections.
QString without_mase(const std::vector<SeriesErrors>& runs) {
    QStringList texts;
    for (const auto& run : runs) {
        const auto unknown = std::count_if(run.mase.begin(), run.mase.end(),
                                           [](double value) { return !std::isfinite(value); });
        const auto text = QStringLiteral("%1 of %2")
                              .arg(grouped(static_cast<std::size_t>(unknown)), grouped(run.mase.size()));
        if (unknown > 0 && !texts.contains(text)) texts << text;
    }
    return texts.isEmpty() ? QString()
                           : QStringLiteral(" %1 series have no MASE: their training values are constant.")
                                 .arg(texts.join(QStringLiteral(" and ")));
}

}  // namespace

Figure series_errors(const std::vector<SeriesErrors>& runs) {
    Figure figure{QStringLiteral("series-errors"), QStringLiteral("Errors of the series")};
    auto smape = distribution_plot(runs, &SeriesErrors::smape, QStringLiteral("sMAPE (%)"));
    if (smape.series.empty()) {
        figure.empty_text = QObject::tr(
            "The distribution of sMAPE and MASE over the series appears here for finished runs on a "
            "collection of series with stored test forecasts (run.store_forecasts).");
        return figure;
    }
    figure.plots.push_back(std::move(smape));
    auto mase = distribution_plot(runs, &SeriesErrors::mase, QStringLiteral("MASE"));
    mase.legend = false;
    if (!mase.series.empty()) figure.plots.push_back(std::move(mase));
    figure.columns = 2;
    QStringList labels;
    for (const auto& run : runs) labels << run.label;
    figure.caption = QStringLiteral(
                         "Fraction of the %3 series whose test forecast has at most this score, for %1; "
                         "dashed: medians.%2")
                         .arg(join_names(labels), without_mase(runs), grouped(runs.front().smape.size()));
    return figure;
}

}  // namespace casp::figures
