#pragma once
// Application style: Fusion with visible outlines in dark themes, and frames for docks and tooltips.

#include <QColor>
#include <QProxyStyle>

namespace casp::gui {

/// Fusion draws the outlines of check boxes and fields in a darker shade of the window colour, which is
/// invisible in dark themes. Here their contrast to the window is at least 3; light themes keep Fusion's
/// outlines. Docks are separated by a line and have a title bar with its own background.
class FieldStyle : public QProxyStyle {
public:
    FieldStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option,
                                  const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
};

}  // namespace casp::gui
