#include "figures/numbers.h"

#include <QDateTime>
#include <QHash>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace casp::figures {
namespace {

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

// Marks without a legend entry still belong to their run.
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

// Faint lines behind smoothed ones, or dots on a line: their values are in the CSV already.
bool repeats_another(const Series& series) { return series.csv_name && series.csv_name->isEmpty(); }

// Optional columns needed by any series.
struct Used {
    bool series = false, heatmap = false;
    bool time = false, category = false, raw = false, low = false, high = false, id = false;
};

bool add_series(const TakeRow& take, const QString& plot_name, const Plot& plot, const Series& series,
                const Used& used, const QString& name) {
    const auto value = [](const std::vector<double>& values, std::size_t i) {
        return i < values.size() ? exact_text(values[i]) : QString();
    };
    for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
        QStringList row{plot_name, name, exact_text(series.x[i])};
        if (used.time) row << (plot.x.time ? iso_text(series.x[i]) : QString());
        if (used.category) row << category(plot.x, series.x[i]);
        row << exact_text(series.y[i]);
        if (used.raw) row << value(series.raw, i);
        if (used.low) row << value(series.low, i);
        if (used.high) row << value(series.high, i);
        if (used.id) row << (i < series.ids.size() ? QString::number(series.ids[i]) : QString());
        if (!take(row)) return false;
    }
    return true;
}

bool add_heatmap(const TakeRow& take, const QString& plot_name, const Heatmap& map) {
    const auto name = [](const QStringList& names, const std::vector<std::int64_t>& ids, std::int64_t i) {
        if (i < names.size()) return names.at(static_cast<int>(i));
        return QString::number(static_cast<std::size_t>(i) < ids.size() ? ids[static_cast<std::size_t>(i)]
                                                                        : i);
    };
    QStringList columns;
    for (std::int64_t c = 0; c < map.columns; ++c) columns << name(map.column_names, map.column_ids, c);
    QStringList row{plot_name, {}, {}, {}};
    for (std::int64_t r = 0; r < map.rows; ++r) {
        row[1] = name(map.row_names, map.row_ids, r);
        for (std::int64_t c = 0; c < map.columns; ++c) {
            const auto at = static_cast<std::size_t>(r * map.columns + c);
            if (at >= map.values.size()) return true;
            row[2] = columns.at(c);
            row[3] = exact_text(map.values[at]);
            if (!take(row)) return false;
        }
    }
    return true;
}

QStringList heatmap_columns() {
    return {QStringLiteral("plot"), QStringLiteral("row"), QStringLiteral("column"), QStringLiteral("value")};
}

Used used_by(const Figure& figure) {
    Used used;
    for (const Plot& plot : figure.plots) {
        used.heatmap = used.heatmap || plot.heatmap.has_value();
        for (const Series& series : plot.series) {
            if (repeats_another(series)) continue;
            used.series = true;
            used.time = used.time || plot.x.time;
            used.category = used.category || !plot.x.categories.isEmpty();
            used.raw = used.raw || !series.raw.empty();
            used.low = used.low || !series.low.empty();
            used.high = used.high || !series.high.empty();
            used.id = used.id || !series.ids.empty();
        }
    }
    return used;
}

QStringList series_columns(const Used& used) {
    QStringList columns{QStringLiteral("plot"), QStringLiteral("series"), QStringLiteral("x")};
    if (used.time) columns << QStringLiteral("time");
    if (used.category) columns << QStringLiteral("category");
    columns << QStringLiteral("y");
    if (used.raw) columns << QStringLiteral("unsmoothed");
    if (used.low) columns << QStringLiteral("low");
    if (used.high) columns << QStringLiteral("high");
    if (used.id) columns << QStringLiteral("id");
    return columns;
}

bool each_row_of(const Numbers& numbers, const TakeRow& header, const TakeRow& take) {
    if (!numbers.columns.isEmpty() && !header(numbers.columns)) return false;
    for (const QStringList& row : numbers.rows)
        if (!take(row)) return false;
    bool more = true;
    if (numbers.each) numbers.each([&](const QStringList& row) { return more = take(row); });
    return more;
}

constexpr qsizetype piece_bytes = 1 << 16;

void append_field(QByteArray& csv, const QString& text) {
    auto bytes = text.toUtf8();
    const bool quote = std::any_of(bytes.begin(), bytes.end(),
                                   [](char c) { return c == ',' || c == '"' || c == '\r' || c == '\n'; });
    if (quote) bytes = '"' + bytes.replace('"', "\"\"") + '"';
    csv += bytes;
}

