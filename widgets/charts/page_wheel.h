#pragma once
// Whose turn of the wheel it is: the page's, which scrolls, or that of the picture on it, which zooms.

#include <QAbstractScrollArea>
#include <QScrollBar>
#include <QWheelEvent>
#include <QWidget>

namespace casp::widgets {

/// Whether a plain turn over `widget` scrolls what lies around it: there is something to scroll, and no key
/// is held (Ctrl zooms, Shift pans). The widget then ignores the event.
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
