#pragma once
// What the tests of widgets/panels share.

#include <QPushButton>
#include <QWidget>

#include "test_program.h"

/// Milliseconds to wait for what takes a moment: many runs on a machine that does other things.
inline constexpr int patience = 60000;

/// The control of a class whose accessible name is so, for screen readers; null: there is none.
template <class Control>
Control* control(const QWidget& widget, const QString& name) {
    for (auto* found : widget.findChildren<Control*>())
        if (found->accessibleName() == name) return found;
    return nullptr;
}

inline QPushButton* button(QWidget& widget, const QString& text) {
    for (auto* found : widget.findChildren<QPushButton*>())
        if (found->text().remove(QLatin1Char('&')) == text) return found;
    return nullptr;
}
