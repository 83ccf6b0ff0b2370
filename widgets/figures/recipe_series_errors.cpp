#include "figures/recipe_series_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QLocale>

#include "figures/ticks.h"

namespace casp::figures {

namespace {

constexpr std::size_t most_ranks = 2000;
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
    const auto steps = std::min(n - 1, most_ranks);
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
