#pragma once
// Fusion with outlines that can be seen where the window is dark, and the frames of docks and tooltips.

#include <QColor>
#include <QProxyStyle>

namespace casp::gui {

/// Fusion outlines check boxes and fields in the window's colour made darker, whatever the palette says: in a
/// dark window that is nothing. Here they get an outline with a contrast of 3 or more to the window; in a
/// light window they are Fusion's. Docks are parted by a line and have a title with a ground of its own.
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
