#include "vtk/embedding_paint.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include "figures/ticks.h"

namespace casp::widgets {

namespace {

/// A marker of this radius. Squares and crosses are a little smaller, so that all shapes have about the same
/// area.
QPainterPath marker_path(figures::MarkerShape shape, const QPointF& c, double r) {
    QPainterPath path;
    const auto polygon = [&](std::initializer_list<QPointF> corners) {
        QPolygonF line;
        for (const QPointF& corner : corners) line << c + corner * r;
        path.addPolygon(line);
        path.closeSubpath();
    };
    switch (shape) {
        case figures::MarkerShape::square:
            polygon({{-0.87, -0.87}, {0.87, -0.87}, {0.87, 0.87}, {-0.87, 0.87}});
            break;
        case figures::MarkerShape::diamond:
            polygon({{0, -1.12}, {1.12, 0}, {0, 1.12}, {-1.12, 0}});
            break;
        case figures::MarkerShape::triangle:
            polygon({{0, -1}, {0.875, 0.75}, {-0.875, 0.75}});
            break;
        case figures::MarkerShape::cross: {
            QPainterPath a, b;
            a.addRect(-r, -0.32 * r, 2 * r, 0.64 * r);
            b.addRect(-0.32 * r, -r, 0.64 * r, 2 * r);
            path = QTransform().translate(c.x(), c.y()).rotate(45).map(a.united(b));
            break;
        }
        case figures::MarkerShape::circle:
            path.addEllipse(c, r, r);
            break;
    }
    return path;
}

/// Coverage of each pixel of a square by `path`, 0 … 255.
std::vector<std::uint8_t> coverage_of(const QPainterPath& path, int side) {
    QImage image(side, side, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(path, Qt::black);
    painter.end();
    std::vector<std::uint8_t> cover;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) cover.push_back(static_cast<std::uint8_t>(qAlpha(image.pixel(x, y))));
    return cover;
}

/// Coverage of one marker at one of 4 × 4 subpixel positions, with and without the rim.
struct Stamp {
    int side = 0;                      ///< pixels
    std::vector<std::uint8_t> cover;   ///< [side, side]
    std::vector<std::uint8_t> inside;  ///< [side, side]: without the rim
};

constexpr int phases = 4;
constexpr double rimmed_from = 8;  ///< diameter, device-independent pixels

std::vector<Stamp> stamps(figures::MarkerShape shape, double radius, double rim) {
    std::vector<Stamp> all(phases * phases);
    const int half = static_cast<int>(std::ceil(1.15 * radius)) + 1;
    for (int phase = 0; phase < phases * phases; ++phase) {
        const int column = phase % phases, row = phase / phases;
        const QPointF centre(half + (column + 0.5) / phases, half + (row + 0.5) / phases);
        Stamp& stamp = all[static_cast<std::size_t>(phase)];
        stamp.side = 2 * half + 1;
        stamp.cover = coverage_of(marker_path(shape, centre, radius), stamp.side);
        stamp.inside.assign(stamp.cover.size(), 255);
        if (rim > 0) stamp.inside = coverage_of(marker_path(shape, centre, radius - rim), stamp.side);
    }
    return all;
}

/// One channel after another: old + (new − old) · alpha / 255.
inline QRgb blend(QRgb old, QRgb colour, int alpha) {
    const auto channel = [alpha](int a, int b) {
        return a + ((b - a) * alpha + (b >= a ? 127 : -127)) / 255;
    };
    return qRgb(channel(qRed(old), qRed(colour)), channel(qGreen(old), qGreen(colour)),
                channel(qBlue(old), qBlue(colour)));
}

struct Placed {
    double x, y, depth;
    std::uint32_t point, group;
};

/// All points in drawing order: by group when flat; else far ones first, lit ones last.
std::vector<Placed> in_order(const EmbeddingScene& scene, const EmbeddingProjection& projection) {
    std::vector<Placed> order;
    order.reserve(scene.size());
    const auto& groups = scene.groups();
    const auto& at = scene.positions();
    for (std::uint32_t g = 0; g < groups.size(); ++g)
        for (const auto i : groups[g].points) {
            const auto place = projection(at[3 * i], at[3 * i + 1], at[3 * i + 2]);
            if (place.visible) order.push_back({place.x, place.y, place.depth, i, g});
        }
    if (!scene.flat())
        std::stable_sort(order.begin(), order.end(), [&](const Placed& a, const Placed& b) {
            const bool lit_a = groups[a.group].lit, lit_b = groups[b.group].lit;
            return lit_a != lit_b ? lit_b : a.depth < b.depth;
        });
    return order;
}

void paint_points(QImage& image, double ratio, const EmbeddingScene& scene,
                  const EmbeddingProjection& projection) {
    Q_ASSERT(image.format() == QImage::Format_RGB32 || image.format() == QImage::Format_ARGB32_Premultiplied);
    const auto& groups = scene.groups();
    std::map<std::pair<std::size_t, bool>, std::vector<Stamp>> stamps_of;  // by kind and whether it is lit
    std::vector<const std::vector<Stamp>*> of_group(groups.size());
    std::vector<int> alpha(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const double diameter = scene.diameter(groups[g]);
        auto& of = stamps_of[{groups[g].kind, groups[g].lit}];
        if (of.empty())
            of = stamps(scene.kind_look(groups[g].kind).marker, diameter / 2 * ratio,
                        diameter >= rimmed_from ? ratio : 0);
        of_group[g] = &of;
        alpha[g] = static_cast<int>(std::lround(scene.opacity(groups[g]) * 255));
    }
    const int width = image.width(), height = image.height();
    const qsizetype stride = image.bytesPerLine() / 4;
    auto* pixels = reinterpret_cast<QRgb*>(image.bits());
    const QRgb back = scene.style().background.rgb();
    for (const Placed& placed : in_order(scene, projection)) {
        const double px = placed.x * ratio, py = placed.y * ratio;
        if (!(px > -1000 && py > -1000 && px < width + 1000 && py < height + 1000)) continue;
        const int ix = static_cast<int>(std::floor(px)), iy = static_cast<int>(std::floor(py));
        const int phase =
            static_cast<int>((py - iy) * phases) * phases + static_cast<int>((px - ix) * phases);
        const Stamp& stamp = (*of_group[placed.group])[static_cast<std::size_t>(phase)];
        const QRgb colour = scene.colours()[placed.point];
        const int half = stamp.side / 2;
        const int x0 = std::max(0, ix - half), x1 = std::min(width - 1, ix + half);
        for (int y = std::max(0, iy - half); y <= std::min(height - 1, iy + half); ++y) {
            QRgb* row = pixels + y * stride;
            const std::size_t stamp_row = static_cast<std::size_t>((y - iy + half) * stamp.side - ix + half);
            for (int x = x0; x <= x1; ++x) {
                const auto at = stamp_row + static_cast<std::size_t>(x);
                const int cover = stamp.cover[at] * alpha[placed.group] / 255;
                if (cover == 0) continue;
                const int inside = stamp.inside[at];
                row[x] = blend(row[x], inside == 255 ? colour : blend(back, colour, inside), cover);
            }
        }
    }
}

void paint_grid(QPainter& painter, const EmbeddingScene& scene, const EmbeddingAxes& axes,
                const EmbeddingProjection& projection) {
    painter.setRenderHint(QPainter::Antialiasing, !scene.flat());
    for (const bool strong : {false, true})
        for (const auto& line : axes.lines) {
            if (line.strong != strong) continue;
            const auto from = projection(line.from), to = projection(line.to);
            if (!from.visible || !to.visible) continue;
            painter.setPen(QPen(strong ? scene.style().axis : scene.style().grid, 1));
            painter.drawLine(from.point(), to.point());
        }
}

/// 0: not in the legend.
double legend_width(const EmbeddingScene& scene, const QFontMetricsF& metrics, std::size_t kind) {
    if (scene.kind_look(kind).name.isEmpty()) return 0;
    return 14 + metrics.horizontalAdvance(scene.kind_look(kind).name) + 16;
}

/// Between the rows of a legend, pixels.
double legend_line(const QFontMetricsF& metrics) { return metrics.height() + 4; }

bool has_legend(const EmbeddingScene& scene) {
    if (scene.size() == 0) return false;
    if (scene.coloured_by_scalar()) return true;
    std::size_t named = 0;
    for (const auto& kind : scene.points().kinds) named += !kind.name.isEmpty();
    return named > 1;
}

/// Horizontal colour bar with title, minimum and maximum: from the left border of `where`, vertically
/// centred, in the painter's font; the title is shortened to fit.
void paint_colour_bar(QPainter& painter, const QRectF& where, const figures::Style& style,
                      const QString& title, const QString& colour_map, double low, double high) {
    const QFontMetricsF metrics(painter.font());
    constexpr double bar_width = 110, gap = 6, title_gap = 10;
    const QString from = figures::number_text(low, 3), to = figures::number_text(high, 3);
    const double without_title = metrics.horizontalAdvance(from + to) + bar_width + 2 * gap + title_gap + 1;
    const QString shown =
        metrics.elidedText(title, Qt::ElideRight, std::max(0.0, where.width() - without_title));
    const double base = where.center().y() + (metrics.ascent() - metrics.descent()) / 2;
    double x = where.left();
    painter.save();
    painter.setPen(style.text);
    painter.drawText(QPointF(x, base), shown);
    if (!shown.isEmpty()) x += metrics.horizontalAdvance(shown) + title_gap;
    painter.setPen(style.muted);
    painter.drawText(QPointF(x, base), from);
    x += metrics.horizontalAdvance(from) + gap;
    QImage bar(256, 1, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) bar.setPixel(i, 0, figures::map_colour(colour_map, i / 255.0));
    painter.drawImage(QRectF(x, where.center().y() - 4.5, bar_width, 9), bar);
    painter.drawText(QPointF(x + bar_width + gap, base), to);
    painter.restore();
}

}  // namespace

QFont embedding_font(const figures::Style& style, double larger_by) {
    QFont font;
    if (!style.font_family.isEmpty()) font.setFamily(style.font_family);
    font.setPixelSize(std::max(11, qRound((style.font_points + larger_by) * 96 / 72)));
    return font;
}

int max_legend_rows(const EmbeddingScene& scene, double height) {
    const QFontMetricsF metrics(embedding_font(scene.style()));
    return std::clamp(static_cast<int>(0.24 * height / legend_line(metrics)), 1, 8);
}

EmbeddingLegend embedding_legend(const EmbeddingScene& scene, double width, int max_rows) {
    const QFontMetricsF metrics(embedding_font(scene.style()));
    const double line = legend_line(metrics);
    std::vector<std::size_t> named;
    for (std::size_t k = 0; k < scene.points().kinds.size(); ++k)
        if (legend_width(scene, metrics, k) > 0) named.push_back(k);
    EmbeddingLegend legend;
    // The first `count` entries, and the number of omitted ones.
    const auto lay_out = [&](std::size_t count) {
        legend = {};
        legend.rows = 1;
        double x = 0;
        const auto place = [&](double w) {
            if (x > 0 && x + w > width) ++legend.rows, x = 0;
            const QPointF at(x, (legend.rows - 0.5) * line);
            x += w;
            return at;
        };
        for (std::size_t i = 0; i < count; ++i)
            legend.entries.push_back({named[i], place(legend_width(scene, metrics, named[i]))});
        const auto rest = named.size() - count;
        if (rest == 0) return;
        legend.more = (count == 0 ? QStringLiteral("%1 names") : QStringLiteral("and %1 more")).arg(rest);
        legend.more_at = place(metrics.horizontalAdvance(legend.more));
    };
    for (std::size_t count = named.size();; --count) {
        lay_out(count);
        if (count == 0 || legend.rows <= max_rows) return legend;
    }
}

QString legend_tip(const EmbeddingScene& scene, const EmbeddingLegend& legend) {
    QStringList lines;
    bool has_more_text = !legend.more.isEmpty();
    for (std::size_t k = 0; k < scene.points().kinds.size(); ++k) {
        const EmbeddingKind look = scene.kind_look(k);
        if (look.name.isEmpty()) continue;
        has_more_text = has_more_text || !look.about.isEmpty();
        const QChar sign = look.marker == figures::MarkerShape::triangle  ? QChar(0x25b2)
                           : look.marker == figures::MarkerShape::square  ? QChar(0x25a0)
                           : look.marker == figures::MarkerShape::diamond ? QChar(0x25c6)
                           : look.marker == figures::MarkerShape::cross   ? QChar(0x2715)
                                                                          : QChar(0x25cf);
        lines << QStringLiteral("<span style=\"color:%1\">%2</span>&nbsp;%3")
                     .arg(look.colour.name(), sign,
                          (look.about.isEmpty() ? look.name : look.about).toHtmlEscaped());
    }
    return has_more_text ? lines.join(QStringLiteral("<br>")) : QString();
}

EmbeddingViewLayout embedding_layout(const EmbeddingScene& scene, const QSizeF& size) {
    const QFontMetricsF metrics(embedding_font(scene.style()));
    const double line = metrics.height();
    EmbeddingViewLayout layout;
    double y = 6;
    if (!scene.points().title.isEmpty()) {
        layout.title = QRectF(10, y, std::max(1.0, size.width() - 20), line + 4);
        y = layout.title.bottom() + 2;
    }
    if (has_legend(scene)) {
        const double width = std::max(1.0, size.width() - 20);
        layout.legend_rows = max_legend_rows(scene, size.height());
        const int rows =
            scene.coloured_by_scalar() ? 1 : embedding_legend(scene, width, layout.legend_rows).rows;
        layout.legend = QRectF(10, y, width, rows * legend_line(metrics));
        y = layout.legend.bottom() + 4;
    }
    // In 3D the labels are within the plot.
    const double left = scene.flat() ? 58 + line : 1, bottom = scene.flat() ? 2 * line + 18 : 1;
    layout.plot = QRectF(left, y, std::max(1.0, size.width() - left - (scene.flat() ? 14 : 1)),
                         std::max(1.0, size.height() - y - bottom))
                      .toAlignedRect();
    return layout;
}

void paint_cloud(QImage& image, double ratio, const EmbeddingScene& scene, const EmbeddingAxes& axes,
                 const EmbeddingProjection& projection) {
    image.fill(scene.style().background.rgb());
    if (scene.size() == 0) return;
    {
        QPainter painter(&image);
        painter.scale(ratio, ratio);
        paint_grid(painter, scene, axes, projection);
    }
    paint_points(image, ratio, scene, projection);
}

static void draw_label(QPainter& painter, const QPointF& at, const QString& text, Qt::Alignment side,
                       bool upright) {
    const QFontMetricsF metrics(painter.font());
    const double w = metrics.horizontalAdvance(text), ascent = metrics.ascent(),
                 h = ascent + metrics.descent();
    const double x = side & Qt::AlignRight ? -w : side & Qt::AlignHCenter ? -w / 2 : 0;
    const double y = side & Qt::AlignBottom ? -h : side & Qt::AlignVCenter ? -h / 2 : 0;
    painter.save();
    painter.translate(at);
    if (upright) painter.rotate(-90);
    painter.drawText(QPointF(x, y + ascent), text);
    painter.restore();
}

void paint_decoration(QPainter& painter, const EmbeddingScene& scene, const EmbeddingAxes& axes,
                      const EmbeddingViewLayout& layout) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const figures::Style& style = scene.style();
    if (!layout.title.isEmpty()) {
        QFont bold = embedding_font(style, 1);
        bold.setWeight(QFont::DemiBold);
        painter.setFont(bold);
        painter.setPen(style.text);
        painter.drawText(
            layout.title, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(bold).elidedText(scene.points().title, Qt::ElideRight, layout.title.width()));
    }
    painter.setFont(embedding_font(style));
    const QFontMetricsF metrics(painter.font());
    if (!layout.legend.isEmpty() && scene.coloured_by_scalar()) {
        const auto [low, high] = scene.scalar_range();
        paint_colour_bar(painter, layout.legend, style, scene.points().scalar_title,
                         scene.points().colour_map, low, high);
    } else if (!layout.legend.isEmpty()) {
        const auto legend = embedding_legend(scene, layout.legend.width(), layout.legend_rows);
        const double base = (metrics.ascent() - metrics.descent()) / 2;
        for (const auto& entry : legend.entries) {
            const EmbeddingKind look = scene.kind_look(entry.kind);
            const QPointF at = layout.legend.topLeft() + entry.at;
            painter.setPen(Qt::NoPen);
            painter.setBrush(look.colour);
            painter.drawPath(
                marker_path(look.marker, at + QPointF(5, 0), std::clamp(look.size / 2, 3.5, 5.0)));
            painter.setPen(style.text);
            painter.drawText(at + QPointF(14, base), look.name);
        }
        painter.setPen(style.muted);
        painter.drawText(layout.legend.topLeft() + legend.more_at + QPointF(0, base), legend.more);
    }
    if (scene.size() == 0) {
        painter.setPen(style.muted);
        painter.drawText(layout.plot.adjusted(24, 12, -24, -12), Qt::AlignCenter | Qt::TextWordWrap,
                         scene.points().empty_text);
        painter.restore();
        return;
    }
    if (scene.flat()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(style.axis, 1));
        painter.drawLine(layout.plot.bottomLeft(), layout.plot.bottomRight());
        painter.drawLine(layout.plot.topLeft(), layout.plot.bottomLeft());
    }
    for (const auto& label : axes.labels) {
        painter.setPen(label.title ? style.text : style.muted);
        QString text = label.text;
        if (label.title && scene.flat())
            text = metrics.elidedText(text, Qt::ElideRight,
                                      label.upright ? layout.plot.height() : layout.plot.width());
        draw_label(painter, layout.plot.topLeft() + label.at, text, label.side, label.upright);
    }
    painter.restore();
}

QImage embedding_picture(const EmbeddingScene& scene, const EmbeddingCamera& camera,
                         const EmbeddingBounds& bounds, const QSize& size, double ratio) {
    QImage image(size * ratio, QImage::Format_RGB32);
    if (image.isNull()) throw std::invalid_argument("embedding: a picture needs a positive width and height");
    image.setDevicePixelRatio(ratio);
    image.setDotsPerMeterX(qRound(96 * ratio / 0.0254));
    image.setDotsPerMeterY(qRound(96 * ratio / 0.0254));
    image.fill(scene.style().background.rgb());
    const EmbeddingViewLayout layout = embedding_layout(scene, size);
    const QSizeF plot = layout.plot.size();
    const EmbeddingAxes axes = embedding_axes(scene, bounds, camera, plot);
    QImage cloud(QSize(qCeil(plot.width() * ratio), qCeil(plot.height() * ratio)), QImage::Format_RGB32);
    paint_cloud(cloud, ratio, scene, axes, EmbeddingProjection(camera, plot));
    QPainter painter(&image);
    painter.drawImage(layout.plot, cloud);
    paint_decoration(painter, scene, axes, layout);
    return image;
}

}  // namespace casp::widgets
