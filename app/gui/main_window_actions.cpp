// Menus, shortcuts and the command palette, made from the list of actions.

#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QMouseEvent>
#include <QPushButton>
#include <QShortcutEvent>

#include "gui/cluster_jobs.h"
#include "gui/command_palette.h"
#include "gui/figure_actions.h"
#include "gui/help_panel.h"
#include "gui/main_window.h"
#include "gui/menus.h"
#include "gui/notices.h"
#include "gui/panel_actions.h"
#include "gui/run_actions.h"
#include "gui/run_queue.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/queue/queue_panel.h"
#include "panels/runs/runs_panel.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"

namespace casp::gui {

namespace {

/// Qt keeps the mnemonics of dock panels behind other tabs active: Alt+F would move the focus to a hidden
/// field "&Forecasts", not open the menu "&File". This opens the menu instead, and ignores other mnemonics of
/// hidden widgets. For the whole application, as long as it lives.
class HiddenMnemonics : public QObject {
public:
    /// Its child.
    explicit HiddenMnemonics(QMainWindow& window) : QObject(&window), window_(window) {
        qApp->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void open(QAction& entry);
    QMainWindow& window_;
};

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

}  // namespace

void MainWindow::make_actions() {
    add_file_actions({*actions_, *opener_, *exports_, *docks_, *notices_, *library_, *selection_}, *this);
    add_edit_actions(*actions_, *experiment_, *selection_, *docks_, *focus_);
    run_actions_ = new RunActions({*actions_, *docks_, *experiment_, *experiment_panel_, *lambda_, *library_,
                                   *selection_, *queue_, *launcher_, *notices_},
                                  this);
    cluster_jobs_ =
        new ClusterJobs({*actions_, *experiment_, *library_, *runs_, *launcher_, *notices_}, this);
    add_embedding_actions(*actions_, *docks_, *notices_);
    actions_->add(
        {"forecast.ahead", tr("&Run"), tr("Forecast &ahead"),
         tr("The highlighted run, if it is shown and finished, forecasts the rows after the last one of its "
            "data set, or of another file"),
         "Ctrl+M, F", tr("future predict horizon continue file drop")},
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
                    {tr("Selected runs: while the list of runs has the focus"), runs_->commands()->actions()},
                    {tr("Queue: while it has the focus"), queue_panel_->queue_actions()}}));
    palette_ = new CommandPalette(*actions_, this);
    palette_->add_actions(runs_->commands()->actions(), tr("Selected runs"));
    for (auto* menu :
         {runs_->commands()->colour_menu(), runs_->view()->sort_menu(), runs_->view()->columns_menu()})
        palette_->add_actions(menu->actions(), menu->title());
    palette_->add_actions(queue_panel_->queue_actions(), tr("Queue"));
    palette_->add_actions(toggles, tr("Show or hide"));
    palette_->add_actions(make_setting_actions(), tr("Settings"));
    auto* search = new QPushButton(tr("Search actions and settings (Ctrl+K)"), this);
    search->setFlat(true);
    search->setAccessibleName(tr("Search actions and settings"));
    search->setToolTip(tr("Finds every action and every setting by a few letters"));
    connect(search, &QPushButton::clicked, palette_, &CommandPalette::open);
    menuBar()->setCornerWidget(search, Qt::TopRightCorner);
    new HiddenMnemonics(*this);
}

/// Each goes to the field of a setting, also of one that the form does not show at first.
QList<QAction*> MainWindow::make_setting_actions() {
    QList<QAction*> actions;
    for (const auto* row : experiment_panel_->form()->rows()) {
        auto* action = new QAction(widgets::option_in_group(row->option()), this);
        action->setToolTip(row->key());
        connect(action, &QAction::triggered, this, [this, row] {
            if (!row->is_read())
                return notices_->say(
                    tr("The model %1 does not read %2")
                        .arg(QString::fromStdString(experiment_->config().model.name), row->key()),
                    false);
            show_dock("experiment");
            experiment_panel_->show_option(row->key());
        });
        actions.append(action);
    }
    return actions;
}

void MainWindow::make_view_actions() {
    const auto menu = tr("&View");
    actions_->add(
        {"view.palette", menu, tr("&Search actions and settings…"),
         tr("Finds every action and every setting by a few letters"), "Ctrl+K", tr("command palette")},
        [this] { palette_->open(); });
    panel_actions_->add_navigation();
    actions_->separate();
    actions_->add({"view.reset", menu, tr("&Reset layout"), tr("Restores the initial place of every panel"),
                   "Ctrl+0", tr("docks windows default")},
                  [this] { reset_layout(); });
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
        if (theme == Theme::system) actions_->separate();
        actions_->add(spec, [this, chosen = theme] { set_theme(chosen); });
    }
    add_language_actions(*actions_, *notices_);
    actions_->add({"view.full-screen",
                   menu,
                   tr("&Full screen"),
                   tr("Shows the window full screen, or restores its size"),
                   "F11",
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
        if (entry.begins_group) menu->addSeparator();
        menu->addAction(entry.action);
    }
    if (auto* menu = menus.value(tr("&Run")); menu != nullptr) {
        auto* chosen = menu->addMenu(tr("Se&lected runs"));
        chosen->setToolTipsVisible(true);
        chosen->addAction(runs_->commands()->heading());
        chosen->addActions(runs_->commands()->actions());
        chosen->addSeparator();
        chosen->addMenu(runs_->commands()->colour_menu());
        auto* queue = menu->addMenu(tr("&Queue"));
        queue->setToolTipsVisible(true);
        queue->addActions(queue_panel_->queue_actions());
    }
    if (auto* menu = menus.value(tr("&View")); menu != nullptr) {
        menu->addSeparator();
        menu->addMenu(runs_->view()->sort_menu());
        menu->addMenu(runs_->view()->columns_menu());
        auto* panels = menu->addMenu(tr("Sho&w or hide"));
        panels->setToolTipsVisible(true);
        panels->addActions(panel_actions_->toggles());
    }
}

}  // namespace casp::gui
