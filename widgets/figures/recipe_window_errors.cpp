// Errors of all windows of a split: distribution, course, and windows by rank.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "figures/collections.h"
#include "figures/recipe_forecasts.h"

namespace casp::figures {

namespace {

/// "window 12", or the name of its series.
QString window_name(const WindowErrors& run, std::int64_t window) {
    const auto series = run.series ? series_name(*run.series, window) : QString();
    return series.isEmpty() ? QStringLiteral("window %1").arg(window) : series;
}

}  // namespace

WindowErrors window_errors_of(const RunInput& run, const store::ForecastArrays& errors,
                              const std::vector<std::int64_t>& channels) {
    WindowErrors result{run.folder, run.label, run.colour, {}};
    const auto m = errors.channels;
    QStringList names;
    if (run.record) {
        const auto& data = run.record->data;
        result.original = is_collection(data);
        // Splits without a window of each series are numbered otherwise.
        if (!data.series.empty() && std::ssize(data.series) == errors.windows) result.series = &data.series;
        for (const auto channel : channels) names << channel_name(data, channel);
    }
    if (m <= 0 || static_cast<std::int64_t>(errors.mse.size()) < errors.windows * m) return result;
    auto averaged = channels;
    if (averaged.empty()) {
        averaged.resize(static_cast<std::size_t>(m));
        std::iota(averaged.begin(), averaged.end(), 0);
    }
    if (m > 1)
        result.channels = std::ssize(averaged) == m ? QStringLiteral(", all channels")
                                                    : QStringLiteral(" of ") + join_names(names);
    result.mse.reserve(static_cast<std::size_t>(errors.windows));
    for (std::int64_t w = 0; w < errors.windows; ++w) {
        double sum = 0;
        for (const auto c : averaged)
            sum += static_cast<double>(errors.mse[static_cast<std::size_t>(w * m + c)]);
        result.mse.push_back(sum / static_cast<double>(averaged.size()));
    }
    return result;
}

Figure window_errors(const std::vector<WindowErrors>& runs, const QString& split,
                     const std::vector<std::int64_t>& selected) {
    Figure figure{QStringLiteral("window-errors"), QStringLiteral("Window errors")};
    double low = std::numeric_limits<double>::infinity(), high = 0;
    std::size_t most = 0;
    for (const auto& run : runs)
        for (const auto value : run.mse)
            if (std::isfinite(value) && value > 0) {
                low = std::min(low, value);
                high = std::max(high, value);
                most = std::max(most, run.mse.size());
            }
    if (!(high > 0)) {
        figure.empty_text = QObject::tr(
            "The errors of all windows of a split appear here once a run is evaluated and its forecasts are "
            "stored (run.store_forecasts).");
        return figure;
    }
    Plot bins, course;
    bins.x.title = QStringLiteral("window MSE") + runs.front().channels;
    bins.x.log = high > low;
    bins.y.title = QStringLiteral("windows");
    bins.y.min = 0;
    course.x.title = QStringLiteral("%1 window").arg(split);
    course.x.integers = true;
    course.y.title = QStringLiteral("MSE");
    course.y.log = high > low;
    const auto count =
        high > low ? std::clamp<std::size_t>(static_cast<std::size_t>(2 * std::cbrt(most)), 5, 60) : 1;
    const double from = std::log(low),
                 width = high > low ? (std::log(high) - from) / static_cast<double>(count) : 0.1;
    std::size_t zero = 0;
    for (const auto& run : runs) {
        std::vector<double> heights(count, 0);
        Series line;
        line.colour = run.colour;
        line.run = run.folder;
        line.width = 1;
        line.opacity = runs.size() > 1 ? 0.75 : 1;
        for (std::size_t w = 0; w < run.mse.size(); ++w) {
            line.x.push_back(static_cast<double>(w));
            line.y.push_back(run.mse[w]);
            line.ids.push_back(static_cast<std::int64_t>(w));
            if (!std::isfinite(run.mse[w]) || run.mse[w] <= 0) {
                ++zero;
                continue;
            }
            const auto bin = static_cast<std::size_t>((std::log(run.mse[w]) - from) / width);
            ++heights[std::min(bin, count - 1)];
        }
        Series fill, outline;
        for (std::size_t b = 0; b < count; ++b)
            for (const auto side : {b, b + 1}) {
                fill.x.push_back(std::exp(from + width * static_cast<double>(side)));
                fill.y.push_back(heights[b]);
                fill.low.push_back(0);
            }
        outline.x = fill.x;
        outline.y = fill.y;
        fill.kind = MarkKind::area;
        fill.opacity = runs.size() > 1 ? 0.15 : 0.35;
        outline.name = run.label;
        for (auto* s : {&fill, &outline}) {
            s->colour = run.colour;
            s->run = run.folder;
        }
        bins.series.push_back(std::move(fill));
        bins.series.push_back(std::move(outline));
        course.series.push_back(std::move(line));
        for (std::size_t i = 0; i < std::min<std::size_t>(selected.size(), 5); ++i) {
            const auto w = selected[i];
            if (w < 0 || w >= static_cast<std::int64_t>(run.mse.size())) continue;
            bins.rules.push_back({true, run.mse[static_cast<std::size_t>(w)],
                                  runs.size() == 1 && selected.size() == 1 ? window_name(run, w) : QString(),
                                  run.colour, false});
        }
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(selected.size(), 5); ++i)
        course.rules.push_back({true, static_cast<double>(selected[i]), {}, {}, false});
    bins.legend = runs.size() > 1;
    course.legend = false;
    figure.plots = {std::move(bins), std::move(course)};
    figure.columns = 2;
    const bool original =
        std::all_of(runs.begin(), runs.end(), [](const WindowErrors& run) { return run.original; });
    figure.caption =
        QStringLiteral(
            "Mean squared error of each %1 window%4 in %2 units: distribution, and course over the split.%3")
            .arg(split, original ? QStringLiteral("original") : QStringLiteral("scaled"),
                 zero > 0 ? QStringLiteral(" The distribution omits %1 errors that are zero or not finite.")
                                .arg(zero)
                          : QString(),
                 runs.front().channels);
    return figure;
}

std::int64_t pick_window(const std::vector<double>& mse, Pick pick, std::uint64_t seed) {
    if (mse.empty()) return -1;
    if (pick == Pick::random) {
        std::mt19937_64 generator(seed);
        return static_cast<std::int64_t>(generator() % mse.size());
    }
    std::vector<std::int64_t> order;
    for (std::size_t i = 0; i < mse.size(); ++i) {
        if (!std::isfinite(mse[i])) {
            if (pick == Pick::worst) return static_cast<std::int64_t>(i);
            continue;
        }
        order.push_back(static_cast<std::int64_t>(i));
    }
    if (order.empty()) return -1;
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return mse[static_cast<std::size_t>(a)] < mse[static_cast<std::size_t>(b)];
    });
    if (pick == Pick::best) return order.front();
    return pick == Pick::worst ? order.back() : order[order.size() / 2];
}

}  // namespace casp::figures
