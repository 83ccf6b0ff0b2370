// Errors by forecast step and by channel.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "figures/recipe_forecasts.h"
#include "figures/recipe_input.h"
#include "figures/ticks.h"

namespace casp::figures {

namespace {

/// Errors of a run by step or channel, with their source.
struct Errors {
    const RunInput* run;
    std::vector<double> values;
    bool probe = false;
    std::size_t windows = 0;  ///< of the probe
    std::int64_t step = 0;    ///< likewise
};

/// Mean error over the probe's windows by step (`by_channel`: by channel).
std::vector<double> probe_errors(const train::Probe& probe, bool mae, bool by_channel) {
    const std::int64_t m = std::ssize(probe.channels), h = probe.horizon;
    const auto n = static_cast<std::int64_t>(probe.windows.size());
    if (n == 0 || m <= 0 || h <= 0 || probe.truth.size() != probe.prediction.size() ||
        static_cast<std::int64_t>(probe.truth.size()) != n * h * m)
        return {};
    std::vector<double> sum(static_cast<std::size_t>(by_channel ? m : h), 0);
    std::size_t at = 0;
    for (std::int64_t w = 0; w < n; ++w)
        for (std::int64_t t = 0; t < h; ++t)
            for (std::int64_t c = 0; c < m; ++c, ++at) {
                const double error =
                    static_cast<double>(probe.prediction[at]) - static_cast<double>(probe.truth[at]);
                sum[static_cast<std::size_t>(by_channel ? c : t)] += mae ? std::fabs(error) : error * error;
            }
    for (auto& value : sum) value /= static_cast<double>(n * (by_channel ? h : m));
    return sum;
}

std::vector<Errors> errors_of(const std::vector<RunInput>& runs, bool mae, bool by_channel,
                              std::optional<std::int64_t> step) {
    std::vector<Errors> result;
    for (const auto& run : runs) {
        Errors e{&run, {}};
        if (run.record && run.record->test) {
            const auto& t = *run.record->test;
            e.values = by_channel ? (mae ? t.mae_per_channel : t.mse_per_channel)
                                  : (mae ? t.mae_per_step : t.mse_per_step);
        }
        if (e.values.empty())
            if (const auto probe = forecast_probe_at(run, step)) {
                e.values = probe_errors(*probe, mae, by_channel);
                e.probe = true;
                e.windows = probe->windows.size();
                e.step = probe->step;
            }
        if (!e.values.empty()) result.push_back(std::move(e));
    }
    return result;
}

bool any_tested(const std::vector<Errors>& shown) {
    return std::any_of(shown.begin(), shown.end(), [](const Errors& e) { return !e.probe; });
}

/// The run's name; beside evaluated runs, also the source of its errors, which are not comparable with
/// theirs.
QString name_of(const Errors& e, const std::vector<Errors>& shown) {
    if (!e.probe || !any_tested(shown)) return e.run->label;
    return QStringLiteral("%1: %2 validation windows, step %3")
        .arg(e.run->label, QString::number(e.windows), QString::number(e.step));
}

QString errors_caption(const std::vector<Errors>& shown, const std::vector<RunInput>& runs,
                       const QString& by) {
    bool probe = false, test = false;
    for (const auto& e : shown) (e.probe ? probe : test) = true;
    const auto where = probe && test ? QStringLiteral(
                                           "on the test split (unfinished runs: on the probe windows of the "
                                           "validation split, not comparable with the test split)")
                       : probe ? QStringLiteral("on the probe windows of the validation split")
                               : QStringLiteral("on the test split at the best checkpoint");
    return QStringLiteral("Error by %1 %2, in %3, for %4.")
        .arg(by, where, error_units(runs), join_names(runs));
}

QString no_errors() {
    return QObject::tr(
        "The forecast error appears here: for the probe windows from the start of training, and for the test "
        "split after the final evaluation.");
}

}  // namespace

Figure error_per_step(const std::vector<RunInput>& runs, bool mae, std::optional<std::int64_t> step) {
    Figure figure{QStringLiteral("error-per-step"), QStringLiteral("Error by forecast step")};
    const auto shown = errors_of(runs, mae, false, step);
    if (shown.empty()) {
        figure.empty_text = no_errors();
        return figure;
    }
    Plot plot;
    plot.x.title = QStringLiteral("forecast step (1 … H)");
    plot.x.integers = true;
    plot.y.title = error_title(mae ? QStringLiteral("MAE") : QStringLiteral("MSE"), runs);
    plot.y.min = 0;
    for (const auto& e : shown) {
        Series s;
        s.name = name_of(e, shown);
        s.colour = e.run->colour;
        s.run = e.run->folder;
        s.dashed = e.probe;
        for (std::size_t h = 0; h < e.values.size(); ++h) s.x.push_back(static_cast<double>(h + 1));
        s.y = e.values;
        if (s.x.size() == 1) {
            s.kind = MarkKind::points;
            s.width = 6;
        }
        plot.series.push_back(std::move(s));
    }
    plot.legend = shown.size() > 1;
    figure.plots.push_back(std::move(plot));
    figure.caption = errors_caption(shown, runs, QStringLiteral("forecast step"));
    return figure;
}

namespace {

/// Whether channel numbers mean the same in both. Without names, the number of channels decides.
bool same_channels(const Errors& a, const Errors& b) {
    const auto names = [](const Errors& e) {
        return e.run->record ? e.run->record->data.channel_names : std::vector<std::string>{};
    };
    const auto one = names(a), other = names(b);
    return one.empty() || other.empty() ? a.values.size() == b.values.size() : one == other;
}

std::vector<std::vector<Errors>> groups_by_channels(const std::vector<Errors>& shown) {
    std::vector<std::vector<Errors>> groups;
    for (const auto& e : shown) {
        const auto group = std::find_if(groups.begin(), groups.end(),
                                        [&](const auto& those) { return same_channels(those.front(), e); });
        if (group == groups.end())
            groups.push_back({e});
        else
            group->push_back(e);
    }
    return groups;
}

/// Runs with the same channels. `shown`: these and those of other plots.
Plot channels_plot(const std::vector<Errors>& runs, const std::vector<Errors>& shown, bool mae) {
    std::size_t channels = 0;
    store::DataSection none;
    const auto* data = &none;
    for (const auto& e : runs) {
        if (data->channel_names.empty() && e.run->record) data = &e.run->record->data;
        channels = std::max(channels, e.values.size());
    }
    Plot plot;
    plot.x.title = QStringLiteral("channel");
    plot.y.title = mae ? QStringLiteral("MAE") : QStringLiteral("MSE");
    plot.y.min = 0;
    for (std::size_t c = 0; c < channels; ++c)
        plot.x.categories << channel_name(*data, static_cast<std::int64_t>(c));
    // Several runs are placed side by side within a category.
    const double gap = runs.size() > 1 ? 0.7 / static_cast<double>(runs.size()) : 0;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto& e = runs[r];
        Series s;
        s.kind = shown.size() > 1 ? MarkKind::points : MarkKind::bars;
        s.width = 7;
        if (e.probe && any_tested(shown)) s.marker = MarkerShape::diamond;
        s.name = name_of(e, shown);
        s.colour = e.run->colour;
        s.run = e.run->folder;
        const double offset = gap * (static_cast<double>(r) - 0.5 * static_cast<double>(runs.size() - 1));
        for (std::size_t c = 0; c < e.values.size(); ++c) {
            s.x.push_back(static_cast<double>(c) + offset);
            s.ids.push_back(static_cast<std::int64_t>(c));
        }
        s.y = e.values;
        plot.series.push_back(std::move(s));
    }
    plot.legend = shown.size() > 1;
    return plot;
}

}  // namespace

Figure error_per_channel(const std::vector<RunInput>& runs, bool mae, std::optional<std::int64_t> step) {
    Figure figure{QStringLiteral("error-per-channel"), QStringLiteral("Error by channel")};
    const auto shown = errors_of(runs, mae, true, step);
    if (shown.empty()) {
        figure.empty_text = no_errors();
        return figure;
    }
    std::vector<std::vector<const RunInput*>> members;
    for (const auto& group : groups_by_channels(shown)) {
        figure.plots.push_back(channels_plot(group, shown, mae));
        auto& names = members.emplace_back();
        for (const auto& e : group) names.push_back(e.run);
    }
    const auto titles = group_names(members);
    for (std::size_t i = 0; figure.plots.size() > 1 && i < figure.plots.size(); ++i)
        figure.plots[i].title = titles[static_cast<qsizetype>(i)];
    figure.caption = errors_caption(shown, runs, QStringLiteral("channel"));
    return figure;
}

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
    bins.y.integers = true;
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
