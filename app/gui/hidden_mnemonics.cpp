#include "gui/hidden_mnemonics.h"

#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QMouseEvent>
#include <QShortcutEvent>

namespace casp::gui {

HiddenMnemonics::HiddenMnemonics(QMainWindow& window) : QObject(&window), window_(window) {
    qApp->installEventFilter(this);
}

bool HiddenMnemonics::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Shortcut) return false;
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (widget == nullptr || widget == window_.menuBar() || widget->window() != &window_ ||
        !widget->visibleRegion().isEmpty())
        return false;
    const auto key = static_cast<QShortcutEvent*>(event)->key();
    for (auto* entry : window_.menuBar()->actions())
        if (QKeySequence::mnemonic(entry->text()) == key) open(*entry);
    return true;
}

/// As a click does: QMenuBar has no function for it, and a popup of its own would not move on with Left and
/// Right.
void HiddenMnemonics::open(QAction& entry) {
    auto& bar = *window_.menuBar();
    const auto at = bar.actionGeometry(&entry).center();
    for (const auto type : {QEvent::MouseButtonPress, QEvent::MouseButtonRelease}) {
        const bool pressed = type == QEvent::MouseButtonPress;
        QMouseEvent mouse(type, at, bar.mapToGlobal(at), Qt::LeftButton,
                          pressed ? Qt::LeftButton : Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&bar, &mouse);
    }
    if (auto* menu = entry.menu(); menu != nullptr && !menu->actions().isEmpty())
        menu->setActiveAction(menu->actions().front());
}

}  // namespace casp::gui
