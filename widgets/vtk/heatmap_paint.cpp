#include "vtk/heatmap_paint.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>

#include "figures/ticks.h"
#include "vtk/colour_bar.h"
#include "vtk/embedding_paint.h"

namespace casp::widgets {

namespace {

constexpr double strip = 5;  ///< of highlights, between cells and labels
constexpr double longest_label = 110;

QString name_or_id(const QStringList& names, const std::vector<std::int64_t>& ids, std::int64_t at) {
    if (!names.isEmpty()) return names[static_cast<qsizetype>(at)];
    return QString::number(ids.empty() ? at : ids[static_cast<std::size_t>(at)]);
}

QString row_label(const HeatmapPyramid& pyramid, std::int64_t row) {
    return name_or_id(pyramid.matrix().row_names, pyramid.matrix().row_ids, row);
}

QString column_label(const HeatmapPyramid& pyramid, std::int64_t column) {
    return name_or_id(pyramid.matrix().column_names, pyramid.matrix().column_ids, column);
}

/// Steps of 1, 2, 5 · 10ⁿ cells so that labels are `apart` pixels from each other at least.
std::int64_t label_step(double cell, double apart) {
    std::int64_t ten = 1;
    for (;; ten *= 10)
        for (const std::int64_t unit : {1, 2, 5})
            if (static_cast<double>(unit * ten) * cell >= apart) return unit * ten;
}

/// Ranges of adjacent positions below `count`, as pairs of first and one past last.
std::vector<std::pair<std::int64_t, std::int64_t>> stretches(const std::set<std::int64_t>& places,
                                                             std::int64_t count) {
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    for (const std::int64_t place : places) {
        if (place < 0 || place >= count) continue;
        if (!found.empty() && found.back().second == place)
            ++found.back().second;
        else
            found.emplace_back(place, place + 1);
    }
    return found;
}

class Decorator {
public:
    Decorator(QPainter& painter, const HeatmapPyramid& pyramid, const HeatmapLook& look,
              const HeatmapLayout& layout)
        : painter_(painter),
          pyramid_(pyramid),
          look_(look),
          area_(layout.cells),
          cell_w_(area_.width() / look.cells.width()),
          cell_h_(area_.height() / look.cells.height()),
          metrics_(painter.font()) {}

    double x_of(double column) const { return area_.left() + (column - look_.cells.left()) * cell_w_; }
    double y_of(double row) const { return area_.top() + (row - look_.cells.top()) * cell_h_; }

    void frame() {
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(look_.style.axis, 1));
        painter_.drawRect(area_.adjusted(-0.5, -0.5, 0.5, 0.5));
    }

    void labels() {
        const double above = (metrics_.ascent() - metrics_.descent()) / 2;
        painter_.setPen(look_.style.muted);
        const std::int64_t row_step = label_step(cell_h_, metrics_.height() + 2);
        for (std::int64_t row = first(look_.cells.top(), row_step);
             row < end(look_.cells.bottom(), pyramid_.matrix().rows); row += row_step) {
            const double y = y_of(static_cast<double>(row) + 0.5);
            if (y < area_.top() || y > area_.bottom()) continue;
            const QString text = metrics_.elidedText(row_label(pyramid_, row), Qt::ElideRight, longest_label);
            painter_.drawText(QPointF(area_.left() - strip - 5 - metrics_.horizontalAdvance(text), y + above),
                              text);
        }
        double widest = 0;
        const std::int64_t columns = end(look_.cells.right(), pyramid_.matrix().columns);
        for (const std::int64_t column : {first(look_.cells.left(), 1), columns - 1})
            widest = std::max(widest, metrics_.horizontalAdvance(
                                          column_label(pyramid_, std::max<std::int64_t>(0, column))));
        widest = std::min(widest, longest_label);
        const std::int64_t column_step = label_step(cell_w_, widest + 12);
        for (std::int64_t column = first(look_.cells.left(), column_step); column < columns;
             column += column_step) {
            const double x = x_of(static_cast<double>(column) + 0.5);
            if (x < area_.left() || x > area_.right()) continue;
            const QString text =
                metrics_.elidedText(column_label(pyramid_, column), Qt::ElideRight, longest_label);
            const double left = std::min(x - metrics_.horizontalAdvance(text) / 2,
                                         area_.right() + 12 - metrics_.horizontalAdvance(text));
            painter_.drawText(QPointF(left, area_.bottom() + strip + 3 + metrics_.ascent()), text);
        }
        painter_.setPen(look_.style.text);
        const QString below = metrics_.elidedText(look_.column_title, Qt::ElideRight, area_.width());
        painter_.drawText(QPointF(area_.center().x() - metrics_.horizontalAdvance(below) / 2,
                                  area_.bottom() + strip + 6 + metrics_.height() + metrics_.ascent()),
                          below);
        const QString beside = metrics_.elidedText(look_.row_title, Qt::ElideRight, area_.height());
        painter_.save();
        painter_.translate(8 + metrics_.ascent(),
                           area_.center().y() + metrics_.horizontalAdvance(beside) / 2);
        painter_.rotate(-90);
        painter_.drawText(QPointF(0, 0), beside);
        painter_.restore();
    }

