#include "gui/docks.h"

#include <algorithm>
#include <utility>

#include <QAction>
#include <QApplication>
#include <QTabWidget>
#include <QTimer>

#include "panels/view/view_page.h"

namespace casp::gui {

namespace {

Qt::DockWidgetArea area_of(PageArea area) {
    switch (area) {
        case PageArea::left:
            return Qt::LeftDockWidgetArea;
        case PageArea::right:
            return Qt::RightDockWidgetArea;
        case PageArea::bottom:
            return Qt::BottomDockWidgetArea;
        case PageArea::centre:
            break;
    }
    return Qt::TopDockWidgetArea;
}

}  // namespace

Docks::Docks(QMainWindow& window, QMainWindow& centre, std::vector<PageSpec> pages,
             const PageContext& context)
    : QObject(&window), window_(window), centre_(centre), pages_(std::move(pages)) {
    QHash<int, QDockWidget*> last_in_area;
    for (const auto& spec : pages_) {
        auto& last = last_in_area[static_cast<int>(spec.area)];
        last = add(spec, spec.make(context), last);
    }
    for (const auto& spec : pages_)
        if (!spec.open) docks_[spec.id]->hide();
    window_.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window_.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    give_sides_their_width();
    docks_["start"]->raise();
    first_layout_ = window_.saveState();
    first_centre_layout_ = centre_.saveState();
}

Docks::~Docks() {
    // Pages that are being deleted may still ask for others.
    view_pages_.clear();
    docks_.clear();
    qDeleteAll(std::exchange(order_, {}));
}

QDockWidget* Docks::add(const PageSpec& spec, QWidget* content, QDockWidget* before) {
    const bool in_centre = spec.area == PageArea::centre;
    auto& host = in_centre ? centre_ : window_;
    auto* dock = new QDockWidget(spec.title, &host);
    dock->setObjectName("dock." + spec.id);
    dock->setAccessibleName(spec.title);
    dock->setProperty("help_topic", spec.id);
    dock->setWidget(content);
    dock->toggleViewAction()->setToolTip(tr("Shows or hides the panel %1").arg(spec.title));
    host.addDockWidget(area_of(spec.area), dock);
    if (before != nullptr && spec.tabbed) host.tabifyDockWidget(before, dock);
    docks_[spec.id] = dock;
    order_ << dock;
    if (auto* views = qobject_cast<widgets::ViewPage*>(content)) view_pages_.emplace_back(spec.id, views);
    return dock;
}

/// Small windows leave the centre more than half of the width.
void Docks::give_sides_their_width() {
    constexpr int roomy = 1480, left = 300, right = 380;
    const int wide = std::min(window_.width(), roomy);
    window_.resizeDocks({docks_["runs"], docks_["experiment"]}, {left * wide / roomy, right * wide / roomy},
                        Qt::Horizontal);
}

bool Docks::is_in_centre(const QDockWidget* dock) const { return dock->parent() == &centre_; }

bool Docks::is_open(const QString& id) const {
    const auto* found = dock(id);
    return found != nullptr && !found->isHidden();
}

void Docks::show(const QString& id) {
    auto* found = dock(id);
    if (found == nullptr) return;
    found->show();
    found->raise();
}

void Docks::reset_layout(const QDockWidget* preferred) {
    QDockWidget* front = nullptr;
    for (auto* dock : std::as_const(order_))
        if (is_in_centre(dock) && !dock->visibleRegion().isEmpty() && (front == nullptr || dock == preferred))
            front = dock;
    for (auto* dock : std::as_const(order_)) dock->setFloating(false);
    layout_before_.clear();
    Q_EMIT centre_filled(false);
    window_.restoreState(first_layout_);
    centre_.restoreState(first_centre_layout_);
    give_sides_their_width();
    if (front != nullptr) front->raise();
}

void Docks::fill_with_centre(bool on) {
    if (on && layout_before_.isEmpty()) {
        layout_before_ = window_.saveState();
        for (auto* dock : std::as_const(order_))
            if (!is_in_centre(dock) && !dock->isFloating()) dock->hide();
    } else if (!on && !layout_before_.isEmpty()) {
        window_.restoreState(layout_before_);
        layout_before_.clear();
    }
    const bool filled = !layout_before_.isEmpty();
    Q_EMIT centre_filled(filled);
}

void Docks::float_or_dock(QDockWidget* dock) {
    auto* focus = dock->isAncestorOf(qApp->focusWidget()) ? qApp->focusWidget() : nullptr;
    dock->setFloating(!dock->isFloating());
    dock->show();
    dock->raise();
    (dock->isFloating() ? dock : static_cast<QWidget*>(&window_))->activateWindow();
    // After the window that it is in now has become the active one.
    if (focus != nullptr) QTimer::singleShot(0, focus, [focus] { focus->setFocus(Qt::OtherFocusReason); });
}

void Docks::move(QDockWidget* dock, Qt::DockWidgetArea area) {
    auto* host = qobject_cast<QMainWindow*>(dock->parentWidget());
    if (host == nullptr) return;
    auto* focus = dock->isAncestorOf(qApp->focusWidget()) ? qApp->focusWidget() : nullptr;
    dock->setFloating(false);
    host->addDockWidget(area, dock);
    dock->show();
    dock->raise();
    if (focus != nullptr) focus->setFocus(Qt::OtherFocusReason);
}

QByteArray Docks::save_layout() const {
    return layout_before_.isEmpty() ? window_.saveState() : layout_before_;
}

QByteArray Docks::save_centre_layout() const { return centre_.saveState(); }

void Docks::restore_layout(const QByteArray& layout) { window_.restoreState(layout); }

void Docks::restore_centre_layout(const QByteArray& layout) { centre_.restoreState(layout); }

}  // namespace casp::gui
