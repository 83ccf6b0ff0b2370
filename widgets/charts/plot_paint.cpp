// Drawing of one plot's lines, marks and decorations.
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

#include "charts/plot_item.h"

namespace casp::widgets {

// Our own items are what Qt Charts does not draw, or not well enough: see docs/decisions/0007-window.md.

// Below everything. Grids of Qt Charts have one colour for all lines, and lie over bands.
void PlotItem::draw_under(QPainter& painter) const {
    draw_bands(painter);
    if (!plot_->heatmap) draw_grid(painter);
    draw_heatmap(painter);
}

// Those of Qt Charts are at 0, 1, 2, … only, not highlighted one by one, and fade if they are narrow.
void PlotItem::draw_all_bars(QPainter& painter) const {
    for (std::size_t i = 0; i < bars_.size(); ++i)
        if (!bars_[i].rectangles.empty())
            draw_bars(painter, canvas_, plot_->series[i], canvas_.colour_of(plot_->series[i], i), bars_[i],
                      highlight_);
}

// More lines than Qt Charts draws quickly, since it outlines each for the mouse.
void PlotItem::draw_lines(QPainter& painter) const {
    painter.setClipRect(area_, Qt::IntersectClip);
    // In pixels, a line drawn as one path takes 20 times as long as its segments, and these twice as long
    // where the painter scales; in a file of paths, segments would take far more space.
    const QTransform world = canvas_.vector ? QTransform() : painter.worldTransform();
    if (!canvas_.vector) painter.resetTransform();
    for (const auto& [given, points] : own_lines_) {
        QPen pen = given;
        pen.setWidthF(pen.widthF() * world.m11());
        painter.setPen(pen);
        if (pen.style() == Qt::CustomDashLine) {
            painter.drawPolyline(world.map(points));
            continue;
        }
        for (qsizetype i = 1; i < points.size(); ++i)
            painter.drawLine(world.map(points[i - 1]), world.map(points[i]));
    }
}

// Above everything: error bars, which Qt Charts does not have, points that are too many, outlined or
// highlighted one by one, and texts.
void PlotItem::draw_over(QPainter& painter) const {
    for (std::size_t i = 0; i < plot_->series.size(); ++i) {
        const auto& series = plot_->series[i];
        const QColor colour = canvas_.colour_of(series, i);
        if (!lonely_[i].isEmpty()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            const double radius = canvas_.points(std::max(series.width, 1.2)) / 2;
            for (const QPointF& point : lonely_[i]) painter.drawEllipse(point, radius, radius);
        }
        if (series.kind != figures::MarkKind::area && !series.low.empty() && !series.high.empty())
            draw_error_bars(painter, canvas_, series, colour, scales_, area_);
    }
    for (std::size_t i = 0; own_points_ && i < points_.size(); ++i)
        if (!points_[i].places.isEmpty())
            draw_points(painter, canvas_, plot_->series[i], canvas_.colour_of(plot_->series[i], i),
                        points_[i], highlight_);
    if (plot_->heatmap) {
        // Axes have two sides, cells four.
        painter.setPen(canvas_.line(canvas_.style.axis));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area_.adjusted(-0.5, -0.5, 0.5, 0.5));
        draw_highlighted_cells(painter);
    }
    if (slanted_) draw_slanted_names(painter);
    draw_own_axis_titles(painter);
    draw_labels_inside(painter);
    draw_titles(painter);
    if (own_bar_) draw_colour_bar(painter, canvas_, *plot_->heatmap, area_);
    if (scales_.no_data) draw_no_data(painter);
}

void PlotItem::draw_no_data(QPainter& painter) const {
    painter.setFont(canvas_.font());
    painter.setPen(canvas_.style.muted);
    const bool log = plot_->y.log || plot_->x.log;
    const bool any = std::any_of(plot_->series.begin(), plot_->series.end(),
                                 [](const figures::Series& series) { return !series.y.empty(); });
    painter.drawText(area_, Qt::AlignCenter | Qt::TextWordWrap,
                     any && log ? QObject::tr("No values above 0 to show on a logarithmic axis")
                                : QObject::tr("No values yet"));
}

