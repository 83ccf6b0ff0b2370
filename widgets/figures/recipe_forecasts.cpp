#include "figures/recipe_forecasts.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "figures/recipe_input.h"
#include "figures/ticks.h"

namespace casp::figures {

namespace {

constexpr std::size_t max_panels = 12;

std::vector<float> slice(const std::vector<float>& values, std::int64_t index, std::int64_t length) {
    const auto from = static_cast<std::size_t>(index * length), n = static_cast<std::size_t>(length);
    if (index < 0 || length < 0 || from + n > values.size()) return {};
    using Offset = std::vector<float>::difference_type;
    return {values.begin() + static_cast<Offset>(from), values.begin() + static_cast<Offset>(from + n)};
}

ForecastWindow begin_window(const RunInput& run) {
    ForecastWindow w;
    w.folder = run.folder;
    w.label = run.label;
    w.colour = run.colour;
    return w;
}

}  // namespace

std::vector<std::int64_t> plotted_channels(const std::vector<std::int64_t>& selected, std::int64_t count) {
    std::vector<std::int64_t> plotted;
    for (const auto channel : selected.empty() ? std::vector{count - 1} : selected)
        if (channel >= 0 && channel < count) plotted.push_back(channel);
    return plotted;
}

std::shared_ptr<const train::Probe> forecast_probe_at(const RunInput& run, std::optional<std::int64_t> step) {
    std::shared_ptr<const train::Probe> found;
    for (const auto& probe : run.probes)
        if (!probe->prediction.empty() && (!found || !step || probe->step <= *step)) found = probe;
    return found;
}

std::optional<ForecastWindow> window_of(const RunInput& run, const train::Probe& probe, std::int64_t index) {
    if (index < 0 || index >= static_cast<std::int64_t>(probe.windows.size())) return std::nullopt;
    const auto i = static_cast<std::size_t>(index);
    auto w = begin_window(run);
    w.number = probe.windows[i];
    w.start = i < probe.start.size() ? probe.start[i] : 0;
    w.lookback_length = probe.lookback_length;
    w.horizon = probe.horizon;
    w.channels = std::ssize(probe.channels);
    w.lookback = slice(probe.lookback, index, probe.lookback_length * w.channels);
    w.truth = slice(probe.truth, index, probe.horizon * w.channels);
    w.prediction = slice(probe.prediction, index, probe.horizon * w.channels);
    w.step = probe.step;
    if (w.prediction.empty()) return std::nullopt;
    return w;
}

std::optional<ForecastWindow> window_of(const RunInput& run, const store::ForecastArrays& arrays,
                                        std::int64_t first, std::int64_t index,
                                        const std::vector<float>* lookbacks, std::int64_t lookback) {
    if (index < 0 || index >= arrays.windows) return std::nullopt;
    auto w = begin_window(run);
    w.number = first + index;
    const auto i = static_cast<std::size_t>(index);
    w.start = i < arrays.start.size() ? arrays.start[i] : 0;
    w.lookback_length = lookback;
    w.horizon = arrays.horizon;
    w.channels = arrays.channels;
    if (lookbacks) w.lookback = slice(*lookbacks, index, lookback * arrays.channels);
    w.truth = slice(arrays.truth, index, arrays.horizon * arrays.channels);
    w.prediction = slice(arrays.prediction, index, arrays.horizon * arrays.channels);
    if (w.prediction.empty()) return std::nullopt;
    return w;
}

namespace {

/// Plots the windows of one number and channel.
class WindowPlot {
public:
    WindowPlot(const store::DataSection& data, const ForecastOptions& options, std::int64_t channel)
        : data_(data), options_(options), of_series_(is_collection(data)), channel_(channel) {
        const auto c = static_cast<std::size_t>(channel);
        if (options.original && c < data.mean.size() && c < data.std.size()) {
            mean_ = data.mean[c];
            scale_ = data.std[c];
        }
    }

