#include "gui/dock_focus.h"

#include <QApplication>
#include <QPainter>

#include "gui/docks.h"

namespace casp::gui {

namespace {

/// The nearest widget of a type at or above another one.
template <typename T>
T* nearest(QWidget* from) {
    for (auto* at = from; at != nullptr; at = at->parentWidget())
        if (auto* found = qobject_cast<T*>(at)) return found;
    return nullptr;
}

bool is_seen(const QWidget* widget) {
    return widget != nullptr && widget->isVisible() && !widget->visibleRegion().isEmpty();
}

/// A frame around the panel that was focused by a shortcut, because empty lists and texts do not show their
/// focus. Removed when the panel loses the focus or a mouse button is pressed.
class FocusMark : public QWidget {
public:
    explicit FocusMark(QDockWidget* dock) : QWidget(dock) {
        for (auto* before :
             dock->findChildren<QWidget*>(QStringLiteral("focus-mark"), Qt::FindDirectChildrenOnly))
            before->deleteLater();
        setObjectName("focus-mark");
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        setGeometry(dock->rect());
        raise();
        connect(qApp, &QApplication::focusChanged, this, [this, dock](QWidget*, const QWidget* now) {
            if (now == nullptr || !dock->isAncestorOf(now)) deleteLater();
        });
        qApp->installEventFilter(this);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == parentWidget() && event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
        if (event->type() == QEvent::MouseButtonPress) deleteLater();
        return false;
    }
};

/// Hidden behind another tab: Qt counts it as visible, outside of the window.
bool is_behind(QWidget* widget) {
    const auto* dock = nearest<QDockWidget>(widget);
    return dock != nullptr && !dock->isFloating() && dock->visibleRegion().isEmpty();
}

/// Whether Tab may go from one widget to another: QApplication's rule. A widget whose proxy encloses it (or,
/// on the way back, is enclosed by it) is one control with it.
bool takes_tab(QWidget* widget, const QWidget* from, const QWidget* window, bool next) {
    auto* proxy = widget->focusProxy();
    while (proxy != nullptr && proxy->focusProxy() != nullptr) proxy = proxy->focusProxy();
    if (proxy != nullptr &&
        (proxy == from || (next ? proxy->isAncestorOf(widget) : widget->isAncestorOf(proxy))))
        return false;
    const auto policy = proxy != nullptr ? proxy->focusPolicy() : widget->focusPolicy();
    return (policy & Qt::TabFocus) == Qt::TabFocus && widget->isVisibleTo(window) && widget->isEnabled() &&
           widget->window() == window;
}

}  // namespace

DockFocus::DockFocus(const Docks& docks, QObject* parent) : QObject(parent), docks_(docks) {
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

void DockFocus::follow(QWidget* now) {
    // Menus, the command palette and dialogs do not change the current panel.
    if (auto* dock = nearest<QDockWidget>(now); dock != nullptr && docks_.all().contains(dock))
        last_dock_ = dock;
    if (auto* frame = nearest<widgets::ViewFrame>(now)) last_frame_ = frame;
}

QDockWidget* DockFocus::current_dock() const {
    if (is_seen(last_dock_)) return last_dock_;
    for (const bool in_centre : {true, false})
        for (auto* dock : docks_.all())
            if (docks_.is_in_centre(dock) == in_centre && is_seen(dock)) return dock;
    return nullptr;
}

widgets::ViewFrame* DockFocus::current_frame() const {
    if (is_seen(last_frame_)) return last_frame_;
    for (const auto* dock : docks_.all())
        for (auto* frame : dock->findChildren<widgets::ViewFrame*>())
            if (is_seen(frame)) return frame;
    return nullptr;
}

void DockFocus::focus(QDockWidget* dock) {
    const auto* content = dock->widget();
    const auto takes_it = [](const QWidget* widget) {
        return widget != nullptr && widget->isVisible() && widget->isEnabled() &&
               (widget->focusPolicy() & Qt::TabFocus) != 0;
    };
    auto* next = content->focusWidget();
    for (auto* at = content->nextInFocusChain(); !takes_it(next) && at != content;
         at = at->nextInFocusChain())
        if (content->isAncestorOf(at)) next = at;
    if (!takes_it(next)) return;
    next->setFocus(Qt::ShortcutFocusReason);
    (new FocusMark(dock))->show();
}

QDockWidget* DockFocus::neighbour(int by) const {
    QList<QDockWidget*> visible;
    for (auto* dock : docks_.all())
        if (is_seen(dock)) visible << dock;
    if (visible.isEmpty()) return nullptr;
    qsizetype at = -1;
    for (qsizetype i = 0; i < visible.size(); ++i)
        if (qApp->focusWidget() != nullptr && visible[i]->isAncestorOf(qApp->focusWidget())) at = i;
    return visible[at < 0 ? 0 : (at + by + visible.size()) % visible.size()];
}

bool DockFocus::focus_next(QWidget* window, bool next) {
    QWidget* from = window->focusWidget() != nullptr ? window->focusWidget() : window;
    const auto step = [next](const QWidget* at) {
        return next ? at->nextInFocusChain() : at->previousInFocusChain();
    };
    for (auto* at = step(from); at != nullptr && at != from; at = step(at))
        if (takes_tab(at, from, window, next) && !is_behind(at)) {
            at->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
            return true;
        }
    return false;
}

}  // namespace casp::gui
