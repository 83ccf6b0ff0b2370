#include "panels/view/icons.h"

#include <array>
#include <memory>
#include <string>

#include <QGuiApplication>
#include <QHash>
#include <QPixmap>
#include <QSvgRenderer>

#include "util/embedded.h"

#include "figures/style.h"

namespace casp::widgets {

namespace {

/// Files in resources/icons, in the order of Glyph.
constexpr std::array glyph_names{"queued",      "running", "finished",   "flag", "stop",    "pause",
                                 "cross",       "eye",     "eye_closed", "star", "warning", "info",
                                 "wastebasket", "columns", "up",         "down", "note",    "forward"};

}  // namespace

Glyph glyph_of(store::RunState state) {
    constexpr std::array glyphs{Glyph::queued, Glyph::running, Glyph::finished, Glyph::flag,
                                Glyph::stop,   Glyph::pause,   Glyph::cross};
    return glyphs.at(static_cast<std::size_t>(state));
}

QColor error_colour(const QPalette& palette) {
    return figures::is_dark(palette) ? QColor(255, 138, 128) : QColor(176, 32, 32);
}

QColor warning_colour(const QPalette& palette) {
    return figures::is_dark(palette) ? QColor(255, 193, 92) : QColor(148, 88, 0);
}

QColor success_colour(const QPalette& palette) {
    return figures::is_dark(palette) ? QColor(110, 206, 150) : QColor(22, 112, 66);
}

QColor muted_colour(const QPalette& palette) {
    const QColor text = palette.color(QPalette::Text), base = palette.color(QPalette::Base);
    const auto mix = [](int a, int b) { return (a * 64 + b * 36) / 100; };
    return {mix(text.red(), base.red()), mix(text.green(), base.green()), mix(text.blue(), base.blue())};
}

QColor state_colour(store::RunState state, const QPalette& palette) {
    switch (state) {
        case store::RunState::running:
            return palette.color(QPalette::Highlight);
        case store::RunState::finished:
        case store::RunState::finished_early:
            return success_colour(palette);
        case store::RunState::interrupted:
            return warning_colour(palette);
        case store::RunState::failed:
            return error_colour(palette);
        default:
            return muted_colour(palette);
    }
}

void draw_glyph(QPainter& painter, const QRectF& box, Glyph glyph, const QColor& colour) {
    static QHash<QString, std::shared_ptr<QSvgRenderer>> renderers;  // by name and colour; GUI thread only
    const char* name = glyph_names.at(static_cast<std::size_t>(glyph));
    auto& renderer = renderers[QLatin1String(name) + colour.name()];
    if (renderer == nullptr) {
        const auto svg = embedded_file(std::string("resources/icons/") + name + ".svg");
        QByteArray tinted(svg.data(), static_cast<qsizetype>(svg.size()));
        tinted.replace("currentColor", colour.name().toUtf8());
        renderer = std::make_shared<QSvgRenderer>(tinted);
    }
    const double side = std::min(box.width(), box.height());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setOpacity(painter.opacity() * colour.alphaF());
    renderer->render(&painter, {box.center().x() - side / 2, box.center().y() - side / 2, side, side});
    painter.restore();
}

void draw_progress(QPainter& painter, const QRect& box, double fraction, const QColor& colour) {
    QColor rest = colour;
    rest.setAlphaF(0.25F);
    painter.fillRect(box, rest);
    painter.fillRect(QRect(box.left(), box.top(), static_cast<int>(box.width() * fraction), box.height()),
                     colour);
}

void draw_swatch(QPainter& painter, const QRectF& box, const QColor& colour, bool filled) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double radius = std::min(box.width(), box.height()) / 2 - 1;
    // As used for curves: readable on the background in both themes.
    const auto seen = figures::readable_on(colour, QGuiApplication::palette().color(QPalette::Base));
    painter.setPen(QPen(seen, 1.8));
    painter.setBrush(filled ? QBrush(seen) : QBrush(Qt::NoBrush));
    painter.drawEllipse(box.center(), radius - 0.9, radius - 0.9);
    painter.restore();
}

QIcon swatch_icon(const QColor& colour, int size, double ratio) {
    QPixmap pixmap(QSize(size, size) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    draw_swatch(painter, QRectF(0, 0, size, size), colour, true);
    return QIcon(pixmap);
}

QIcon glyph_icon(Glyph glyph, const QColor& colour) {
    QIcon icon;
    for (const int side : {16, 24, 32, 48}) {
        QPixmap pixmap(side, side);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        draw_glyph(painter, QRectF(0, 0, side, side), glyph, colour);
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

}  // namespace casp::widgets