    [[nodiscard]] double value(const std::vector<float>& values, std::int64_t row,
                               std::int64_t channels) const {
        const auto at = static_cast<std::size_t>(row * channels + channel_);
        if (at >= values.size()) return std::numeric_limits<double>::quiet_NaN();
        return mean_ + scale_ * static_cast<double>(values[at]);
    }
    /// Place of the row `offset` after the window's first one; of a series, the forecast step.
    [[nodiscard]] double x(const ForecastWindow& w, std::int64_t offset) const {
        if (of_series_) return static_cast<double>(offset - w.lookback_length + 1);
        return dated(w) ? data_.time[static_cast<std::size_t>(w.start + offset)]
                        : static_cast<double>(w.start + offset);
    }
    [[nodiscard]] bool dated(const ForecastWindow& w) const {
        return !of_series_ && w.start >= 0 &&
               w.start + w.lookback_length + w.horizon <= static_cast<std::int64_t>(data_.time.size());
    }
    [[nodiscard]] double mse(const ForecastWindow& w) const {
        double sum = 0;
        for (std::int64_t h = 0; h < w.horizon; ++h) {
            const double error = value(w.prediction, h, w.channels) - value(w.truth, h, w.channels);
            sum += error * error;
        }
        return sum / static_cast<double>(w.horizon);
    }

    [[nodiscard]] Plot begin(const ForecastWindow& w) const {
        Plot plot;
        plot.x.time = dated(w);
        plot.x.title = of_series_ ? QStringLiteral("step (forecast: 1 … H)")
                       : dated(w) ? QString()
                                  : QStringLiteral("row of the file");
        plot.x.integers = !dated(w);
        plot.rules.push_back(
            {true, 0.5 * (x(w, w.lookback_length - 1) + x(w, w.lookback_length)), {}, {}, true});
        plot.x.min = x(w, w.lookback.empty() ? w.lookback_length : first_shown(w));
        plot.x.max = x(w, w.lookback_length + w.horizon - 1);
        return plot;
    }

    void add_truth(Plot& plot, const ForecastWindow& w) const {
        Series truth;
        truth.name = QStringLiteral("truth");
        truth.colour = neutral_colour();
        truth.width = 2;
        if (!w.lookback.empty()) {
            Series lookback = truth;
            lookback.name = QStringLiteral("look-back");
            lookback.csv_name = QStringLiteral("lookback");
            lookback.width = 1.2;
            lookback.opacity = 0.6;  // or its legend entry would look like the truth's
            for (auto i = first_shown(w); i < w.lookback_length; ++i) {
                lookback.x.push_back(x(w, i));
                lookback.y.push_back(value(w.lookback, i, w.channels));
            }
            // The truth continues from the end of the look-back.
            if (!lookback.x.empty()) {
                truth.x.push_back(lookback.x.back());
                truth.y.push_back(lookback.y.back());
            }
            plot.series.push_back(std::move(lookback));
        }
        for (std::int64_t h = 0; h < w.horizon; ++h) {
            truth.x.push_back(x(w, w.lookback_length + h));
            truth.y.push_back(value(w.truth, h, w.channels));
        }
        plot.series.push_back(std::move(truth));
        if (!options_.last_value || w.lookback.empty()) return;
        Series last;
        last.name = QStringLiteral("persistence");
        last.csv_name = QStringLiteral("last value");
        last.colour = neutral_colour();
        last.dashed = true;
        last.width = 1.2;
        const double y = value(w.lookback, w.lookback_length - 1, w.channels);
        last.x = {x(w, w.lookback_length), x(w, w.lookback_length + w.horizon - 1)};
        last.y = {y, y};
        plot.series.push_back(std::move(last));
    }

    void add_prediction(Plot& plot, const ForecastWindow& w, bool error, const QString& name) const {
        Series s;
        s.name = name;
        s.colour = w.colour;
        s.run = w.folder;
        s.width = 1.8;
        for (std::int64_t h = 0; h < w.horizon; ++h) {
            s.x.push_back(x(w, w.lookback_length + h));
            s.y.push_back(value(w.prediction, h, w.channels) - (error ? value(w.truth, h, w.channels) : 0));
        }
        plot.series.push_back(std::move(s));
    }

private:
    /// First plotted row of the look-back. Zeros before the first value of a short series are omitted.
    [[nodiscard]] std::int64_t first_shown(const ForecastWindow& w) const {
        std::int64_t first = 0;
        if (options_.lookback_horizons > 0)
            first = std::max<std::int64_t>(0, w.lookback_length - options_.lookback_horizons * w.horizon);
        if (of_series_)
            while (first + 1 < w.lookback_length && value(w.lookback, first, w.channels) == 0) ++first;
        return first;
    }