void PlotItem::draw_grid(QPainter& painter) const {
    QColor faint = canvas_.style.grid;
    faint.setAlphaF(faint.alphaF() * 0.55F);
    const auto pen = [&](bool minor) { return canvas_.line(minor ? faint : canvas_.style.grid); };
    const bool vertical = plot_->x.categories.isEmpty();
    for (const auto& tick : x_ticks_) {
        const double at = scales_.x.at(tick.at);
        if (!vertical || at < 0 || at > 1) continue;
        painter.setPen(pen(tick.minor));
        const double x = snapped(area_.left() + at * area_.width());
        painter.drawLine(QPointF(x, area_.top()), QPointF(x, area_.bottom()));
    }
    for (const auto& tick : y_ticks_) {
        const double at = scales_.y.at(tick.at);
        if (at < 0 || at > 1 || scales_.no_data) continue;
        painter.setPen(pen(tick.minor));
        const double y = snapped(area_.bottom() - at * area_.height());
        painter.drawLine(QPointF(area_.left(), y), QPointF(area_.right(), y));
    }
}

void PlotItem::draw_bands(QPainter& painter) const {
    painter.setPen(Qt::NoPen);
    for (const auto& band : plot_->bands) {
        const double from = std::clamp(scales_.x.at(band.from), 0.0, 1.0),
                     to = std::clamp(scales_.x.at(band.to), 0.0, 1.0);
        if (!(to > from)) continue;
        QColor colour = band.colour.isValid() ? band.colour : canvas_.style.accent;
        colour.setAlphaF(static_cast<float>(std::clamp(band.opacity, 0.0, 1.0)));
        painter.setBrush(colour);
        painter.drawRect(QRectF(area_.left() + from * area_.width(), area_.top(), (to - from) * area_.width(),
                                area_.height()));
    }
}

void PlotItem::draw_heatmap(QPainter& painter) const {
    if (heatmap_.isNull()) return;
    const auto& map = *plot_->heatmap;
    // The image holds whole cells; where the zoom cuts one, only a part of the image is shown.
    const double left = std::max(std::floor(scales_.x.min), 0.0),
                 right = std::min(std::ceil(scales_.x.max), static_cast<double>(map.columns));
    const double top = std::max(std::floor(scales_.y.min), 0.0),
                 bottom = std::min(std::ceil(scales_.y.max), static_cast<double>(map.rows));
    const double x0 = std::max(left, scales_.x.min), x1 = std::min(right, scales_.x.max);
    const double y0 = std::max(top, scales_.y.min), y1 = std::min(bottom, scales_.y.max);
    if (!(x1 > x0) || !(y1 > y0)) return;
    const double per_x = heatmap_.width() / (right - left), per_y = heatmap_.height() / (bottom - top);
    const QRectF source((x0 - left) * per_x, (y0 - top) * per_y, (x1 - x0) * per_x, (y1 - y0) * per_y);
    const QRectF target(QPointF(area_.left() + scales_.x.at(x0) * area_.width(),
                                area_.bottom() - scales_.y.at(y0) * area_.height()),
                        QPointF(area_.left() + scales_.x.at(x1) * area_.width(),
                                area_.bottom() - scales_.y.at(y1) * area_.height()));
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.setRenderHint(QPainter::LosslessImageRendering);
    painter.drawImage(target, heatmap_, source);
    painter.restore();
}

// A strip along the border for each stretch of highlighted rows or columns, and a frame around those that are
// not too thin for one.
void PlotItem::draw_highlighted_cells(QPainter& painter) const {
    const auto& map = *plot_->heatmap;
    const auto mark = [&](const QRectF& cells, const QRectF& strip, double thickness) {
        const double thinnest = canvas_.points(3);
        painter.setBrush(Qt::NoBrush);
        for (const auto& [colour, width] :
             {std::pair{canvas_.style.background, 2.0}, {canvas_.style.accent, 1.0}}) {
            painter.setPen(canvas_.line(colour, width));
            if (thickness >= thinnest) painter.drawRect(cells);
        }
        painter.fillRect(strip, canvas_.style.accent);
    };
    const auto each = [](std::int64_t count, const std::vector<std::int64_t>& ids,
                         const std::set<std::int64_t>& lit, const Scale& scale, const auto& show) {
        const auto is_lit = [&](std::int64_t at) {
            return at < count && lit.contains(ids.empty() ? at : ids[static_cast<std::size_t>(at)]);
        };
        for (std::int64_t at = 0; at < count && !lit.empty(); ++at) {
            if (!is_lit(at)) continue;
            const auto first = at;
            while (is_lit(at)) ++at;
            const double from = std::clamp(scale.at(static_cast<double>(first)), 0.0, 1.0),
                         to = std::clamp(scale.at(static_cast<double>(at)), 0.0, 1.0);
            if (from != to) show(from, to);
        }
    };
    const double strip = canvas_.points(3), least = canvas_.points(1);
    each(map.rows, map.row_ids, highlight_.rows, scales_.y, [&](double from, double to) {
        const QRectF cells(in_scene({0, from}, area_), in_scene({1, to}, area_));
        const double height = std::max(cells.height(), least);
        mark(cells, {area_.left(), cells.top(), strip, height}, cells.height());
    });
    each(map.columns, map.column_ids, highlight_.columns, scales_.x, [&](double from, double to) {
        const QRectF cells(in_scene({from, 1}, area_), in_scene({to, 0}, area_));
        const double width = std::max(cells.width(), least);
        mark(cells, {cells.left(), area_.bottom() - strip, width, strip}, cells.width());
    });
}

