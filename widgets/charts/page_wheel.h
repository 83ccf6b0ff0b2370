#pragma once
// Whether a wheel event scrolls the page or zooms the view on it.

#include <QAbstractScrollArea>
#include <QScrollBar>
#include <QWheelEvent>
#include <QWidget>

namespace casp::widgets {

/// Whether a wheel event over `widget` scrolls the surrounding area: there is something to scroll, and no
/// modifier is pressed (Ctrl zooms, Shift pans). The widget then ignores the event.
[[nodiscard]] inline bool wheel_scrolls_page(const QWidget& widget, const QWheelEvent& event) {
    if (event.modifiers() & (Qt::ControlModifier | Qt::ShiftModifier | Qt::AltModifier)) return false;
    for (const QWidget* around = widget.parentWidget(); around != nullptr; around = around->parentWidget()) {
        const auto* page = qobject_cast<const QAbstractScrollArea*>(around);
        if (page && page->verticalScrollBar()->maximum() > page->verticalScrollBar()->minimum()) return true;
        if (around->isWindow()) break;
    }
    return false;
}

}  // namespace casp::widgets
