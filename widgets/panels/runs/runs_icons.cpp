#include "panels/runs/runs_icons.h"

#include <numbers>

#include <QGuiApplication>
#include <QPainterPath>
#include <QPixmap>

#include "figures/style.h"

namespace casp::widgets {

Glyph glyph_of(store::RunState state) {
    switch (state) {
        case store::RunState::queued:
            return Glyph::queued;
        case store::RunState::running:
            return Glyph::running;
        case store::RunState::finished:
            return Glyph::finished;
        case store::RunState::finished_early:
            return Glyph::flag;
        case store::RunState::cancelled:
            return Glyph::stop;
        case store::RunState::interrupted:
            return Glyph::pause;
        case store::RunState::failed:
            break;
    }
    return Glyph::cross;
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
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double side = std::min(box.width(), box.height());
    painter.translate(box.center().x() - side / 2, box.center().y() - side / 2);
    painter.scale(side / 16, side / 16);  // coordinates below are in a 16 × 16 square
    painter.setPen(QPen(colour, 1.7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    const auto filled = [&](const QPainterPath& path) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawPath(path);
    };
    QPainterPath path;
    switch (glyph) {
        case Glyph::queued:
            painter.drawEllipse(QPointF(8, 8), 5.5, 5.5);
            painter.drawPolyline(QPolygonF{{8, 5}, {8, 8}, {10.2, 9.4}});
            break;
        case Glyph::running:
            path.addPolygon(QPolygonF{{4.5, 2.8}, {13.2, 8}, {4.5, 13.2}, {4.5, 2.8}});
            filled(path);
            break;
        case Glyph::finished:
            painter.drawPolyline(QPolygonF{{3, 8.6}, {6.6, 12}, {13.2, 4.4}});
            break;
        case Glyph::flag:
            painter.drawLine(QPointF(4, 2.6), QPointF(4, 13.8));
            path.addPolygon(QPolygonF{{4, 3}, {13, 5.6}, {4, 9}, {4, 3}});
            filled(path);
            break;
        case Glyph::stop:
            path.addRoundedRect(QRectF(3.8, 3.8, 8.4, 8.4), 1.2, 1.2);
            filled(path);
            break;
        case Glyph::pause:
            path.addRoundedRect(QRectF(4, 3, 2.8, 10), 0.8, 0.8);
            path.addRoundedRect(QRectF(9.2, 3, 2.8, 10), 0.8, 0.8);
            filled(path);
            break;
        case Glyph::cross:
            painter.drawLine(QPointF(4, 4), QPointF(12, 12));
            painter.drawLine(QPointF(12, 4), QPointF(4, 12));
            break;
        case Glyph::eye:
        case Glyph::eye_closed:
            painter.setPen(QPen(colour, 1.4, Qt::SolidLine, Qt::RoundCap));
            path.moveTo(1.6, 8);
            path.quadTo(8, 0.6, 14.4, 8);
            path.quadTo(8, 15.4, 1.6, 8);
            if (glyph == Glyph::eye) {
                painter.drawPath(path);
                QPainterPath pupil;
                pupil.addEllipse(QPointF(8, 8), 2.3, 2.3);
                filled(pupil);
            } else {
                painter.drawPath(path);
                painter.drawLine(QPointF(3, 13.4), QPointF(13, 2.6));
            }
            break;
        case Glyph::star:
            for (int i = 0; i < 10; ++i) {
                const double angle = std::numbers::pi * (i / 5.0 - 0.5), r = i % 2 == 0 ? 7 : 3;
                const QPointF p(8 + r * std::cos(angle), 8.6 + r * std::sin(angle));
                i == 0 ? path.moveTo(p) : path.lineTo(p);
            }
            path.closeSubpath();
            filled(path);
            break;
        case Glyph::warning:
            painter.drawPolygon(QPolygonF{{8, 2.2}, {14.4, 13.4}, {1.6, 13.4}});
            painter.drawLine(QPointF(8, 6.4), QPointF(8, 9.4));
            painter.drawPoint(QPointF(8, 11.6));
            break;
        case Glyph::info:
            painter.drawEllipse(QPointF(8, 8), 6, 6);
            painter.drawLine(QPointF(8, 7.6), QPointF(8, 11));
            painter.drawPoint(QPointF(8, 5));
            break;
        case Glyph::wastebasket:
            painter.setPen(QPen(colour, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter.drawPolyline(QPolygonF{{3.6, 4.8}, {4.4, 14}, {11.6, 14}, {12.4, 4.8}});
            painter.drawLine(QPointF(2.4, 4.4), QPointF(13.6, 4.4));
            painter.drawPolyline(QPolygonF{{6, 4}, {6.4, 2.2}, {9.6, 2.2}, {10, 4}});
            painter.drawLine(QPointF(6.8, 7), QPointF(7, 11.6));
            painter.drawLine(QPointF(9.2, 7), QPointF(9, 11.6));
            break;
        case Glyph::columns:
            painter.setPen(QPen(colour, 1.3));
            painter.drawRoundedRect(QRectF(2, 3, 12, 10), 1, 1);
            painter.drawLine(QPointF(6, 3), QPointF(6, 13));
            painter.drawLine(QPointF(10, 3), QPointF(10, 13));
            break;
        case Glyph::up:
        case Glyph::down:
            if (glyph == Glyph::down) {
                painter.translate(0, 16);
                painter.scale(1, -1);
            }
            painter.drawLine(QPointF(8, 13), QPointF(8, 3.6));
            painter.drawPolyline(QPolygonF{{4, 7.4}, {8, 3.4}, {12, 7.4}});
            break;
        case Glyph::retry:
            painter.drawArc(QRectF(3, 3, 10, 10), 40 * 16, 280 * 16);
            path.addPolygon(QPolygonF{{14.6, 3.2}, {13.8, 8.2}, {9.8, 5.4}, {14.6, 3.2}});
            filled(path);
            break;
        case Glyph::copy:
            painter.setPen(QPen(colour, 1.3));
            painter.drawRoundedRect(QRectF(5.4, 5.4, 8, 8.4), 1, 1);
            painter.drawPolyline(QPolygonF{{3.2, 10.4}, {2.6, 10.4}, {2.6, 2.4}, {10, 2.4}, {10, 3.2}});
            break;
    }
    painter.restore();
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