// Qt Charts turns labels around their middles.
void PlotItem::draw_slanted_names(QPainter& painter) const {
    const QFont font = canvas_.font();
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(canvas_.style.text);
    const double base = area_.bottom() + canvas_.points(4);
    for (const auto& tick : x_ticks_) {
        const double at = scales_.x.at(tick.at);
        if (tick.label.isEmpty() || at < -1e-9 || at > 1 + 1e-9) continue;
        painter.save();
        painter.translate(area_.left() + at * area_.width() + metrics.ascent() * 0.25,
                          base + metrics.ascent() * 0.75);
        painter.rotate(-slant_degrees);
        painter.drawText(QPointF(-metrics.horizontalAdvance(tick.label), 0), tick.label);
        painter.restore();
    }
}

// Of axes whose titles Qt Charts would cut at their length, or place wrongly: without labels, or with slanted
// names.
void PlotItem::draw_own_axis_titles(QPainter& painter) const {
    const QFont font = canvas_.font();
    const QFontMetricsF metrics(font);
    const double pad = canvas_.points(1), half_row = metrics.height() / 2;
    painter.setFont(font);
    painter.setPen(canvas_.style.text);
    // Around the middle of the plot area, but between `from` and `to`.
    const auto draw = [&](const QString& title, double middle, double from, double to, QPointF across,
                          double turned) {
        const QString text = metrics.elidedText(title, Qt::ElideRight, to - from);
        const double half = metrics.horizontalAdvance(text) / 2;
        const double along = std::clamp(middle, from + half, std::max(from + half, to - half));
        painter.save();
        painter.translate(turned != 0 ? QPointF(across.x(), along) : QPointF(along, across.y()));
        painter.rotate(turned);
        painter.drawText(QPointF(-half, (metrics.ascent() - metrics.descent()) / 2), text);
        painter.restore();
    };
    if (!x_title_.isEmpty() && x_axis_.title.isEmpty())
        draw(x_title_, area_.center().x(), cell_.left() + 2 * pad, cell_.right() - 2 * pad,
             {0, area_.bottom() + x_title_below_ + pad + half_row}, 0);
    const auto upright = [&](const ChartAxis& shown, const QString& title, double edge, double away) {
        if (title.isEmpty() || !shown.title.isEmpty()) return;
        const double room = PlotChart::width_of_y(canvas_, widest(shown.ticks), true) - half_row - 2;
        draw(shaped(title, font), area_.center().y(), area_.top() - 4 * pad, cell_.bottom() - pad,
             {edge + away * room, 0}, -90);
    };
    upright(y_axis_, plot_->y.title, area_.left(), -1);
    if (y2_axis_) upright(*y2_axis_, plot_->y2->title, area_.right(), 1);
}

void PlotItem::draw_titles(QPainter& painter) const {
    const double pad = canvas_.points(8);
    double y = cell_.top() + canvas_.points(3);
    const QFontMetricsF titles(canvas_.font(1, true)), metrics(title_font_);
    double legend_top = y;
    if (!title_lines_.isEmpty()) {
        painter.setPen(canvas_.style.text);
        painter.setFont(title_font_);
        for (const QString& line : title_lines_) {
            painter.drawText(QPointF(cell_.left() + pad, y + titles.ascent()), line);
            y += titles.height();
        }
        legend_top = legend_beside_title_
                         ? y - titles.height() + std::max(0.0, (titles.height() - legend_.height()) / 2)
                         : y + canvas_.points(1);
    }
    // Flush with the plot area if there is space beside the title.
    const double title_end =
        cell_.left() + pad +
        (title_lines_.isEmpty() ? 0 : metrics.horizontalAdvance(title_) + canvas_.points(12));
    const double left =
        legend_beside_title_ ? std::max(title_end, area_.right() - legend_.width()) : cell_.left() + pad;
    legend_.draw(painter, canvas_, QPointF(left, legend_top));
}

