#include "charts/plot_marks.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casp::widgets {
namespace {

QColor dimmed(QColor colour) {
    colour.setAlphaF(colour.alphaF() * 0.22F);
    return colour;
}

bool is_highlighted(const figures::Series& series, std::size_t index, const Highlight& highlight) {
    const auto own = highlight.of_runs.find(series.run);
    const auto& ids = own == highlight.of_runs.end() ? highlight.ids : own->second;
    return index < series.ids.size() && ids.count(series.ids[index]) > 0;
}

}  // namespace

bool is_any_highlighted(const figures::Series& series, const Highlight& highlight) {
    return !series.ids.empty() && (!highlight.ids.empty() || highlight.of_runs.count(series.run) > 0);
}

Bars bar_rectangles(const figures::Series& series, const Scales& scales, QRectF area) {
    Bars bars;
    const Scale& y = scales.of(series);
    const double width = bar_width(series), zero = y.log ? 0 : std::clamp(y.at(0), 0.0, 1.0);
    const std::size_t size = std::min(series.x.size(), series.y.size());
    for (std::size_t i = 0; i < size; ++i) {
        const double left = series.x[i] - width / 2;
        double from = scales.x.at(left), to = scales.x.at(left + width), top = y.at(series.y[i]);
        if (!std::isfinite(from) || !std::isfinite(to) || !std::isfinite(top) || to < 0 || from > 1) continue;
        from = std::clamp(from, 0.0, 1.0);
        to = std::clamp(to, 0.0, 1.0);
        top = std::clamp(top, 0.0, 1.0);
        const QPointF a = in_scene({from, std::max(zero, top)}, area),
                      b = in_scene({to, std::min(zero, top)}, area);
        bars.rectangles.emplace_back(a, b);
        bars.indices.push_back(i);
    }
    return bars;
}

Points point_places(const figures::Series& series, const Scales& scales, QRectF area) {
    Points points;
    const Scale& y = scales.of(series);
    const std::size_t size = std::min(series.x.size(), series.y.size());
    points.indices.reserve(size);
    points.places.reserve(static_cast<int>(size));
    for (std::size_t i = 0; i < size; ++i) {
        const QPointF at(scales.x.at(series.x[i]), y.at(series.y[i]));
        // Written so that NaN fails.
        if (!(at.x() >= -1e-9 && at.x() <= 1 + 1e-9 && at.y() >= -1e-9 && at.y() <= 1 + 1e-9)) continue;
        points.places << in_scene(at, area);
        points.indices.push_back(i);
    }
    return points;
}

void draw_points(QPainter& painter, const Canvas& canvas, const figures::Series& series, const QColor& colour,
                 const Points& points, const Highlight& highlight) {
    const double size = canvas.points(std::max(series.width, 1.0));
    const bool cross = series.marker == figures::MarkerShape::cross;
    const QPainterPath path = marker_path(series.marker, size);
    const bool some = is_any_highlighted(series, highlight);
    const auto set = [&](const QColor& fill) {
        painter.setPen(cross || series.hollow ? canvas.line(fill, 1.2) : QPen(Qt::NoPen));
        // Hollow marks are opaque: a line behind would fill them.
        painter.setBrush(cross           ? QBrush(Qt::NoBrush)
                         : series.hollow ? QBrush(canvas.style.background)
                                         : QBrush(fill));
    };
    const QColor plain = some ? dimmed(colour) : colour;
    set(plain);
    std::vector<int> chosen;
    const bool raster =
        painter.paintEngine() != nullptr && painter.paintEngine()->type() == QPaintEngine::Raster;
    QImage stamp;
    const double ratio = painter.device() != nullptr ? painter.device()->devicePixelRatioF() : 1;
    // A stamp is placed at whole device pixels: fine on screen, where thousands of paths would be slow.
    if (raster && points.places.size() > 2000 && std::abs(painter.deviceTransform().m11() - ratio) < 1e-6) {
        const int side = static_cast<int>(std::ceil((size * 1.3 + 2) * ratio));
        stamp = QImage(side, side, QImage::Format_ARGB32_Premultiplied);
        stamp.setDevicePixelRatio(ratio);
        stamp.fill(Qt::transparent);
        QPainter inner(&stamp);
        inner.setRenderHint(QPainter::Antialiasing);
        inner.setPen(painter.pen());
        inner.setBrush(painter.brush());
        inner.drawPath(path.translated(side / ratio / 2, side / ratio / 2));
    }
    const double half = stamp.isNull() ? 0 : stamp.width() / ratio / 2;
    for (int i = 0; i < points.places.size(); ++i) {
        if (some && is_highlighted(series, points.indices[static_cast<std::size_t>(i)], highlight)) {
            chosen.push_back(i);
        } else if (!stamp.isNull()) {
            painter.drawImage(points.places[i] - QPointF(half, half), stamp);
        } else {
            painter.drawPath(path.translated(points.places[i]));
        }
    }
    if (chosen.empty()) return;
    QColor strong = colour;
    strong.setAlphaF(1);
    set(strong);
    if (!cross) painter.setPen(canvas.line(canvas.style.text, 1.1));
    const QPainterPath larger = marker_path(series.marker, size * 1.25);
    for (const int i : chosen) painter.drawPath(larger.translated(points.places[i]));
}

