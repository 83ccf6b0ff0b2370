#include "charts/plot_text.h"

#include <QApplication>
#include <QFontInfo>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace casp::widgets {

QFont Canvas::font(double larger, bool bold) const {
    QFont font = QApplication::font();
    if (!style.font_family.isEmpty()) font.setFamily(style.font_family);
    // Pixels, not points: a file's painter has its own resolution, which must not be applied twice.
    font.setPixelSize(std::max(1, static_cast<int>(std::lround((style.font_points + larger) * unit))));
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    font.setItalic(false);
    if (!hinting) font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

QPen Canvas::line(const QColor& colour, double width_points) const {
    QPen pen(colour, points(width_points));
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}

QColor Canvas::colour_of(const figures::Series& series, std::size_t index) const {
    QColor colour = series.colour;
    if (!colour.isValid())
        colour = style.series.empty() ? style.accent : style.series[index % style.series.size()];
    colour = figures::readable_on(colour, style.background);
    colour.setAlphaF(colour.alphaF() * static_cast<float>(std::clamp(series.opacity, 0.0, 1.0)));
    return colour;
}

std::vector<LegendEntry> legend_of(const figures::Plot& plot, const Canvas& canvas) {
    std::vector<LegendEntry> entries;
    if (!plot.legend) return entries;
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        const auto& series = plot.series[i];
        if (series.name.isEmpty()) continue;
        LegendEntry entry{series.name,   canvas.colour_of(series, i),
                          series.kind,   series.marker,
                          series.dashed, series.hollow};
        const bool known = std::any_of(entries.begin(), entries.end(), [&entry](const LegendEntry& other) {
            return other.name == entry.name && other.colour == entry.colour;
        });
        if (!known) entries.push_back(std::move(entry));
    }
    return entries;
}

std::vector<LegendEntry> common_legend(const figures::Figure& figure, const Canvas& canvas) {
    if (figure.plots.size() < 2) return {};
    std::vector<std::vector<LegendEntry>> all;
    std::size_t longest = 0;
    for (const auto& plot : figure.plots) {
        all.push_back(legend_of(plot, canvas));
        if (all.back().size() > all[longest].size()) longest = all.size() - 1;
    }
    const auto& whole = all[longest];
    const auto within = [&whole](const LegendEntry& entry) {
        return std::find(whole.begin(), whole.end(), entry) != whole.end();
    };
    for (const auto& one : all)
        if (!std::all_of(one.begin(), one.end(), within)) return {};
    return whole;
}

int legend_rows_in(double height, const Canvas& canvas) {
    const double row = QFontMetricsF(canvas.font()).height() * 1.08;
    return std::clamp(static_cast<int>(0.45 * height / row), 1, 16);
}

QString shaped(QString text, const QFont& font) {
    const auto symbol = QStringLiteral("c\u0303");
    if (text.contains(symbol) && QFontInfo(font).family() == QLatin1String("DejaVu Sans"))
        text.replace(symbol, QStringLiteral("c\u200d\u0303"));
    return text;
}

namespace {

/// Longest start of a word that fits, at least one character; up to a separator if there is one near its end.
qsizetype fitting_start(const QString& word, const QFontMetricsF& metrics, double width) {
    qsizetype size = 1;
    while (size < word.size() && metrics.horizontalAdvance(word.left(size + 1)) <= width) ++size;
    for (qsizetype end = size; 2 * end > size; --end)
        if (QStringLiteral("_-/,;=").contains(word[end - 1])) return end;
    return size;
}

}  // namespace

QStringList wrapped(const QString& text, const QFontMetricsF& metrics, double width) {
    QStringList lines;
    if (metrics.horizontalAdvance(text) <= width) return {text};
    // Keep a name and its value together.
    QString kept = text;
    kept.replace(QStringLiteral(" = "), QStringLiteral("\u00a0=\u00a0"));
    for (const QString& word : kept.split(QLatin1Char(' '))) {
        const QString longer = lines.isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
        if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= width) {
            lines.back() = longer;
            continue;
        }
        QString rest = word;
        while (rest.size() > 1 && metrics.horizontalAdvance(rest) > width) {
            lines << rest.left(fitting_start(rest, metrics, width));
            rest.remove(0, lines.back().size());
        }
        lines << rest;
    }
    return lines;
}