    void highlights() {
        for (const auto& [from, to] : stretches(look_.lit_rows, pyramid_.matrix().rows)) {
            const double y0 = std::max(area_.top(), y_of(static_cast<double>(from)));
            const double y1 = std::min(area_.bottom(), y_of(static_cast<double>(to)));
            if (y1 <= area_.top() || y0 >= area_.bottom()) continue;
            mark(QRectF(area_.left() - strip - 1, y0, strip, std::max(1.5, y1 - y0)),
                 QRectF(area_.left(), y0, area_.width(), y1 - y0), y1 - y0);
        }
        for (const auto& [from, to] : stretches(look_.lit_columns, pyramid_.matrix().columns)) {
            const double x0 = std::max(area_.left(), x_of(static_cast<double>(from)));
            const double x1 = std::min(area_.right(), x_of(static_cast<double>(to)));
            if (x1 <= area_.left() || x0 >= area_.right()) continue;
            mark(QRectF(x0, area_.bottom() + 1, std::max(1.5, x1 - x0), strip),
                 QRectF(x0, area_.top(), x1 - x0, area_.height()), x1 - x0);
        }
    }

    void cross_hair() {
        if (look_.row < 0 || look_.column < 0) return;
        const double x = x_of(static_cast<double>(look_.column) + 0.5),
                     y = y_of(static_cast<double>(look_.row) + 0.5);
        painter_.save();
        painter_.setClipRect(area_);
        // Two tones: visible on every colour of a map.
        for (const auto& [colour, width] :
             {std::pair{look_.style.background, 3.0}, {look_.style.text, 1.0}}) {
            QColor tone = colour;
            tone.setAlphaF(width > 2 ? 0.55f : 0.9f);
            painter_.setPen(QPen(tone, width));
            painter_.drawLine(QPointF(x, area_.top()), QPointF(x, area_.bottom()));
            painter_.drawLine(QPointF(area_.left(), y), QPointF(area_.right(), y));
        }
        if (cell_w_ >= 5 && cell_h_ >= 5) {
            painter_.setBrush(Qt::NoBrush);
            painter_.setPen(QPen(look_.style.accent, 2));
            painter_.drawRect(QRectF(x_of(static_cast<double>(look_.column)),
                                     y_of(static_cast<double>(look_.row)), cell_w_, cell_h_));
        }
        painter_.restore();
    }

private:
    static std::int64_t first(double from, std::int64_t step) {
        return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(from)) / step * step);
    }
    static std::int64_t end(double to, std::int64_t count) {
        return std::min(count, static_cast<std::int64_t>(std::ceil(to)));
    }
    void mark(const QRectF& beside, const QRectF& across, double thickness) {
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(look_.style.accent);
        painter_.drawRect(beside);
        if (thickness < 4) return;  // a frame would hide the cells
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(look_.style.background, 2.5));
        painter_.drawRect(across);
        painter_.setPen(QPen(look_.style.accent, 1.2));
        painter_.drawRect(across);
    }

    QPainter& painter_;
    const HeatmapPyramid& pyramid_;
    const HeatmapLook& look_;
    QRectF area_;
    double cell_w_, cell_h_;
    QFontMetricsF metrics_;
};

/// "anchor 12" or the name of this row.
QString row_text(const HeatmapPyramid& pyramid, const HeatmapLook& look, std::int64_t row) {
    const QString label = row_label(pyramid, row);
    return pyramid.matrix().row_names.isEmpty() && !look.row_title.isEmpty()
               ? look.row_title + QLatin1Char(' ') + label
               : label;
}

