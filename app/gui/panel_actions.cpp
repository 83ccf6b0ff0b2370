#include "gui/panel_actions.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QDockWidget>

#include "gui/dock_focus.h"
#include "gui/docks.h"
#include "gui/notices.h"
#include "panels/embeddings/embeddings_layout.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/view/view_page.h"

namespace casp::gui {

namespace {

/// Context of the translations of add_embedding_actions().
struct EmbeddingActions {
    Q_DECLARE_TR_FUNCTIONS(casp::gui::EmbeddingActions)
};

}  // namespace

PanelActions::PanelActions(ActionList& actions, Docks& docks, const DockFocus& focus, QObject* parent)
    : QObject(parent), actions_(actions), docks_(docks), focus_(focus) {}

void PanelActions::add_navigation() {
    const auto menu = tr("&View");
    int number = 1;
    actions_.separate();
    for (const auto& page : docks_.pages()) {
        const bool in_centre = page.area == PageArea::centre;
        const auto shortcut = in_centre ? QStringLiteral("Ctrl+%1").arg(number++) : page.shortcut;
        actions_.add({"view." + page.id, menu, tr("Go to %1").arg(page.title),
                      tr("Shows the panel %1 and moves the focus there").arg(page.title),
                      QKeySequence(shortcut), tr("panel page dock") + ' ' + page.keywords},
                     [this, id = page.id] {
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
                  "F6", tr("focus")},
                 [step] { step(1); });
    actions_.add({"view.previous-panel", menu, tr("&Previous panel"),
                  tr("Moves the focus to the previous visible panel"), "Shift+F6", tr("focus")},
                 [step] { step(-1); });
}

void PanelActions::add_arrangement() {
    const auto menu = tr("&View");
    actions_.separate();
    actions_.add({"view.float", menu, tr("Fl&oat or dock this panel"),
                  tr("Makes the current panel a separate window, or docks it again"), "Alt+Shift+Up",
                  tr("undock detach window")},
                 [this] {
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

void add_embedding_actions(ActionList& actions, Docks& docks, Notices& notices) {
    const auto menu = EmbeddingActions::tr("&Run") + '/' + EmbeddingActions::tr("&Embeddings");
    // `id`: also the button's name. `when_hidden`: why the button may be missing.
    const auto add = [&](const char* id, const QString& text, const QString& tip, const char* keys,
                         const QString& when_hidden) {
        actions.add(
            {id, menu, text, tip, keys, EmbeddingActions::tr("t-SNE vectors points layout")},
            [&docks, &notices, id, when_hidden] { press(docks, notices, "embeddings", id, when_hidden); });
    };
    add("embeddings.compute", EmbeddingActions::tr("&Compute embeddings"),
        EmbeddingActions::tr("Runs the windows through the best weights of the shown runs"), "Ctrl+M, C",
        EmbeddingActions::tr(
            "Embeddings are being computed, or the page shows the probe, which needs no computing."));
    add("embeddings.store", EmbeddingActions::tr("&Store embeddings in the run"),
        EmbeddingActions::tr("Stores the computed embeddings in the run's arrays.h5"), "Ctrl+M, S",
        EmbeddingActions::tr("All computed embeddings are stored already."));
    actions.add({"tsne.start", menu, EmbeddingActions::tr("Start a &t-SNE"),
                 EmbeddingActions::tr("Computes a new layout of the embeddings of the shown runs"),
                 "Ctrl+M, T", EmbeddingActions::tr("embeddings points layout")},
                [&docks, &notices] {
                    if (auto* page = docks.page<widgets::EmbeddingsPage>("embeddings"); page != nullptr)
                        page->layout_bar().set_method(widgets::LayoutMethod::tsne);
                    press(docks, notices, "embeddings", "tsne.start",
                          EmbeddingActions::tr("A t-SNE is running already."));
                });
    const auto none = EmbeddingActions::tr("No t-SNE is running.");
    add("tsne.pause", EmbeddingActions::tr("&Pause or continue the t-SNE"),
        EmbeddingActions::tr("Pauses the t-SNE, or resumes it"), "Ctrl+M, P", none);
    add("tsne.stop", EmbeddingActions::tr("Stop and &keep the t-SNE"),
        EmbeddingActions::tr("Stops the t-SNE and keeps the current layout"), "Ctrl+M, K", none);
    add("tsne.store", EmbeddingActions::tr("Store the &layout"),
        EmbeddingActions::tr("Stores the layout in the runs' arrays.h5"), "Ctrl+M, L",
        EmbeddingActions::tr("No t-SNE has finished yet: start one."));
}

}  // namespace casp::gui