void draw_bars(QPainter& painter, const Canvas& canvas, const figures::Series& series, const QColor& colour,
               const Bars& bars, const Highlight& highlight) {
    painter.setPen(Qt::NoPen);
    const bool some = is_any_highlighted(series, highlight);
    // Bars are at least one pixel wide: narrower ones would fade.
    const double least = canvas.points(0.75);
    for (std::size_t i = 0; i < bars.rectangles.size(); ++i) {
        QRectF bar = bars.rectangles[i];
        if (bar.width() < least) {
            bar.setLeft(bar.center().x() - least / 2);
            bar.setWidth(least);
        }
        const bool chosen = some && is_highlighted(series, bars.indices[i], highlight);
        painter.setBrush(some && !chosen ? dimmed(colour) : colour);
        if (chosen && bar.width() < canvas.points(2)) {
            bar.setLeft(bar.center().x() - canvas.points(1));
            bar.setWidth(canvas.points(2));
        }
        painter.drawRect(bar);
    }
}

void draw_error_bars(QPainter& painter, const Canvas& canvas, const figures::Series& series,
                     const QColor& colour, const Scales& scales, QRectF area) {
    const std::size_t size = std::min({series.x.size(), series.low.size(), series.high.size()});
    const Scale& y = scales.of(series);
    painter.setPen(canvas.line(colour, 1.1));
    const double cap = canvas.points(2.5);
    for (std::size_t i = 0; i < size; ++i) {
        const double at = scales.x.at(series.x[i]);
        double low = y.at(series.low[i]);
        const double high = y.at(series.high[i]);
        if (y.log && std::isfinite(high) && !std::isfinite(low)) low = 0;
        if (!(at >= 0 && at <= 1) || !std::isfinite(low) || !std::isfinite(high) || high < 0 || low > 1)
            continue;
        const QPointF bottom = in_scene({at, std::max(low, 0.0)}, area),
                      top = in_scene({at, std::min(high, 1.0)}, area);
        painter.drawLine(bottom, top);
        if (low >= 0) painter.drawLine(bottom - QPointF(cap, 0), bottom + QPointF(cap, 0));
        if (high <= 1) painter.drawLine(top - QPointF(cap, 0), top + QPointF(cap, 0));
    }
}

Range colour_range(const figures::Heatmap& map) {
    if (map.min && map.max && *map.max > *map.min) return {*map.min, *map.max};
    double min = std::numeric_limits<double>::infinity(), max = -min;
    for (const float value : map.values) {
        if (!std::isfinite(value)) continue;
        min = std::min<double>(min, value);
        max = std::max<double>(max, value);
    }
    if (!(min <= max)) min = 0, max = 1;
    if (map.min) min = *map.min;
    if (map.max) max = *map.max;
    if (!(max > min)) max = min + (min == 0 ? 1 : std::abs(min) * 0.1);
    return {min, max};
}

QImage heatmap_image(const figures::Heatmap& map, const Scales& scales, int max_column_count, int max_rows) {
    const auto clamp_to = [](double value, std::int64_t size) {
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(value), 0, size);
    };
    const std::int64_t left = clamp_to(std::floor(scales.x.min), map.columns),
                       right = clamp_to(std::ceil(scales.x.max), map.columns);
    const std::int64_t top = clamp_to(std::floor(scales.y.min), map.rows),
                       bottom = clamp_to(std::ceil(scales.y.max), map.rows);
    if (right <= left || bottom <= top ||
        static_cast<std::int64_t>(map.values.size()) < map.rows * map.columns)
        return {};
    const Range range = colour_range(map);
    const auto columns = std::min<std::int64_t>(right - left, std::max(max_column_count, 1));
    const auto rows = std::min<std::int64_t>(bottom - top, std::max(max_rows, 1));
    std::vector<QRgb> table(1024);
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = figures::map_colour(map.colour_map,
                                       static_cast<double>(i) / static_cast<double>(table.size() - 1));
    QImage image(static_cast<int>(columns), static_cast<int>(rows), QImage::Format_ARGB32);
    for (std::int64_t r = 0; r < rows; ++r) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(r)));
        const std::int64_t r0 = top + r * (bottom - top) / rows,
                           r1 = std::max(r0 + 1, top + (r + 1) * (bottom - top) / rows);
        for (std::int64_t c = 0; c < columns; ++c) {
            const std::int64_t c0 = left + c * (right - left) / columns;
            const std::int64_t c1 = std::max(c0 + 1, left + (c + 1) * (right - left) / columns);
            double sum = 0;
            int count = 0;
            for (std::int64_t i = r0; i < r1; ++i) {
                for (std::int64_t j = c0; j < c1; ++j) {
                    const float value = map.values[static_cast<std::size_t>(i * map.columns + j)];
                    if (std::isfinite(value)) sum += value, ++count;
                }
            }
            const double share =
                count == 0 ? 0 : std::clamp((sum / count - range.min) / (range.max - range.min), 0.0, 1.0);
            line[c] = count == 0 ? qRgba(0, 0, 0, 0)
                                 : table[static_cast<std::size_t>(
                                       std::lround(share * static_cast<double>(table.size() - 1)))];
        }
    }
    return image;
}

}  // namespace casp::widgets
