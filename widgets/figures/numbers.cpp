#include "figures/numbers.h"

#include <QDateTime>
#include <QHash>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace casp::figures {
namespace {

QString iso(double seconds) {
    if (!std::isfinite(seconds) || std::abs(seconds) > 1e12) return {};
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(std::llround(seconds * 1000), Qt::UTC);
    return time.toString(time.time().msec() != 0 ? Qt::ISODateWithMs : Qt::ISODate);
}

QString category(const Axis& axis, double x) {
    const auto index = std::llround(x);
    return std::isfinite(x) && index >= 0 && index < axis.categories.size()
               ? axis.categories.at(static_cast<int>(index))
               : QString();
}

QString name_of_plot(const Figure& figure, std::size_t index) {
    const Plot& plot = figure.plots[index];
    if (!plot.title.isEmpty()) return plot.title;
    if (!plot.y.title.isEmpty()) return plot.y.title;
    return QString::number(index + 1);
}

// A mark that is not in the legend is its run's all the same.
using NamesOfRuns = QHash<QString, QString>;

NamesOfRuns names_of_runs(const Figure& figure) {
    NamesOfRuns names;
    for (const Plot& plot : figure.plots)
        for (const Series& series : plot.series)
            if (!series.run.isEmpty() && !series.name.isEmpty() && !names.contains(series.run))
                names[series.run] = series.name;
    return names;
}

QString csv_name(const Series& series, const NamesOfRuns& names) {
    if (series.csv_name) return *series.csv_name;
    return series.name.isEmpty() ? names.value(series.run) : series.name;
}

// A faint line behind a smoothed one, dots on a line: what they show is in the CSV already.
bool repeats_another(const Series& series) { return series.csv_name && series.csv_name->isEmpty(); }

// Which of the optional columns any series needs.
struct Used {
    bool time = false, category = false, raw = false, low = false, high = false, id = false;
};

void add_series(Numbers& numbers, const QString& plot_name, const Plot& plot, const Series& series,
                const Used& used, const QString& name) {
    const auto value = [](const std::vector<double>& values, std::size_t i) {
        return i < values.size() ? exact_text(values[i]) : QString();
    };
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
        QStringList row{plot_name, name, exact_text(series.x[i])};
        if (used.time) row << (plot.x.time ? iso(series.x[i]) : QString());
        if (used.category) row << category(plot.x, series.x[i]);
        row << exact_text(series.y[i]);
        if (used.raw) row << value(series.raw, i);
        if (used.low) row << value(series.low, i);
        if (used.high) row << value(series.high, i);
        if (used.id) row << (i < series.ids.size() ? QString::number(series.ids[i]) : QString());
        numbers.rows.push_back(row);
    }
}

void add_heatmap(Numbers& numbers, const QString& plot_name, const Heatmap& map) {
    const auto name = [](const QStringList& names, const std::vector<std::int64_t>& ids, std::int64_t i) {
        if (i < names.size()) return names.at(static_cast<int>(i));
        return QString::number(static_cast<std::size_t>(i) < ids.size() ? ids[static_cast<std::size_t>(i)]
                                                                        : i);
    };
    for (std::int64_t r = 0; r < map.rows; ++r) {
        for (std::int64_t c = 0; c < map.columns; ++c) {
            const auto at = static_cast<std::size_t>(r * map.columns + c);
            if (at >= map.values.size()) return;
            const float value = map.values[at];
            const QString text = exact_text(value);
            numbers.rows.push_back({plot_name, name(map.row_names, map.row_ids, r),
                                    name(map.column_names, map.column_ids, c), text});
        }
    }
}

QByteArray field(const QString& text) {
    static const QString special = QStringLiteral(",\"\r\n");
    QByteArray bytes = text.toUtf8();
    bool quote = false;
    for (const QChar character : special) quote = quote || text.contains(character);
    if (!quote) return bytes;
    bytes.replace('"', "\"\"");
    return '"' + bytes + '"';
}

}  // namespace

namespace {

template <class Number>
QString shortest(Number value) {
    if (std::isnan(value)) return {};
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
    return QString::fromLatin1(buffer, static_cast<int>(end.ptr - buffer));
}

}  // namespace

QString exact_text(double value) { return shortest(value); }
QString exact_text(float value) { return shortest(value); }

Numbers numbers_of(const Figure& figure) {
    if (figure.numbers) return *figure.numbers;
    Numbers numbers;
    Used used;
    bool any_series = false, any_heatmap = false;
    for (const Plot& plot : figure.plots) {
        any_heatmap = any_heatmap || plot.heatmap.has_value();
        for (const Series& series : plot.series) {
            if (repeats_another(series)) continue;
            any_series = true;
            used.time = used.time || plot.x.time;
            used.category = used.category || !plot.x.categories.isEmpty();
            used.raw = used.raw || !series.raw.empty();
            used.low = used.low || !series.low.empty();
            used.high = used.high || !series.high.empty();
            used.id = used.id || !series.ids.empty();
        }
    }
    if (any_series) {
        numbers.columns = {QStringLiteral("plot"), QStringLiteral("series"), QStringLiteral("x")};
        if (used.time) numbers.columns << QStringLiteral("time");
        if (used.category) numbers.columns << QStringLiteral("category");
        numbers.columns << QStringLiteral("y");
        if (used.raw) numbers.columns << QStringLiteral("unsmoothed");
        if (used.low) numbers.columns << QStringLiteral("low");
        if (used.high) numbers.columns << QStringLiteral("high");
        if (used.id) numbers.columns << QStringLiteral("id");
        const auto names = names_of_runs(figure);
        for (std::size_t i = 0; i < figure.plots.size(); ++i) {
            for (const Series& series : figure.plots[i].series)
                if (!repeats_another(series))
                    add_series(numbers, name_of_plot(figure, i), figure.plots[i], series, used,
                               csv_name(series, names));
        }
    }
    if (any_heatmap) {
        const QStringList header{QStringLiteral("plot"), QStringLiteral("row"), QStringLiteral("column"),
                                 QStringLiteral("value")};
        if (any_series)
            numbers.rows.push_back(header);
        else
            numbers.columns = header;
        for (std::size_t i = 0; i < figure.plots.size(); ++i) {
            if (figure.plots[i].heatmap)
                add_heatmap(numbers, name_of_plot(figure, i), *figure.plots[i].heatmap);
        }
    }
    return numbers;
}

QByteArray csv_of(const Numbers& numbers) {
    QByteArray csv;
    const auto add = [&csv](const QStringList& row) {
        for (int i = 0; i < row.size(); ++i) {
            if (i > 0) csv += ',';
            csv += field(row.at(i));
        }
        csv += "\r\n";
    };
    if (!numbers.columns.isEmpty()) add(numbers.columns);
    for (const QStringList& row : numbers.rows) add(row);
    return csv;
}

QByteArray csv_of(const Figure& figure) { return csv_of(numbers_of(figure)); }

}  // namespace casp::figures
