#include "figures/recipe_ahead.h"

#include <algorithm>
#include <utility>

#include <QLocale>

#include "figures/recipe_input.h"

namespace casp::figures {

namespace {

constexpr std::size_t max_ahead_plots = 12;

/// Plots one channel after the other.
class AheadPlot {
public:
    AheadPlot(const AheadInput& input, const AheadOptions& options)
        : input_(input),
          of_(*input.forecast),
          options_(options),
          channels_(of_.channels.size()),
          lookback_(of_.lookback.size() / channels_),
          horizon_(of_.values.size() / channels_) {
        const auto& past = of_.lookback_seconds;
        // The first of these times is that of the last row.
        if (!of_.times.seconds.empty())
            future_.assign(of_.times.seconds.begin() + 1, of_.times.seconds.end());
        // Times without a date begin anew at midnight.
        dated_ = !past.empty() && past.size() == lookback_ && future_.size() == horizon_ &&
                 std::is_sorted(past.begin(), past.end()) && std::is_sorted(future_.begin(), future_.end()) &&
                 past.back() < future_.front();
        const auto shown = static_cast<std::size_t>(options.lookback_horizons) * horizon_;
        if (shown > 0 && shown < lookback_) first_ = lookback_ - shown;
    }

    [[nodiscard]] Plot plot(std::size_t channel) const {
        Plot plot;
        const auto name = QString::fromStdString(of_.channels[channel]);
        plot.title = name;
        plot.x.time = dated_;
        plot.x.integers = !dated_;
        if (!dated_) plot.x.title = QStringLiteral("row of the file");
        plot.x.min = x(first_);
        plot.x.max = x(lookback_ + horizon_ - 1);
        plot.y.title = unit_in(name);
        add_past(plot, channel);
        add_forecast(plot, channel);
        return plot;
    }

private:
    /// Place of the row `offset` after the first one of the look-back.
    [[nodiscard]] double x(std::size_t offset) const {
        if (!dated_) return static_cast<double>(of_.first_row) + static_cast<double>(offset);
        return offset < lookback_ ? of_.lookback_seconds[offset] : future_[offset - lookback_];
    }
    [[nodiscard]] double past(std::size_t row, std::size_t channel) const {
        return of_.lookback[row * channels_ + channel];
    }

    void add_past(Plot& plot, std::size_t channel) const {
        Series before;
        before.name = QStringLiteral("look-back");
        before.colour = neutral_colour();
        before.width = 1.4;
        for (auto row = first_; row < lookback_; ++row) {
            before.x.push_back(x(row));
            before.y.push_back(past(row, channel));
        }
        Series last;
        last.name = QStringLiteral("last row");
        last.csv_name = QString();  // a row of the look-back
        last.kind = MarkKind::points;
        last.colour = neutral_colour();
        last.width = 6;
        last.x = {before.x.back()};
        last.y = {before.y.back()};
        plot.rules.push_back({true, before.x.back(), {}, {}, true});
        plot.series.push_back(std::move(before));
        plot.series.push_back(std::move(last));
    }

    void add_forecast(Plot& plot, std::size_t channel) const {
        Series forecast;
        forecast.name = QStringLiteral("forecast: %1").arg(input_.label);
        forecast.colour = input_.colour;
        forecast.run = input_.run;
        forecast.width = 2;
        for (std::size_t step = 0; step < horizon_; ++step) {
            forecast.x.push_back(x(lookback_ + step));
            forecast.y.push_back(of_.values[step * channels_ + channel]);
        }
        if (options_.last_value) {
            Series persistence = forecast;
            persistence.name = QStringLiteral("persistence");
            persistence.csv_name = QStringLiteral("last value");
            persistence.colour = neutral_colour();
            persistence.run.clear();
            persistence.dashed = true;
            persistence.width = 1.2;
            std::fill(persistence.y.begin(), persistence.y.end(), past(lookback_ - 1, channel));
            plot.series.push_back(std::move(persistence));
        }
        const auto line = forecast;
        plot.series.push_back(std::move(forecast));
        for (const auto& interval : of_.intervals) plot.series.push_back(band(line, interval, channel));
    }

