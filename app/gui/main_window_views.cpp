// What acts on the panel or the view that has the keyboard: float, move, copy, export, enlarge.

#include <QApplication>
#include <QDockWidget>
#include <QPainter>
#include <QTimer>

#include "charts/view_frame.h"
#include "gui/main_window.h"

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

/// A line round the panel that has just been given the keyboard, since lists that are empty and texts show
/// nothing of it. Goes with the keyboard, or with the next press of a button of the mouse.
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

/// Behind another panel of its tab: for Qt it is visible all the same, only beside the window.
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

bool MainWindow::focusNextPrevChild(bool next) {
    QWidget* from = focusWidget() != nullptr ? focusWidget() : this;
    const auto step = [next](const QWidget* at) {
        return next ? at->nextInFocusChain() : at->previousInFocusChain();
    };
    for (auto* at = step(from); at != nullptr && at != from; at = step(at))
        if (takes_tab(at, from, this, next) && !is_behind(at)) {
            at->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
            return true;
        }
    return false;
}

void MainWindow::follow_focus(QWidget* now) {
    // Outside of panels (menus, the command palette, dialogs) nothing else becomes the current one.
    if (auto* dock = nearest<QDockWidget>(now); dock != nullptr && docks_.key(dock, {}) != QString())
        last_dock_ = dock;
    if (auto* frame = nearest<widgets::ViewFrame>(now)) last_frame_ = frame;
}

QDockWidget* MainWindow::current_dock() const {
    if (is_seen(last_dock_)) return last_dock_;
    for (const bool page : {true, false})
        for (const auto& name : dock_order_)
            if ((docks_[name]->parent() == centre_) == page && is_seen(docks_[name])) return docks_[name];
    return nullptr;
}

widgets::ViewFrame* MainWindow::current_frame() const {
    if (is_seen(last_frame_)) return last_frame_;
    for (const auto& name : dock_order_)
        for (auto* frame : docks_[name]->findChildren<widgets::ViewFrame*>())
            if (is_seen(frame)) return frame;
    return nullptr;
}

void MainWindow::give_keyboard(QDockWidget* dock) {
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

void MainWindow::float_or_dock(QDockWidget* dock) {
    auto* focus = dock->isAncestorOf(qApp->focusWidget()) ? qApp->focusWidget() : nullptr;
    dock->setFloating(!dock->isFloating());
    dock->show();
    dock->raise();
    (dock->isFloating() ? dock : static_cast<QWidget*>(this))->activateWindow();
    // Once the window that it is in now has become the active one.
    if (focus != nullptr) QTimer::singleShot(0, focus, [focus] { focus->setFocus(Qt::OtherFocusReason); });
}

void MainWindow::move_dock(QDockWidget* dock, Qt::DockWidgetArea area) {
    // Pages move within the centre, other panels around it.
    auto* host = qobject_cast<QMainWindow*>(dock->parentWidget());
    if (host == nullptr) return;
    auto* focus = dock->isAncestorOf(qApp->focusWidget()) ? qApp->focusWidget() : nullptr;
    dock->setFloating(false);
    host->addDockWidget(area, dock);
    dock->show();
    dock->raise();
    if (focus != nullptr) focus->setFocus(Qt::OtherFocusReason);
}

void MainWindow::make_panel_actions() {
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow_focus(now); });
    const auto menu = tr("&View");
    ActionSpec lift{"view.float",
                    menu,
                    tr("Fl&oat or dock this panel"),
                    tr("Makes the panel you are in a window of its own, or puts it back"),
                    QKeySequence(tr("Alt+Shift+Up")),
                    tr("undock detach window")};
    lift.separator_before = true;
    actions_->add(lift, [this] {
        if (auto* dock = current_dock()) float_or_dock(dock);
    });
    struct Side {
        const char* id;
        QString text, tip, keys;
        Qt::DockWidgetArea area;
    };
    const Side sides[] = {
        {"view.move-left", tr("Move this panel l&eft"), tr("Puts the panel you are in at the left side"),
         tr("Alt+Shift+Left"), Qt::LeftDockWidgetArea},
        {"view.move-right", tr("Move this panel r&ight"), tr("Puts the panel you are in at the right side"),
         tr("Alt+Shift+Right"), Qt::RightDockWidgetArea},
        {"view.move-down", tr("Move this panel to the &bottom"),
         tr("Puts the panel you are in at the bottom"), tr("Alt+Shift+Down"), Qt::BottomDockWidgetArea}};
    for (const auto& side : sides)
        actions_->add({side.id, menu, side.text, side.tip, QKeySequence(side.keys), tr("dock place arrange")},
                      [this, area = side.area] {
                          if (auto* dock = current_dock()) move_dock(dock, area);
                      });
}

void MainWindow::name_dock_toggles() {
    // Alt+1 … for the pages; the letter of "Go to" with Alt+Shift for the panels around them.
    int number = 1;
    for (const auto& name : std::as_const(dock_order_)) {
        auto* toggle = docks_[name]->toggleViewAction();
        toggle->setObjectName("view.toggle-" + name);
        const bool page = docks_[name]->parent() == centre_;
        const auto go = actions_->find("view." + name)->shortcut().toString(QKeySequence::PortableText);
        const QKeySequence keys(page ? QStringLiteral("Alt+%1").arg(number++)
                                     : QStringLiteral("Alt+Shift+") + go.section('+', -1));
        toggle->setShortcut(keys);
        toggle->setToolTip(tr("Shows or hides the panel %1 (%2)")
                               .arg(docks_[name]->windowTitle(), keys.toString(QKeySequence::NativeText)));
    }
}

void MainWindow::make_frame_actions() {
    const auto menu = tr("Fi&gures");
    const auto on_view = [this](void (widgets::ViewFrame::*act)()) {
        return [this, act] {
            auto* frame = current_frame();
            if (frame == nullptr)
                say(tr("No view can be seen: open Training or another page first."), true);
            else
                (frame->*act)();
        };
    };
    const auto words = tr("chart picture save clipboard");
    actions_->add(
        {"figures.export-view", menu, tr("Export this &view…"),
         tr("PNG, SVG, PDF and CSV of the view you are in"), QKeySequence(tr("Ctrl+Shift+X")), words},
        on_view(&widgets::ViewFrame::export_figure));
    actions_->add(
        {"figures.copy-picture", menu, tr("Copy &picture of this view"),
         tr("The view you are in, as a picture for the clipboard"), QKeySequence(tr("Ctrl+Alt+P")), words},
        on_view(&widgets::ViewFrame::copy_picture));
    actions_->add({"figures.copy-numbers", menu, tr("Copy &numbers of this view"),
                   tr("The numbers of the view you are in as CSV, unsmoothed and in full"),
                   QKeySequence(tr("Ctrl+Alt+N")), words},
                  on_view(&widgets::ViewFrame::copy_numbers));
    actions_->add({"figures.settings", menu, tr("&Settings of the shown runs"),
                   tr("The settings of the runs that the view you are in shows, beside their results"),
                   QKeySequence(tr("Ctrl+Alt+S")), tr("configuration difference toml")},
                  on_view(&widgets::ViewFrame::show_settings));
    actions_->add({"figures.enlarge", menu, tr("En&large this view"),
                   tr("Lets the view you are in fill the centre, or puts it back"),
                   QKeySequence(tr("Shift+F11")), tr("maximise full size")},
                  on_view(&widgets::ViewFrame::enlarge_or_put_back));
}

}  // namespace casp::gui