QString column_text(const HeatmapPyramid& pyramid, const HeatmapLook& look, std::int64_t column) {
    const QString label = column_label(pyramid, column);
    return pyramid.matrix().column_names.isEmpty() && !look.column_title.isEmpty()
               ? look.column_title + QLatin1Char(' ') + label
               : label;
}

/// Text of the first line: the value under the crosshair, else the title.
QString head_text(const HeatmapPyramid& pyramid, const HeatmapLook& look) {
    if (look.row < 0 || look.column < 0) return look.title;
    const double value = static_cast<double>(pyramid.value(look.row, look.column));
    return QStringLiteral("%1 · %2 · %3")
        .arg(row_text(pyramid, look, look.row), column_text(pyramid, look, look.column),
             figures::number_text(value));
}

}  // namespace

HeatmapLayout heatmap_layout(const HeatmapPyramid& pyramid, const HeatmapLook& look, const QSizeF& size) {
    const QFontMetricsF metrics(embedding_font(look.style));
    const double line = metrics.height();
    HeatmapLayout layout;
    layout.title = QRectF(10, 6, std::max(1.0, size.width() - 20), line + 4);
    layout.bar = layout.title.translated(0, line + 6);
    // As wide as the longest name; for a long list, of a sample.
    double widest = metrics.horizontalAdvance(QStringLiteral("0"));
    if (!pyramid.empty()) {
        const std::int64_t step = std::max<std::int64_t>(1, pyramid.matrix().rows / 200);
        for (std::int64_t row = 0; row < pyramid.matrix().rows; row += step)
            widest = std::max(widest, metrics.horizontalAdvance(row_label(pyramid, row)));
        widest = std::max(widest, metrics.horizontalAdvance(row_label(pyramid, pyramid.matrix().rows - 1)));
    }
    const double left =
        8 + (look.row_title.isEmpty() ? 0 : line + 4) + std::min(widest, longest_label) + strip + 8;
    const double top = layout.bar.bottom() + 6;
    const double bottom = strip + 10 + line * (look.column_title.isEmpty() ? 1 : 2);
    layout.cells = QRectF(left, top, std::max(1.0, size.width() - left - 14),
                          std::max(1.0, size.height() - top - bottom))
                       .toAlignedRect();
    return layout;
}

void paint_heatmap_decoration(QPainter& painter, const HeatmapPyramid& pyramid, const HeatmapLook& look,
                              const HeatmapLayout& layout) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QFont bold = embedding_font(look.style, 1);
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(look.style.text);
    if (pyramid.empty()) {
        painter.drawText(layout.title, Qt::AlignLeft | Qt::AlignVCenter, look.title);
        painter.setFont(embedding_font(look.style));
        painter.setPen(look.style.muted);
        painter.drawText(layout.cells.adjusted(24, 12, -24, -12), Qt::AlignCenter | Qt::TextWordWrap,
                         look.empty_text);
        painter.restore();
        return;
    }
    painter.drawText(
        layout.title, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(bold).elidedText(head_text(pyramid, look), Qt::ElideRight, layout.title.width()));
    painter.setFont(embedding_font(look.style));
    const auto [low, high] = pyramid.range();
    paint_colour_bar(painter, layout.bar, look.style, pyramid.matrix().value_title,
                     pyramid.matrix().colour_map, low, high);
    if (!look.cells.isEmpty()) {
        Decorator decorator(painter, pyramid, look, layout);
        decorator.frame();
        decorator.labels();
        decorator.highlights();
        decorator.cross_hair();
    }
    painter.restore();
}

QImage render_heatmap_to_image(const HeatmapPyramid& pyramid, const HeatmapLook& look, const QSize& size,
                               double ratio) {
    QImage image(size * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(look.style.background.rgb());
    HeatmapLook shown = look;
    if (shown.cells.isEmpty())
        shown.cells = QRectF(0, 0, static_cast<double>(pyramid.matrix().columns),
                             static_cast<double>(pyramid.matrix().rows));
    const HeatmapLayout layout = heatmap_layout(pyramid, shown, size);
    QPainter painter(&image);
    if (!pyramid.empty())
        painter.drawImage(layout.cells, pyramid.picture(shown.cells, (layout.cells.size() * ratio).toSize()));
    paint_heatmap_decoration(painter, pyramid, shown, layout);
    return image;
}

}  // namespace casp::widgets
