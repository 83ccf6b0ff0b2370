// Menus, shortcuts and the command palette, made from the list of actions.

#include <QMenu>
#include <QMenuBar>
#include <QPushButton>

#include "gui/cluster_jobs.h"
#include "gui/command_palette.h"
#include "gui/embedding_actions.h"
#include "gui/figure_actions.h"
#include "gui/help_panel.h"
#include "gui/hidden_mnemonics.h"
#include "gui/keyboard_page.h"
#include "gui/main_window.h"
#include "gui/menus.h"
#include "gui/panel_actions.h"
#include "gui/run_actions.h"
#include "gui/run_queue.h"
#include "panels/queue/queue_panel.h"
#include "panels/runs/runs_panel.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"

namespace casp::gui {

void MainWindow::make_actions() {
    add_file_actions({*actions_, *opener_, *exports_, *docks_, *notices_, *library_, *selection_}, *this);
    add_edit_actions(*actions_, *experiment_, *selection_, *docks_, *focus_);
    run_actions_ = new RunActions({*actions_, *docks_, *experiment_, *experiment_panel_, *lambda_, *library_,
                                   *selection_, *queue_, *launcher_},
                                  this);
    cluster_jobs_ =
        new ClusterJobs({*actions_, *experiment_, *library_, *runs_, *launcher_, *notices_}, this);
    new EmbeddingActions(*actions_, *docks_, *notices_, this);
    actions_->add(
        {"forecast.ahead", tr("&Run"), tr("Forecast &ahead"),
         tr("The highlighted run, if it is shown and finished, forecasts the rows after the last one of its "
            "data set, or of another file"),
         QKeySequence(QStringLiteral("Ctrl+M, F")), tr("future predict horizon continue file drop")},
        [this] { press(*docks_, *notices_, "forecasts", "forecast.ahead", {}); });
    panel_actions_ = new PanelActions(*actions_, *docks_, *focus_, this);
    make_view_actions();
    figure_actions_ = new FigureActions(*actions_, *docks_, *focus_, *notices_, *library_, *selection_, this);
    add_help_actions(*actions_, *docks_, *help_, this);
    panel_actions_->name_toggles();
    fill_menus();
    const auto toggles = panel_actions_->toggles();
    help_->set_keyboard_tables(keyboard_tables(
        *actions_, {{tr("Show or hide"), toggles},
                    {tr("Selected runs: while the list of runs has the focus"), runs_->run_actions()},
                    {tr("Queue: while it has the focus"), queue_panel_->queue_actions()}}));
    palette_ = new CommandPalette(*actions_, this);
    palette_->add_actions(runs_->run_actions(), tr("Selected runs"));
    for (auto* menu : {runs_->colour_menu(), runs_->sort_menu(), runs_->columns_menu()})
        palette_->add_actions(menu->actions(), menu->title());
    palette_->add_actions(queue_panel_->queue_actions(), tr("Queue"));
    palette_->add_actions(toggles, tr("Show or hide"));
    auto* search = new QPushButton(tr("Search actions (Ctrl+K)"), this);
    search->setFlat(true);
    search->setAccessibleName(tr("Search actions"));
    search->setToolTip(tr("Finds every action by a few letters"));
    connect(search, &QPushButton::clicked, palette_, &CommandPalette::open);
    menuBar()->setCornerWidget(search, Qt::TopRightCorner);
    new HiddenMnemonics(*this);
}

void MainWindow::make_view_actions() {
    const auto menu = tr("&View");
    actions_->add({"view.palette", menu, tr("&Search actions…"), tr("Finds every action by a few letters"),
                   QKeySequence(QStringLiteral("Ctrl+K")), tr("command palette")},
                  [this] { palette_->open(); });
    panel_actions_->add_navigation();
    ActionSpec reset{"view.reset",
                     menu,
                     tr("&Reset layout"),
                     tr("Restores the initial place of every panel"),
                     QKeySequence(QStringLiteral("Ctrl+0")),
                     tr("docks windows default")};
    reset.separator_before = true;
    actions_->add(reset, [this] { reset_layout(); });
    for (const auto& [theme, text] :
         {std::pair{Theme::system, tr("Theme as the s&ystem")}, std::pair{Theme::light, tr("&Light theme")},
          std::pair{Theme::dark, tr("&Dark theme")}}) {
        ActionSpec spec{"view.theme-" + theme_name(theme),
                        menu,
                        text,
                        tr("Colours of the window"),
                        QKeySequence(theme == Theme::system  ? QStringLiteral("Ctrl+Alt+0")
                                     : theme == Theme::light ? QStringLiteral("Ctrl+Alt+1")
                                                             : QStringLiteral("Ctrl+Alt+2")),
                        tr("dark light colours appearance")};
        spec.checkable = true;
        spec.separator_before = theme == Theme::system;
        actions_->add(spec, [this, chosen = theme] { set_theme(chosen); });
    }
    add_language_actions(*actions_, *notices_);
    actions_->add({"view.full-screen",
                   menu,
                   tr("&Full screen"),
                   tr("Shows the window full screen, or restores its size"),
                   QKeySequence(QStringLiteral("F11")),
                   {}},
                  [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    panel_actions_->add_arrangement();
}

void MainWindow::fill_menus() {
    QHash<QString, QMenu*> menus;
    for (const auto& entry : actions_->entries()) {
        auto* menu = menus.value(entry.spec.menu);
        if (menu == nullptr) {
            auto* above = menus.value(entry.spec.menu.section('/', 0, -2));
            const auto title = entry.spec.menu.section('/', -1);
            menu = above != nullptr ? above->addMenu(title) : menuBar()->addMenu(title);
            menu->setToolTipsVisible(true);
            menus[entry.spec.menu] = menu;
        }
        if (entry.spec.separator_before) menu->addSeparator();
        menu->addAction(entry.action);
    }
    if (auto* menu = menus.value(tr("&Run")); menu != nullptr) {
        auto* chosen = menu->addMenu(tr("Se&lected runs"));
        chosen->setToolTipsVisible(true);
        chosen->addAction(runs_->heading());
        chosen->addActions(runs_->run_actions());
        chosen->addSeparator();
        chosen->addMenu(runs_->colour_menu());
        auto* queue = menu->addMenu(tr("&Queue"));
        queue->setToolTipsVisible(true);
        queue->addActions(queue_panel_->queue_actions());
    }
    if (auto* menu = menus.value(tr("&View")); menu != nullptr) {
        menu->addSeparator();
        menu->addMenu(runs_->sort_menu());
        menu->addMenu(runs_->columns_menu());
        auto* panels = menu->addMenu(tr("Sho&w or hide"));
        panels->setToolTipsVisible(true);
        panels->addActions(panel_actions_->toggles());
    }
}

}  // namespace casp::gui
