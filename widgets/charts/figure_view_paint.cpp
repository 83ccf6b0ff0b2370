// Painting of a FigureView: the cached picture with crosshair, tooltip and frames, and the empty view.
#include <QPainter>
#include <QPainterPath>
#include <QPaintEvent>

#include <algorithm>
#include <cmath>

#include "charts/figure_view.h"
#include "figures/ticks.h"

namespace casp::widgets {
namespace {

QString value_text(const figures::Axis& axis, double value, bool clock = false) {
    if (axis.time) return figures::time_text(value, clock);
    const auto index = std::llround(value);
    if (!axis.categories.isEmpty() && index >= 0 && index < axis.categories.size())
        return axis.categories.at(static_cast<int>(index));
    return figures::number_text(value, axis.integers ? 15 : 5);
}

// Index of the x nearest to `x`; x ascending.
std::size_t nearest_index(const std::vector<double>& values, double x) {
    const auto at = std::lower_bound(values.begin(), values.end(), x);
    auto index = static_cast<std::size_t>(at - values.begin());
    if (index == values.size()) return index - 1;
    if (index > 0 && std::abs(values[index - 1] - x) <= std::abs(values[index] - x)) --index;
    return index;
}

double unsmoothed(const figures::Series& series, std::size_t index) {
    return index < series.raw.size() ? series.raw[index] : series.y[index];
}

QString with_interval(const figures::Series& series, std::size_t index, const QString& text) {
    if (index >= series.low.size() || index >= series.high.size() || !std::isfinite(series.low[index]))
        return text;
    return text + QStringLiteral(" [%1, %2]")
                      .arg(figures::number_text(series.low[index]), figures::number_text(series.high[index]));
}

}  // namespace

void FigureView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    if (figure_.plots.empty()) {
        paint_empty(painter);
        since_paint_.start();
        return;
    }
    const double ratio = devicePixelRatioF();
    const QSize wanted = (QSizeF(size()) * ratio).toSize();
    if (picture_stale_ || picture_.size() != wanted) {
        relayout();
        picture_ = QPixmap(wanted);
        picture_.setDevicePixelRatio(ratio);
        QPainter inner(&picture_);
        painter_->paint(inner, QRectF(rect()));
        picture_stale_ = false;
        throttle_.stop();  // the pending update is painted now
    }
    painter.drawPixmap(0, 0, picture_);
    paint_overlay(painter);
    if (busy_) {
        QColor veil = palette().color(QPalette::Base);
        veil.setAlphaF(0.55F);
        painter.fillRect(rect(), veil);
    }
    if (hasFocus() && painter_->plots() > 0) {
        // Mark the plot on which the keys act.
        const QRectF frame = painter_->plots() > 1
                                 ? painter_->cell(std::min(key_plot_, painter_->plots() - 1))
                                 : QRectF(rect());
        QColor colour = palette().color(QPalette::Highlight);
        colour.setAlphaF(0.8F);
        painter.setPen(QPen(colour, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(frame.adjusted(0.5, 0.5, -1.5, -1.5));
    }
    since_paint_.start();
}

void FigureView::paint_empty(QPainter& painter) {
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (figure_.empty_text.isEmpty()) return;
    const figures::Style style = figures::style_of(palette());
    painter.setRenderHint(QPainter::Antialiasing);
    const int width = std::min(this->width() - 32, 460);
    const QRect text = painter.fontMetrics().boundingRect(
        QRect(0, 0, width, 10000), Qt::AlignCenter | Qt::TextWordWrap, figure_.empty_text);
    const double icon = height() - text.height() > 90 ? 44 : 0;
    const double top = (height() - text.height() - (icon > 0 ? icon + 14 : 0)) / 2.0;
    if (icon > 0) {
        // Two axes and a curve as a placeholder.
        const QRectF box(this->width() / 2.0 - icon * 0.7, top, icon * 1.4, icon);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(style.axis, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(QPolygonF({box.topLeft(), box.bottomLeft(), box.bottomRight()}));
        QPainterPath curve(box.topLeft() + QPointF(7, 4));
        curve.cubicTo(box.topLeft() + QPointF(12, icon * 0.95),
                      box.topLeft() + QPointF(icon * 0.6, icon * 0.75), box.bottomRight() - QPointF(2, 8));
        painter.setPen(QPen(style.accent, 2, Qt::SolidLine, Qt::RoundCap));
        painter.drawPath(curve);
    }
    painter.setPen(style.muted);
    painter.drawText(
        QRectF((this->width() - width) / 2.0, top + (icon > 0 ? icon + 14 : 0), width, text.height() + 4),
        Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, figure_.empty_text);
}

QString FigureView::text_at(QPointF position) const {
    relayout();
    const int number = painter_->plot_at(position);
    if (number < 0 || !painter_->area(number).adjusted(-2, -2, 2, 2).contains(position)) return {};
    const auto& plot = figure_.plots[static_cast<std::size_t>(number)];
    const Hit hit = painter_->nearest(position, 14, false);
    if (plot.heatmap) {
        if (hit.row < 0 || hit.column < 0) return {};
        const auto& map = *plot.heatmap;
        const auto name = [](const QStringList& names, const std::vector<std::int64_t>& ids,
                             std::int64_t index) {
            if (index < names.size()) return names.at(static_cast<int>(index));
            return QString::number(
                static_cast<std::size_t>(index) < ids.size() ? ids[static_cast<std::size_t>(index)] : index);
        };
        const QString row_title = plot.y.title.isEmpty() ? tr("row") : plot.y.title;
        const QString column_title = plot.x.title.isEmpty() ? tr("column") : plot.x.title;
        const double value = map.values[static_cast<std::size_t>(hit.row * map.columns + hit.column)];
        return QStringLiteral("%1  %2\n%3  %4\n%5  %6")
            .arg(row_title, name(map.row_names, map.row_ids, hit.row), column_title,
                 name(map.column_names, map.column_ids, hit.column),
                 map.value_title.isEmpty() ? tr("value") : map.value_title, figures::number_text(value));
    }
    if (hit.plot >= 0) {
        const auto& series = plot.series[static_cast<std::size_t>(hit.series)];
        QStringList lines;
        if (!series.name.isEmpty()) lines << series.name;
        if (static_cast<qsizetype>(hit.index) < series.point_names.size())
            lines << series.point_names[static_cast<qsizetype>(hit.index)];
        else if (hit.index < series.ids.size() && series.kind == figures::MarkKind::points)
            lines << tr("number  %1").arg(series.ids[hit.index]);
        lines << (plot.x.title.isEmpty() ? QStringLiteral("x") : plot.x.title) + QStringLiteral("  ") +
                     value_text(plot.x, series.x[hit.index], plot.x.time && figures::has_clock(series.x));
        const auto& axis = series.secondary && plot.y2 ? *plot.y2 : plot.y;
        lines << with_interval(series, hit.index,
                               (axis.title.isEmpty() ? QStringLiteral("y") : axis.title) +
                                   QStringLiteral("  ") + value_text(axis, unsmoothed(series, hit.index)));
        return lines.join(QLatin1Char('\n'));
    }
    return line_text(number, painter_->values_at(number, position).x());
}

QString FigureView::line_text(int number, double x) const {
    const auto& plot = figure_.plots[static_cast<std::size_t>(number)];
    const QRectF area = painter_->area(number);
    std::optional<double> shown;
    bool clock = false;
    for (const auto& series : plot.series) {
        if (series.x.empty() || series.name.isEmpty() || !std::is_sorted(series.x.begin(), series.x.end()))
            continue;
        const double at = series.x[nearest_index(series.x, x)];
        if (!shown || std::abs(at - x) < std::abs(*shown - x)) shown = at;
        clock = clock || (plot.x.time && figures::has_clock(series.x));
    }
    if (!shown) return {};
    QStringList lines{(plot.x.title.isEmpty() ? QStringLiteral("x") : plot.x.title) + QStringLiteral("  ") +
                      value_text(plot.x, *shown, clock)};
    int more = 0;
    for (const auto& series : plot.series) {
        if (series.x.empty() || series.y.size() != series.x.size() || series.name.isEmpty() ||
            !std::is_sorted(series.x.begin(), series.x.end()))
            continue;
        const std::size_t index = nearest_index(series.x, *shown);
        // Skip series that end elsewhere.
        const double distance =
            std::abs(painter_->scales(number).x.at(series.x[index]) - painter_->scales(number).x.at(*shown)) *
            area.width();
        if (!(distance < 12)) continue;
        if (lines.size() > 14) {
            ++more;
            continue;
        }
        QString text = series.name + QStringLiteral("  ") +
                       value_text(series.secondary && plot.y2 ? *plot.y2 : plot.y, unsmoothed(series, index));
        if (series.kind == figures::MarkKind::area && index < series.low.size())
            text = QStringLiteral("%1  %2 … %3")
                       .arg(series.name, figures::number_text(series.low[index]),
                            figures::number_text(series.y[index]));
        lines << with_interval(series, index, text);
    }
    if (more > 0) lines << tr("and %1 more").arg(more);
    return lines.size() > 1 ? lines.join(QLatin1Char('\n')) : QString();
}

int FigureView::hovered_plot() const {
    const int plot = mouse_inside_ ? painter_->plot_at(mouse_) : -1;
    return plot >= 0 && painter_->area(plot).contains(mouse_) ? plot : -1;
}

QStringList FigureView::pointed_texts() const {
    relayout();
    QStringList texts;
    const int hovered = hovered_plot();
    for (int plot = 0; plot < painter_->plots(); ++plot) {
        const auto& drawn = figure_.plots[static_cast<std::size_t>(plot)];
        const bool here =
            std::isfinite(pointed_x_) && plot != hovered && !drawn.heatmap && drawn.x.title == pointed_title_;
        const double place = here ? painter_->scales(plot).x.at(pointed_x_) : -1;
        texts << (place >= 0 && place <= 1 ? line_text(plot, pointed_x_) : QString());
    }
    return texts;
}

void FigureView::paint_pointed(QPainter& painter) {
    const auto texts = pointed_texts();
    for (int plot = 0; plot < texts.size(); ++plot) {
        if (texts[plot].isEmpty()) continue;
        const QRectF area = painter_->area(plot);
        const double x =
            std::floor(area.left() + painter_->scales(plot).x.at(pointed_x_) * area.width()) + 0.5;
        QColor line = figures::style_of(palette()).muted;
        line.setAlphaF(0.4F);
        painter.setPen(QPen(line, 1));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        paint_tip(painter, QPointF(x, area.top()), texts[plot]);
    }
}

void FigureView::paint_overlay(QPainter& painter) {
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor accent = palette().color(QPalette::Highlight);
    if (drag_ == Drag::box || drag_ == Drag::select) {
        QColor fill = accent;
        fill.setAlphaF(0.14F);
        painter.setBrush(fill);
        painter.setPen(QPen(accent, 1));
        painter.drawRect(QRectF(press_, mouse_).normalized().intersected(painter_->area(drag_plot_)));
        return;
    }
    if (drag_ == Drag::pan || busy_) return;
    paint_pointed(painter);
    const int number = hovered_plot();
    if (number < 0) return;
    const QString text = text_at(mouse_);
    if (text.isEmpty()) return;
    const QRectF area = painter_->area(number);
    const Hit hit = painter_->nearest(mouse_, 14, false);
    const auto& plot = figure_.plots[static_cast<std::size_t>(number)];
    QColor line = figures::style_of(palette()).muted;
    line.setAlphaF(0.6F);
    painter.setPen(QPen(line, 1));
    painter.setBrush(Qt::NoBrush);
    if (hit.plot >= 0 && !plot.heatmap) {
        painter.setPen(QPen(palette().color(QPalette::Text), 1.4));
        if (plot.series[static_cast<std::size_t>(hit.series)].kind == figures::MarkKind::points)
            painter.drawEllipse(hit.position, 6, 6);
    } else if (!plot.heatmap) {
        const double x = std::floor(mouse_.x()) + 0.5;
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
    paint_tip(painter, mouse_, text);
}

void FigureView::paint_tip(QPainter& painter, QPointF position, const QString& text) {
    const QFontMetricsF metrics(font());
    const QRectF extent =
        metrics.boundingRect(QRectF(0, 0, std::max(width() - 40, 80), 1e5), Qt::TextWordWrap, text);
    QRectF box(0, 0, extent.width() + 14, extent.height() + 10);
    // Below and right of the pointer, or where there is space.
    QPointF at = position + QPointF(14, 14);
    if (at.x() + box.width() > width() - 2) at.setX(position.x() - 14 - box.width());
    if (at.y() + box.height() > height() - 2) at.setY(position.y() - 14 - box.height());
    at.setX(std::clamp(at.x(), 2.0, std::max(2.0, width() - 2 - box.width())));
    at.setY(std::clamp(at.y(), 2.0, std::max(2.0, height() - 2 - box.height())));
    box.moveTopLeft(at);
    QColor fill = palette().color(QPalette::ToolTipBase);
    fill.setAlphaF(0.96F);
    painter.setFont(font());
    painter.setBrush(fill);
    painter.setPen(QPen(figures::style_of(palette()).axis, 1));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.setPen(palette().color(QPalette::ToolTipText));
    painter.drawText(box.adjusted(7, 5, -6, -4), Qt::TextWordWrap, text);
}

}  // namespace casp::widgets
