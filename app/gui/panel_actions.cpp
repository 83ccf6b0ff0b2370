#include "gui/panel_actions.h"

#include <QAbstractButton>
#include <QDockWidget>

#include "gui/dock_focus.h"
#include "gui/docks.h"
#include "gui/notices.h"
#include "panels/view/view_page.h"

namespace casp::gui {

PanelActions::PanelActions(ActionList& actions, Docks& docks, const DockFocus& focus, QObject* parent)
    : QObject(parent), actions_(actions), docks_(docks), focus_(focus) {}

void PanelActions::add_navigation() {
    const auto menu = tr("&View");
    int number = 1;
    bool first = true;
    for (const auto& page : docks_.pages()) {
        const bool in_centre = page.area == PageArea::centre;
        const auto shortcut = in_centre ? QStringLiteral("Ctrl+%1").arg(number++) : page.shortcut;
        ActionSpec go{"view." + page.id,
                      menu,
                      tr("Go to %1").arg(page.title),
                      tr("Shows the panel %1 and moves the focus there").arg(page.title),
                      QKeySequence(shortcut),
                      tr("panel page dock") + ' ' + page.keywords};
        go.separator_before = first;
        first = false;
        actions_.add(go, [this, id = page.id] {
            docks_.show(id);
            DockFocus::focus(docks_.dock(id));
        });
    }
    const auto step = [this](int by) {
        if (const auto* dock = focus_.neighbour(by); dock != nullptr)
            for (const auto& page : docks_.pages())
                if (docks_.dock(page.id) == dock) actions_.find("view." + page.id)->trigger();
    };
    actions_.add({"view.next-panel", menu, tr("&Next panel"), tr("Moves the focus to the next visible panel"),
                  QKeySequence(QStringLiteral("F6")), tr("focus")},
                 [step] { step(1); });
    actions_.add({"view.previous-panel", menu, tr("&Previous panel"),
                  tr("Moves the focus to the previous visible panel"),
                  QKeySequence(QStringLiteral("Shift+F6")), tr("focus")},
                 [step] { step(-1); });
}

void PanelActions::add_arrangement() {
    const auto menu = tr("&View");
    ActionSpec lift{"view.float",
                    menu,
                    tr("Fl&oat or dock this panel"),
                    tr("Makes the current panel a separate window, or docks it again"),
                    QKeySequence(QStringLiteral("Alt+Shift+Up")),
                    tr("undock detach window")};
    lift.separator_before = true;
    actions_.add(lift, [this] {
        if (auto* dock = focus_.current_dock()) docks_.float_or_dock(dock);
    });
    struct Side {
        const char* id;
        QString text, tip, keys;
        Qt::DockWidgetArea area;
    };
    const Side sides[] = {
        {"view.move-left", tr("Move this panel l&eft"), tr("Moves the current panel to the left side"),
         QStringLiteral("Alt+Shift+Left"), Qt::LeftDockWidgetArea},
        {"view.move-right", tr("Move this panel r&ight"), tr("Moves the current panel to the right side"),
         QStringLiteral("Alt+Shift+Right"), Qt::RightDockWidgetArea},
        {"view.move-down", tr("Move this panel to the &bottom"), tr("Moves the current panel to the bottom"),
         QStringLiteral("Alt+Shift+Down"), Qt::BottomDockWidgetArea}};
    for (const auto& side : sides)
        actions_.add({side.id, menu, side.text, side.tip, QKeySequence(side.keys), tr("dock place arrange")},
                     [this, area = side.area] {
                         if (auto* dock = focus_.current_dock()) Docks::move(dock, area);
                     });
}

void PanelActions::name_toggles() {
    // Alt+1 … for the pages of the centre; for the others the letter of "Go to" with Alt+Shift.
    int number = 1;
    for (const auto& page : docks_.pages()) {
        auto* toggle = docks_.dock(page.id)->toggleViewAction();
        toggle->setObjectName("view.toggle-" + page.id);
        const QKeySequence keys(page.area == PageArea::centre
                                    ? QStringLiteral("Alt+%1").arg(number++)
                                    : QStringLiteral("Alt+Shift+") +
                                          QKeySequence(page.shortcut).toString().section('+', -1));
        toggle->setShortcut(keys);
        toggle->setToolTip(
            tr("Shows or hides the panel %1 (%2)").arg(page.title, keys.toString(QKeySequence::NativeText)));
    }
}

QList<QAction*> PanelActions::toggles() const {
    QList<QAction*> all;
    for (const auto* dock : docks_.all()) all << dock->toggleViewAction();
    return all;
}

void press(Docks& docks, Notices& notices, const QString& id, const QString& button,
           const QString& when_hidden) {
    docks.show(id);
    if (auto* page = docks.page<widgets::ViewPage>(id))
        (void)page->prepare();  // it may never have been shown
    auto* found = docks.dock(id)->findChild<QAbstractButton*>(button);
    if (found == nullptr || found->isHidden())
        notices.say(when_hidden, false);
    else if (!found->isEnabled())
        notices.say(found->toolTip(), false);
    else
        found->click();
}

}  // namespace casp::gui