std::size_t PlotItem::marks_in(const QRectF& place) const {
    std::size_t count = 0;
    for (const auto& points : points_)
        for (const QPointF& point : points.places) count += place.adjusted(-3, -3, 3, 3).contains(point);
    for (const auto& series : plot_->series) {
        if (series.kind != figures::MarkKind::line && series.kind != figures::MarkKind::steps) continue;
        const auto n = std::min(series.x.size(), series.y.size());
        for (std::size_t i = 0; i < n; i += std::max<std::size_t>(1, n / 500))
            count += place.contains(
                in_scene({scales_.x.at(series.x[i]), scales_.of(series).at(series.y[i])}, area_));
    }
    return count;
}

void PlotItem::draw_labels_inside(QPainter& painter) const {
    const QFont font = canvas_.font(-0.5);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    std::vector<QRectF> taken;
    const auto free = [&taken](const QRectF& place) {
        return std::none_of(taken.begin(), taken.end(),
                            [&place](const QRectF& other) { return other.intersects(place); });
    };
    const double gap = canvas_.points(3);
    const auto write = [&](const QRectF& place, const QString& text, const QColor& colour) {
        QColor backing = canvas_.style.background;
        backing.setAlphaF(0.72F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(backing);
        painter.drawRoundedRect(place.adjusted(-1, 0, 1, 0), 2, 2);
        painter.setPen(figures::readable_on(colour, canvas_.style.background));
        painter.drawText(QPointF(place.left(), place.top() + metrics.ascent()), text);
        taken.push_back(place);
    };
    for (const auto& band : plot_->bands) {
        const double from = std::clamp(scales_.x.at(band.from), 0.0, 1.0),
                     to = std::clamp(scales_.x.at(band.to), 0.0, 1.0);
        const auto label = shaped(band.label, font);
        const double width = metrics.horizontalAdvance(label);
        if (label.isEmpty() || (to - from) * area_.width() < width + 2 * gap) continue;
        const QRectF place(area_.left() + (from + to) / 2 * area_.width() - width / 2, area_.top() + gap,
                           width, metrics.height());
        if (free(place)) write(place, label, canvas_.style.muted);
    }
    for (const auto& rule : plot_->rules) {
        const double at = rule.vertical ? scales_.x.at(rule.at) : scales_.y.at(rule.at);
        if (!(at >= -1e-9 && at <= 1 + 1e-9)) continue;
        const QColor colour = rule.colour.isValid()
                                  ? figures::readable_on(rule.colour, canvas_.style.background)
                                  : canvas_.style.muted;
        QPen pen = canvas_.line(colour, 1);
        if (rule.dashed) pen.setDashPattern({4, 3});
        painter.setPen(pen);
        const auto label = shaped(rule.label, font);
        const double width = metrics.horizontalAdvance(label);
        if (rule.vertical) {
            const double x = snapped(area_.left() + at * area_.width());
            painter.drawLine(QPointF(x, area_.top()), QPointF(x, area_.bottom()));
            if (label.isEmpty()) continue;
            for (int attempt = 0; attempt < 10; ++attempt) {
                const bool before = (attempt >= 5) != (x + gap + width > area_.right());
                const QRectF place(before ? x - gap - width : x + gap,
                                   area_.top() + gap + (attempt % 5) * metrics.height(), width,
                                   metrics.height());
                if (!free(place) || place.left() < area_.left() - 1 || place.right() > cell_.right())
                    continue;
                write(place, label, colour);
                break;
            }
        } else {
            const double y = snapped(area_.bottom() - at * area_.height());
            painter.drawLine(QPointF(area_.left(), y), QPointF(area_.right(), y));
            if (label.isEmpty()) continue;
            // Where it hides the fewest marks, preferably at the right.
            QRectF best;
            std::size_t least = 0;
            for (const double left :
                 {area_.right() - gap - width, area_.left() + gap, area_.center().x() - width / 2})
                for (const double top : {y - metrics.height() - 1, y + 1}) {
                    const QRectF place(left, top, width, metrics.height());
                    if (!free(place) || top < area_.top() - metrics.height() ||
                        top + metrics.height() > area_.bottom())
                        continue;
                    const std::size_t hidden = marks_in(place);
                    if (best.isNull() || hidden < least) best = place, least = hidden;
                }
            if (!best.isNull()) write(best, label, colour);
        }
    }
}

}  // namespace casp::widgets
