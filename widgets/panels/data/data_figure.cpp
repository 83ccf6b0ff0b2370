#include "panels/data/data_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "figures/numbers.h"
#include "figures/reduce.h"
#include "panels/data/data_text.h"

namespace casp::widgets {

namespace {

// Points. Qt strokes lines of at most one device pixel quickly; wider lines that oscillate in every pixel
// column take a hundred times as long and look no better.
constexpr double dense_width = 0.72;
constexpr double sparse_width = 1.2;
constexpr std::size_t max_kept_times = 1000000;  ///< of a table's rows, as texts

/// Appends rows [begin, end) reduced for the range from `from` to `to`.
void append_reduced(figures::Series& series, const data::Column& column, const ChannelAxis& axis,
                    std::size_t begin, std::size_t end, const figures::Columns& columns) {
    if (begin >= end) return;
    const std::span<const double> x(axis.x.data() + begin, end - begin);
    const std::span<const double> y(column.values.data() + begin, end - begin);
    for (const std::ptrdiff_t i : figures::reduce_line(x, y, columns)) {
        if (i == figures::gap) {
            if (series.x.empty()) continue;
            series.x.push_back(series.x.back());
            series.y.push_back(std::numeric_limits<double>::quiet_NaN());
            continue;
        }
        series.x.push_back(x[static_cast<std::size_t>(i)]);
        series.y.push_back(y[static_cast<std::size_t>(i)]);
    }
}

figures::Series reduced_series(const data::Column& column, const ChannelAxis& axis,
                               const ChannelFigureOptions& options) {
    figures::Series series;
    series.name = native_text(column.name);
    const double first = axis.x.front();
    const double last = axis.x.back();
    series.width = dense_width / options.pixel_ratio;
    if (!options.range) {
        if (axis.x.size() < static_cast<std::size_t>(options.pixel_columns) / 2) series.width = sparse_width;
        append_reduced(series, column, axis, 0, axis.x.size(), {first, last, options.pixel_columns, false});
        return series;
    }
    const auto [from, to] = *options.range;
    const auto row_of = [&](double x, bool after) {
        const auto at = after ? std::upper_bound(axis.x.begin(), axis.x.end(), x)
                              : std::lower_bound(axis.x.begin(), axis.x.end(), x);
        return static_cast<std::size_t>(at - axis.x.begin());
    };
    // One row beyond either end, so that the line reaches the border of the view.
    const std::size_t begin = std::max<std::size_t>(row_of(from, false), 1) - 1;
    const std::size_t end = std::min(row_of(to, true) + 1, axis.x.size());
    if (end - begin < static_cast<std::size_t>(options.pixel_columns) / 2) series.width = sparse_width;
    const figures::Columns coarse{first, last, options.pixel_columns, false};
    append_reduced(series, column, axis, 0, begin, coarse);
    append_reduced(series, column, axis, begin, end, {from, to, options.pixel_columns, false});
    append_reduced(series, column, axis, end, axis.x.size(), coarse);
    return series;
}

/// The column with omitted values as NaN.
data::Column without(data::Column column, const std::vector<double>& values) {
    for (double& cell : column.values.edit())
        if (std::ranges::find(values, cell) != values.end()) cell = std::numeric_limits<double>::quiet_NaN();
    return column;
}

/// Mean and standard deviation used to scale channel `at`.
std::pair<double, double> scale_of(const DataReview* review, std::size_t at) {
    if (review == nullptr || at >= review->channels.size()) return {0, 1};
    const auto& channel = review->channels[at];
    return {channel.mean, channel.constant ? 1 : channel.deviation};
}

const QString scaled_title = QStringLiteral("(x − μ) / σ");

/// Fits the y axis to the series between `from` and `to`, with a margin.
void fit_y(figures::Plot& plot, double from, double to) {
    double least = std::numeric_limits<double>::quiet_NaN(), most = least;
    for (const auto& series : plot.series)
        for (std::size_t i = 0; i < series.x.size(); ++i)
            if (series.x[i] >= from && series.x[i] <= to) {
                least = std::fmin(least, series.y[i]);
                most = std::fmax(most, series.y[i]);
            }
    if (!(least <= most)) return;
    const double room = most > least ? 0.05 * (most - least) : std::max(1e-6, 0.05 * std::abs(most));
    plot.y.min = least - room;
    plot.y.max = most + room;
}

}  // namespace

bool ChannelAxis::has_time(const data::Table& table) {
    if (table.time.empty() || !(table.time.front() < table.time.back())) return false;
    double before = -std::numeric_limits<double>::infinity();
    for (const double t : table.time) {
        if (!(t >= before)) return false;  // also NaN
        before = t;
    }
    return true;
}

std::shared_ptr<const ChannelAxis> ChannelAxis::of(const data::Table& table, bool want_time) {
    auto axis = std::make_shared<ChannelAxis>();
    axis->time = want_time && has_time(table);
    if (axis->time) {
        axis->x = table.time;
        if (table.step.local.zone != nullptr) {  // an hour that is repeated is drawn as one time
            double before = -std::numeric_limits<double>::infinity();
            for (double& time : axis->x) time = before = std::max(before, table.step.local.shown(time));
        }
        return axis;
    }
    axis->x.resize(static_cast<std::size_t>(table.rows()));
    for (std::size_t i = 0; i < axis->x.size(); ++i) axis->x[i] = static_cast<double>(i);
    return axis;
}

std::vector<figures::Band> split_bands(const ChannelAxis& axis, const data::SplitPlan& plan,
                                       const figures::Style& style, bool labels) {
    static const std::array<const char*, 3> names{"train", "val", "test"};
    std::vector<figures::Band> bands;
    std::int64_t first = 0;
    const auto rows = static_cast<std::int64_t>(axis.x.size());
    for (std::size_t i = 0; i < 3; ++i) {
        const std::int64_t end = std::min(first + plan.part_rows.at(i), rows);
        if (end <= first) break;
        figures::Band band;
        band.from = axis.x[static_cast<std::size_t>(first)];
        // A split extends to the first row of the next one.
        band.to = axis.x[static_cast<std::size_t>(std::min(end, rows - 1))];
        if (labels) band.label = QString::fromLatin1(names.at(i));
        band.colour = style.series.empty() ? style.accent : style.series[i % style.series.size()];
        band.opacity = 0.10;
        bands.push_back(band);
        first = end;
    }
    return bands;
}

figures::Figure channel_figure(const data::Table& table, const ChannelAxis& axis, const DataReview* review,
                               const ChannelFigureOptions& options, const figures::Style& style) {
    figures::Figure figure;
    figure.id = QStringLiteral("channels");
    figure.title = QStringLiteral("Channels of %1")
                       .arg(table.path.empty() ? QStringLiteral("the table")
                                               : native_text(table.path.filename().string()));
    figure.empty_text = QObject::tr("Check a channel in the list to plot it over the whole file.");
    if (axis.x.empty()) return figure;
    if (options.range && !(options.range->first < options.range->second)) return figure;
    const bool scaled = options.scaled && review != nullptr;
    const auto base_plot = [&](bool first) {
        figures::Plot plot;
        plot.x.time = axis.time;
        plot.x.integers = !axis.time;
        plot.x.title = axis.time ? QStringLiteral("time") : QStringLiteral("row");
        plot.x.min = axis.x.front();
        plot.x.max = std::max(axis.x.back(), axis.x.front() + 1);
        plot.legend = false;
        if (review != nullptr && review->plan) plot.bands = split_bands(axis, *review->plan, style, first);
        return plot;
    };
    for (std::size_t i = 0; i < options.channels.size(); ++i) {
        const auto at = static_cast<std::size_t>(options.channels[i]);
        if (at >= table.columns.size()) continue;
        const auto [mean, deviation] = scale_of(scaled ? review : nullptr, at);
        auto series = options.left_out.empty()
                          ? reduced_series(table.columns[at], axis, options)
                          : reduced_series(without(table.columns[at], options.left_out), axis, options);
        if (scaled)
            for (double& value : series.y) value = (value - mean) / deviation;
        // A channel keeps its colour independently of other shown channels.
        if (!style.series.empty()) series.colour = style.series[at % style.series.size()];
        if (figure.plots.empty() || !options.overlay) {
            figure.plots.push_back(base_plot(figure.plots.empty()));
            if (!options.overlay) figure.plots.back().title = series.name;
        }
        figure.plots.back().series.push_back(std::move(series));
    }
    if (figure.plots.empty()) return figure;
    if (options.range)
        for (auto& plot : figure.plots) fit_y(plot, options.range->first, options.range->second);
    if (options.overlay) {
        figure.plots.back().legend = true;
        figure.plots.back().y.title = scaled ? scaled_title : QString();
    }
    figure.caption =
        scaled ? QStringLiteral(
                     "All values, standardised by the mean and standard deviation of the training rows. "
                     "Shaded: training, validation, test.")
               : QStringLiteral("All values in the units of the file. Shaded: training, validation, test.");
    if (!options.left_out.empty())
        figure.caption += QStringLiteral(" Values that mark missing cells are omitted.");
    if (axis.x.size() > 2 * static_cast<std::size_t>(options.pixel_columns))
        figure.caption += QStringLiteral(
                              " Plotted from %1 rows: the lowest and the highest value in each of %2 "
                              "sections of the axis; the CSV has every row.")
                              .arg(axis.x.size())
                              .arg(options.pixel_columns);
    return figure;
}

figures::Numbers channel_numbers(std::shared_ptr<const data::Table> table,
                                 std::shared_ptr<const ChannelAxis> axis, const DataReview* review,
                                 const ChannelFigureOptions& options) {
    struct Channel {
        std::size_t at;
        QString plot, name;
        double mean, deviation;
    };
    std::vector<Channel> channels;
    const bool scaled = options.scaled && review != nullptr;
    for (const int channel : options.channels) {
        const auto at = static_cast<std::size_t>(channel);
        if (at >= table->columns.size()) continue;
        const auto name = native_text(table->columns[at].name);
        const auto plot = !options.overlay ? name : scaled ? scaled_title : QStringLiteral("1");
        const auto [mean, deviation] = scale_of(scaled ? review : nullptr, at);
        channels.push_back({at, plot, name, mean, deviation});
    }
    auto begin = axis->x.begin(), end = axis->x.end();
    if (options.range) {
        begin = std::lower_bound(begin, end, options.range->first);
        end = std::upper_bound(begin, end, options.range->second);
    }
    const auto first = static_cast<std::size_t>(begin - axis->x.begin());
    const auto last = static_cast<std::size_t>(end - axis->x.begin());
    figures::Numbers numbers;
    numbers.columns = {QStringLiteral("plot"), QStringLiteral("series"), QStringLiteral("x")};
    if (axis->time) numbers.columns << QStringLiteral("time");
    numbers.columns << QStringLiteral("y");
    numbers.count = static_cast<std::int64_t>((last - first) * channels.size());
    numbers.each = [table = std::move(table), axis = std::move(axis), channels = std::move(channels), first,
                    last, scaled, left_out = options.left_out](const figures::TakeRow& take) {
        // The time of a row is shared by all channels, and formatting it takes longest.
        QStringList times;
        if (axis->time && channels.size() > 1 && last - first <= max_kept_times)
            for (std::size_t i = first; i < last; ++i) times << figures::iso_text(axis->x[i]);
        for (const auto& channel : channels) {
            const auto& values = table->columns[channel.at].values;
            for (std::size_t i = first; i < last; ++i) {
                double value = values[i];
                if (std::ranges::find(left_out, value) != left_out.end())
                    value = std::numeric_limits<double>::quiet_NaN();
                if (scaled) value = (value - channel.mean) / channel.deviation;
                QStringList row{channel.plot, channel.name, figures::exact_text(axis->x[i])};
                if (axis->time)
                    row << (times.isEmpty() ? figures::iso_text(axis->x[i])
                                            : times.at(static_cast<qsizetype>(i - first)));
                row << figures::exact_text(value);
                if (!take(row)) return;
            }
        }
    };
    return numbers;
}

}  // namespace casp::widgets