    const store::DataSection& data_;
    const ForecastOptions& options_;
    bool of_series_;  ///< no rows and times in common
    std::int64_t channel_;
    double mean_ = 0, scale_ = 1;
};

/// Number of known look-back rows, and of horizon rows.
std::pair<std::int64_t, std::int64_t> reach_of(const ForecastWindow& w) {
    return {w.lookback.empty() ? 0 : w.lookback_length, w.horizon};
}

/// The window with the longest look-back and, of those, the longest horizon, for axis, look-back and truth.
/// Null if the group has none with this number.
const ForecastWindow* longest_of(const ForecastGroup& group, std::int64_t number) {
    const ForecastWindow* longest = nullptr;
    for (const auto& w : group.windows)
        if (w.number == number && (!longest || reach_of(w) > reach_of(*longest))) longest = &w;
    return longest;
}

/// Each once, in the order of the groups' windows.
std::vector<std::int64_t> numbers_of(const std::vector<ForecastGroup>& groups) {
    std::vector<std::int64_t> numbers;
    std::set<std::int64_t> known;
    for (const auto& group : groups)
        for (const auto& w : group.windows)
            if (known.insert(w.number).second) numbers.push_back(w.number);
    return numbers;
}

/// Adds window plots to a figure up to its limit.
class WindowPlots {
public:
    WindowPlots(const std::vector<ForecastGroup>& groups, const ForecastOptions& options)
        : groups_(groups), options_(options), numbers_(numbers_of(groups)) {
        several_ = groups.size() * numbers_.size() * std::max<std::size_t>(options.channels.size(), 1) > 1;
    }

    void add_all(Figure& figure) {
        for (const auto number : numbers_)
            for (std::size_t g = 0; g < groups_.size(); ++g)
                if (const auto* head = longest_of(groups_[g], number)) add(figure, g, *head);
        if (left_out_ > 0 || !strangers().isEmpty()) figure.left_out = left_out_text();
    }
    [[nodiscard]] std::size_t left_out() const { return left_out_; }

private:
    void add(Figure& figure, std::size_t g, const ForecastWindow& head) {
        for (const auto channel : plotted_channels(options_.channels, head.channels)) {
            has_channel_.insert(g);
            if (figure.plots.size() + (options_.errors ? 2 : 1) > max_panels) {
                ++left_out_;
                continue;
            }
            ++drawn_;
            is_drawn_.insert(g);
            add_plot(figure, groups_[g], head, channel);
        }
    }

    void add_plot(Figure& figure, const ForecastGroup& group, const ForecastWindow& head,
                  std::int64_t channel) const {
        const WindowPlot draw(*group.data, options_, channel);
        const auto channel_text = channel_name(*group.data, channel);
        auto plot = draw.begin(head);
        plot.title = window_title(*group.data, head.number, channel_text);
        if (groups_.size() > 1) plot.title += QStringLiteral(" · ") + group.name;
        plot.y.title = options_.original || is_collection(*group.data) ? unit_in(channel_text)
                                                                       : QStringLiteral("scaled");
        auto error = plot;
        error.title = QStringLiteral("forecast − truth");
        error.legend = false;
        error.rules.push_back({false, 0, {}, {}, false});
        draw.add_truth(plot, head);
        for (const auto& w : group.windows) {
            if (w.number != head.number || channel >= w.channels) continue;
            // A legend shared by all plots cannot show the error of one.
            const auto error_text = QStringLiteral("MSE %1").arg(number_text(draw.mse(w)));
            auto name = w.label;
            if (several_) plot.remarks.push_back({error_text, w.colour});
            if (!several_) name += QStringLiteral(": ") + error_text;
            if (w.step >= 0) name += QStringLiteral(", step %1").arg(w.step);
            draw.add_prediction(plot, w, false, name);
            if (options_.errors) draw.add_prediction(error, w, true, {});
        }
        figure.plots.push_back(std::move(plot));
        if (options_.errors) figure.plots.push_back(std::move(error));
    }