    /// Narrow intervals are darker, also because wider ones lie over them.
    [[nodiscard]] Series band(Series forecast, const inspect::ForecastInterval& interval,
                              std::size_t channel) const {
        forecast.kind = MarkKind::area;
        forecast.name = QStringLiteral("%1 % interval").arg(interval.percent);
        forecast.opacity = interval.percent < 90 ? 0.34 : 0.18;
        for (std::size_t step = 0; step < horizon_; ++step) {
            const auto offset = interval.offsets[step * channels_ + channel];
            forecast.low.push_back(forecast.y[step] - offset);
            forecast.y[step] += offset;
        }
        return forecast;
    }

    const AheadInput& input_;
    const inspect::AheadForecast& of_;
    const AheadOptions& options_;
    std::size_t channels_, lookback_, horizon_;
    std::vector<double> future_;  ///< [H] times of the forecast rows; empty without a time axis
    std::size_t first_ = 0;       ///< first plotted row of the look-back
    bool dated_ = false;
};

}  // namespace

QString coverage_sentence(const inspect::AheadForecast& forecast) {
    if (forecast.intervals.empty()) return {};
    const QLocale locale(QLocale::English);
    const auto& first = forecast.intervals.front();
    const auto count = forecast.channels.size();
    const auto of_all = count > 1 ? QStringLiteral(" of all %1 channels").arg(count) : QString();
    QStringList parts;
    for (const auto& interval : forecast.intervals)
        parts << QStringLiteral("the %1 % interval%2 %3 %")
                         .arg(interval.percent)
                         .arg(parts.isEmpty() ? QStringLiteral(" covers") : QString())
                         .arg(100 * interval.coverage, 0, 'f', 1) +
                     (parts.isEmpty()
                          ? QStringLiteral(" of the values%1 in %2 test windows")
                                .arg(of_all, locale.toString(static_cast<qlonglong>(first.tested)))
                          : QString());
    auto text = parts.join(QStringLiteral(", "));
    text[0] = text[0].toUpper();
    return text +
           QStringLiteral(". The intervals are split-conformal, from the errors in %1 validation windows.")
               .arg(locale.toString(static_cast<qlonglong>(first.calibration)));
}

Figure forecast_ahead(const AheadInput& input, const AheadOptions& options) {
    const auto& of = *input.forecast;
    Figure figure{QStringLiteral("forecast-ahead"), QStringLiteral("Forecast ahead")};
    const auto count = static_cast<std::int64_t>(of.channels.size());
    auto channels = options.channels;
    std::erase_if(channels, [&](std::int64_t channel) { return channel < 0 || channel >= count; });
    if (channels.empty()) channels = {count - 1};
    const AheadPlot plots(input, options);
    for (std::size_t i = 0; i < std::min(channels.size(), max_ahead_plots); ++i)
        figure.plots.push_back(plots.plot(static_cast<std::size_t>(channels[i])));
    if (channels.size() > max_ahead_plots)
        figure.left_out = QObject::tr(
                              "Forecast ahead: %1 of %2 selected channels are plotted. Select "
                              "fewer to see others.")
                              .arg(max_ahead_plots)
                              .arg(channels.size());
    figure.columns = figure.plots.size() > 3 ? 2 : 1;
    figure.caption =
        QStringLiteral("Forecast of the %1 rows after the last one of %2 by %3, in the file's units.")
            .arg(of.values.size() / of.channels.size())
            .arg(input.file, input.label);
    if (const auto text = coverage_sentence(of); !text.isEmpty()) figure.caption += QLatin1Char(' ') + text;
    return figure;
}

}  // namespace casp::figures
