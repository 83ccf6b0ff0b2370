#include "gui/field_style.h"

#include <QPainter>
#include <QStyleOption>

namespace casp::gui {

namespace {

/// No outline in light themes, or if the focus frame is drawn instead.
QColor outline_of(const QStyleOption& option, bool shows_focus) {
    const auto window = option.palette.color(QPalette::Window);
    if (window.lightness() >= 128) return {};
    if (shows_focus && option.state.testFlag(QStyle::State_HasFocus)) return {};
    return option.state.testFlag(QStyle::State_Enabled) ? QColor(0x7d, 0x86, 0x92)
                                                        : option.palette.color(QPalette::Mid);
}

enum class Shape { square, field, circle };

void draw_outline(QPainter& painter, const QRect& rect, const QColor& colour, Shape shape) {
    if (!colour.isValid()) return;
    painter.save();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 1));
    const QRectF line = QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setRenderHint(QPainter::Antialiasing, shape != Shape::square);
    if (shape == Shape::square)
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
    else if (shape == Shape::field)
        painter.drawRoundedRect(line, 2, 2);
    else
        painter.drawEllipse(line);
    painter.restore();
}

}  // namespace

FieldStyle::FieldStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void FieldStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    const auto& palette = option->palette;
    if (element == PE_IndicatorDockWidgetResizeHandle) {
        const bool hovered = option->state.testFlag(State_MouseOver);
        painter->fillRect(option->rect, palette.color(hovered ? QPalette::Highlight : QPalette::Mid));
        return;
    }
    if (element == PE_PanelTipLabel) {
        painter->fillRect(option->rect, palette.color(QPalette::ToolTipBase));
        draw_outline(*painter, option->rect, palette.color(QPalette::Mid), Shape::square);
        return;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_IndicatorCheckBox)
        draw_outline(*painter, option->rect, outline_of(*option, false), Shape::square);
    else if (element == PE_IndicatorRadioButton)
        draw_outline(*painter, option->rect, outline_of(*option, false), Shape::circle);
    else if (element == PE_FrameLineEdit)
        draw_outline(*painter, option->rect, outline_of(*option, true), Shape::field);
}

void FieldStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                    QPainter* painter, const QWidget* widget) const {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control != CC_SpinBox) return;
    if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        spin != nullptr && spin->frame)
        draw_outline(*painter, option->rect.adjusted(0, 1, 0, -1), outline_of(*option, true), Shape::field);
}

void FieldStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
    if (element == CE_DockWidgetTitle)
        painter->fillRect(option->rect, option->palette.color(QPalette::Button));
    QProxyStyle::drawControl(element, option, painter, widget);
}

int FieldStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
        case PM_DockWidgetSeparatorExtent:
            return 1;
        case PM_DockWidgetTitleMargin:
        case PM_ToolTipLabelFrameWidth:
            return 4;
        default:
            return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

}  // namespace casp::gui