void append_row(QByteArray& csv, const QStringList& row) {
    for (qsizetype i = 0; i < row.size(); ++i) {
        if (i > 0) csv += ',';
        append_field(csv, row.at(i));
    }
    csv += "\r\n";
}

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

QString iso_text(double seconds) {
    if (!std::isfinite(seconds) || std::abs(seconds) > 1e12) return {};
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(std::llround(seconds * 1000), Qt::UTC);
    return time.toString(time.time().msec() != 0 ? Qt::ISODateWithMs : Qt::ISODate);
}

bool each_row(const Figure& figure, const TakeRow& header, const TakeRow& take) {
    if (figure.numbers) return each_row_of(*figure.numbers, header, take);
    const auto used = used_by(figure);
    if (used.series) {
        if (!header(series_columns(used))) return false;
        const auto names = names_of_runs(figure);
        for (std::size_t i = 0; i < figure.plots.size(); ++i)
            for (const Series& series : figure.plots[i].series)
                if (!repeats_another(series) && !add_series(take, name_of_plot(figure, i), figure.plots[i],
                                                            series, used, csv_name(series, names)))
                    return false;
    }
    if (!used.heatmap) return true;
    if (!(used.series ? take : header)(heatmap_columns())) return false;
    for (std::size_t i = 0; i < figure.plots.size(); ++i)
        if (figure.plots[i].heatmap && !add_heatmap(take, name_of_plot(figure, i), *figure.plots[i].heatmap))
            return false;
    return true;
}

Numbers numbers_of(const Figure& figure) {
    Numbers numbers;
    each_row(
        figure,
        [&numbers](const QStringList& columns) {
            numbers.columns = columns;
            return true;
        },
        [&numbers](const QStringList& row) {
            numbers.rows.push_back(row);
            return true;
        });
    return numbers;
}

std::int64_t row_count(const Figure& figure) {
    if (const auto& numbers = figure.numbers)
        return static_cast<std::int64_t>(numbers->rows.size()) + (numbers->each ? numbers->count : 0);
    std::int64_t rows = 0;
    for (const Plot& plot : figure.plots) {
        for (const Series& series : plot.series)
            if (!repeats_another(series))
                rows += static_cast<std::int64_t>(std::min(series.x.size(), series.y.size()));
        if (plot.heatmap) rows += plot.heatmap->rows * plot.heatmap->columns;
    }
    return rows;
}

std::int64_t cell_count(const Figure& figure) {
    const auto used = used_by(figure);
    const auto columns = figure.numbers ? figure.numbers->columns.size()
                         : used.series  ? series_columns(used).size()
                                        : heatmap_columns().size();
    return row_count(figure) * std::max<std::int64_t>(1, columns);
}

Numbers cells_of(const QString& plot, std::shared_ptr<const Heatmap> map) {
    Numbers numbers;
    numbers.columns = heatmap_columns();
    numbers.count = map->rows * map->columns;
    numbers.each = [plot, map = std::move(map)](const TakeRow& take) { add_heatmap(take, plot, *map); };
    return numbers;
}

bool write_csv(const Figure& figure, const std::function<bool(const QByteArray&)>& write,
               const std::function<void(std::int64_t)>& rows_done) {
    QByteArray piece;
    std::int64_t rows = 0;
    piece.reserve(piece_bytes + 4096);
    const auto take = [&](const QStringList& row) {
        append_row(piece, row);
        if (piece.size() < piece_bytes) return true;
        const bool more = write(piece);
        piece.resize(0);
        if (rows_done) rows_done(rows);
        return more;
    };
    const auto take_row = [&](const QStringList& row) {
        ++rows;
        return take(row);
    };
    return each_row(figure, take, take_row) && (piece.isEmpty() || write(piece));
}

std::int64_t csv_size(const Figure& figure) {
    std::int64_t bytes = 0, rows = 0;
    write_csv(
        figure,
        [&bytes](const QByteArray& piece) {
            bytes += piece.size();
            return false;
        },
        [&rows](std::int64_t done) { rows = done; });
    if (rows == 0) return bytes;  // that was all
    return static_cast<std::int64_t>(static_cast<double>(bytes) / static_cast<double>(rows) *
                                     static_cast<double>(row_count(figure)));
}

QByteArray csv_of(const Figure& figure) {
    QByteArray csv;
    write_csv(figure, [&csv](const QByteArray& piece) {
        csv += piece;
        return true;
    });
    return csv;
}

}  // namespace casp::figures