void Legend::lay_out(const std::vector<LegendEntry>& entries, const Canvas& canvas, double width,
                     int max_rows) {
    placed_.clear();
    height_ = width_ = 0;
    rows_ = 0;
    if (entries.empty() || width <= 0) return;
    const QFontMetricsF metrics(canvas.font());
    swatch_ = canvas.points(11);
    row_ = metrics.height() * 1.08;
    const double gap = canvas.points(3.5), between = canvas.points(10);
    double x = 0;
    const auto place = [&](LegendEntry entry, const QStringList& lines, bool swatch) {
        double length = 0;
        for (const QString& line : lines) length = std::max(length, metrics.horizontalAdvance(line));
        if (swatch) length += swatch_ + gap;
        if (rows_ == 0 || (x > 0 && (lines.size() > 1 || x + length > width))) {
            ++rows_;
            x = 0;
        }
        placed_.push_back({std::move(entry), QPointF(x, (rows_ - 1) * row_), lines, swatch});
        width_ = std::max(width_, x + length);
        rows_ += static_cast<int>(lines.size()) - 1;
        // An entry of several rows has no neighbour.
        x = lines.size() > 1 ? width : x + length + between;
    };
    struct State {
        int rows;
        double x, width;
    };
    std::vector<State> before;  // each entry
    for (const LegendEntry& entry : entries) {
        before.push_back({rows_, x, width_});
        const auto name = shaped(entry.name, canvas.font());
        place(entry, wrapped(name, metrics, std::max(width - swatch_ - gap, canvas.points(20))), !entry.note);
        if (rows_ > max_rows) break;
    }
    // Drop entries from the end until their count fits as well.
    while (rows_ > max_rows && !placed_.empty()) {
        const std::size_t shown = before.size() - 1;
        placed_.resize(shown);
        rows_ = before.back().rows;
        x = before.back().x;
        width_ = before.back().width;
        before.pop_back();
        const std::size_t rest = entries.size() - shown;
        const QString text =
            shown == 0 ? QStringLiteral("%1 entries").arg(rest) : QStringLiteral("and %1 more").arg(rest);
        place({}, {metrics.elidedText(text, Qt::ElideRight, width)}, false);
    }
    height_ = rows_ * row_;
}

void Legend::draw(QPainter& painter, const Canvas& canvas, QPointF top_left) const {
    const QFont font = canvas.font();
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (const Placed& placed : placed_) {
        const QPointF at = top_left + placed.at;
        const double middle = at.y() + metrics.height() * 0.54;
        double text_left = at.x();
        if (placed.swatch) {
            const auto& entry = placed.entry;
            const QPointF centre(at.x() + swatch_ / 2, middle);
            QColor solid = entry.colour;  // one marker of a cloud would be too faint
            if (entry.kind == figures::MarkKind::points) solid.setAlphaF(std::max(solid.alphaF(), 0.7F));
            if (entry.kind == figures::MarkKind::points) {
                const bool outline = entry.hollow || entry.marker == figures::MarkerShape::cross;
                painter.setPen(outline ? canvas.line(solid, 1.4) : QPen(Qt::NoPen));
                painter.setBrush(outline ? QBrush() : QBrush(solid));
                painter.drawPath(marker_path(entry.marker, canvas.points(5.5)).translated(centre));
            } else if (entry.kind == figures::MarkKind::bars || entry.kind == figures::MarkKind::area) {
                painter.setPen(Qt::NoPen);
                painter.setBrush(solid);
                const double half = canvas.points(3.6);
                painter.drawRect(QRectF(centre.x() - half, centre.y() - half, 2 * half, 2 * half));
            } else {
                QPen pen(solid, canvas.points(1.8));
                pen.setCapStyle(Qt::FlatCap);
                if (entry.dashed) pen.setDashPattern({2.2, 1.4});
                painter.setPen(pen);
                painter.drawLine(QPointF(at.x(), middle), QPointF(at.x() + swatch_, middle));
            }
            text_left += swatch_ + canvas.points(3.5);
        }
        painter.setPen(placed.swatch                   ? canvas.style.text
                       : placed.entry.colour.isValid() ? placed.entry.colour
                                                       : canvas.style.muted);
        double base = at.y() + metrics.ascent();
        for (const QString& line : placed.lines) {
            painter.drawText(QPointF(text_left, base), line);
            base += row_;
        }
    }
}

QPainterPath marker_path(figures::MarkerShape shape, double size) {
    const double half = size / 2 * marker_extent(shape);
    QPainterPath path;
    switch (shape) {
        case figures::MarkerShape::circle:
            path.addEllipse(QPointF(0, 0), half, half);
            break;
        case figures::MarkerShape::square:
            path.addRect(-half, -half, size * marker_extent(shape), size * marker_extent(shape));
            break;
        case figures::MarkerShape::triangle:
            path.addPolygon(QPolygonF({{0, -half}, {half, half}, {-half, half}}));
            path.closeSubpath();
            break;
        case figures::MarkerShape::diamond:
            path.addPolygon(QPolygonF({{0, -half}, {half, 0}, {0, half}, {-half, 0}}));
            path.closeSubpath();
            break;
        case figures::MarkerShape::cross:
            path.moveTo(-half * 0.85, -half * 0.85);
            path.lineTo(half * 0.85, half * 0.85);
            path.moveTo(-half * 0.85, half * 0.85);
            path.lineTo(half * 0.85, -half * 0.85);
            break;
    }
    return path;
}

}  // namespace casp::widgets