    [[nodiscard]] QString window_title(const store::DataSection& data, std::int64_t number,
                                       const QString& channel) const {
        // Training windows are numbered without the series that are too short for one.
        const auto series =
            options_.split == QStringLiteral("training") ? QString() : series_name(data.series, number);
        if (!series.isEmpty()) return QStringLiteral("%1 · %2").arg(series, options_.split);
        return QStringLiteral("%1 · %2 window %3").arg(channel, options_.split, QString::number(number));
    }

    /// Data sets without any of the selected channels.
    [[nodiscard]] QStringList strangers() const { return names_without(has_channel_); }
    [[nodiscard]] QStringList names_without(const std::set<std::size_t>& some) const {
        QStringList names;
        for (std::size_t g = 0; g < groups_.size(); ++g)
            if (some.count(g) == 0) names << groups_[g].name;
        return names;
    }

    [[nodiscard]] QString left_out_text() const {
        QStringList sentences;
        if (left_out_ > 0)
            sentences << QObject::tr(
                             "Forecasts: %1 of %2 selected windows × channels%3 are plotted. Select fewer to "
                             "see others.")
                             .arg(QString::number(drawn_), QString::number(drawn_ + left_out_),
                                  groups_.size() > 1 ? QObject::tr(" × data sets") : QString());
        if (const auto others = strangers(); !others.isEmpty())
            sentences << QObject::tr("Forecasts: the data of %1 have none of the selected channels.")
                             .arg(join_names(others));
        auto seen = is_drawn_;
        for (std::size_t g = 0; g < groups_.size(); ++g)
            if (has_channel_.count(g) == 0) seen.insert(g);
        if (const auto names = names_without(seen); !names.isEmpty())
            sentences << QObject::tr("Not plotted: %1.").arg(join_names(names));
        return sentences.join(QLatin1Char(' '));
    }

    const std::vector<ForecastGroup>& groups_;
    const ForecastOptions& options_;
    std::vector<std::int64_t> numbers_;
    bool several_ = false;
    std::size_t drawn_ = 0, left_out_ = 0;
    std::set<std::size_t> has_channel_, is_drawn_;  ///< indices of groups
};

}  // namespace

Figure forecast_windows(const std::vector<ForecastWindow>& windows, const store::DataSection& data,
                        const ForecastOptions& options) {
    std::vector<ForecastGroup> groups;
    if (!windows.empty()) groups.push_back({windows, &data, QStringLiteral("these runs"), {}});
    return forecast_windows(groups, options);
}

Figure forecast_windows(const std::vector<ForecastGroup>& groups, const ForecastOptions& options) {
    Figure figure{QStringLiteral("forecasts"), QStringLiteral("Forecasts")};
    if (groups.empty()) {
        figure.empty_text = QObject::tr(
                                "Look-back, truth and forecast of the selected windows appear here, live "
                                "from the start of training.") +
                            first_step();
        return figure;
    }
    WindowPlots plots(groups, options);
    plots.add_all(figure);
    if (figure.plots.empty()) figure.empty_text = figure.left_out;
    figure.columns = options.errors || figure.plots.size() > 3 ? 2 : 1;
    const bool original = options.original ||
                          std::all_of(groups.begin(), groups.end(),
                                      [](const ForecastGroup& group) { return is_collection(*group.data); });
    figure.caption =
        QStringLiteral("Forecasts of %1 windows; grey: look-back and truth. Values %2.%3%4")
            .arg(options.split.isEmpty() ? QStringLiteral("selected") : options.split,
                 original ? QStringLiteral("in the file's units")
                          : QStringLiteral("in the training split's standard deviations"),
                 groups.size() > 1 ? QStringLiteral(" Runs on different data have separate plots.")
                                   : QString(),
                 plots.left_out() > 0 ? QStringLiteral(" %1 more plots are not shown.").arg(plots.left_out())
                                      : QString());
    return figure;
}

}  // namespace casp::figures
