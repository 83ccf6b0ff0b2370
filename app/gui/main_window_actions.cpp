// Every action of the window: menus, shortcuts and the command palette are made of this list.

#include <QApplication>
#include <QDesktopServices>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QUndoStack>
#include <QUrl>

#include "charts/view_frame.h"
#include "gui/about_dialog.h"
#include "gui/command_palette.h"
#include "gui/dock_focus.h"
#include "gui/figure_actions.h"
#include "gui/file_exports.h"
#include "gui/help_panel.h"
#include "gui/keyboard_page.h"
#include "gui/launcher.h"
#include "gui/main_window.h"
#include "gui/panel_actions.h"
#include "gui/run_actions.h"
#include "gui/run_queue.h"
#include "panels/data/data_panel.h"
#include "panels/experiment/experiment_lambda_edit.h"
#include "panels/experiment/experiment_panel.h"
#include "panels/queue/queue_panel.h"
#include "panels/runs/runs_panel.h"
#include "state/experiment_model.h"
#include "state/file_run_library.h"
#include "state/selection.h"

namespace casp::gui {

void MainWindow::make_actions() {
    make_file_actions();
    make_edit_actions();
    run_actions_ = new RunActions({*actions_, *docks_, *experiment_, *experiment_panel_, *lambda_, *library_,
                                   *selection_, *queue_, *launcher_},
                                  this);
    make_page_actions();
    panel_actions_ = new PanelActions(*actions_, *docks_, *focus_, this);
    make_view_actions();
    figure_actions_ = new FigureActions(*actions_, *docks_, *focus_, *notices_, *library_, *selection_, this);
    make_help_actions();
    panel_actions_->name_toggles();
    fill_menus();
    const auto toggles = panel_actions_->toggles();
    help_->set_keyboard_tables(keyboard_tables(
        *actions_, {{tr("Show or hide"), toggles},
                    {tr("Chosen runs: while the list of runs has the keyboard"), runs_->run_actions()},
                    {tr("Queue: while it has the keyboard"), queue_panel_->queue_actions()}}));
    palette_ = new CommandPalette(*actions_, this);
    palette_->add_actions(runs_->run_actions(), tr("Chosen runs"));
    for (auto* menu : {runs_->colour_menu(), runs_->sort_menu(), runs_->columns_menu()})
        palette_->add_actions(menu->actions(), menu->title());
    palette_->add_actions(queue_panel_->queue_actions(), tr("Queue"));
    palette_->add_actions(toggles, tr("Show or hide"));
    auto* search = new QPushButton(tr("Search actions (Ctrl+K)"), this);
    search->setFlat(true);
    search->setToolTip(tr("Finds every action by a few letters"));
    search->setAccessibleName(tr("Search actions"));
    connect(search, &QPushButton::clicked, palette_, &CommandPalette::open);
    menuBar()->setCornerWidget(search, Qt::TopRightCorner);
}

void MainWindow::make_file_actions() {
    const auto menu = tr("&File");
    actions_->add({"file.open", menu, tr("&Open…"), tr("Opens CSVs or an experiment file (TOML)"),
                   QKeySequence::Open, tr("csv data toml load import")},
                  [this] { choose_and_open(); });
    actions_->add(
        {"file.folder", menu, tr("Folder of &runs…"), tr("Chooses the folder in which runs are kept"),
         QKeySequence(tr("Ctrl+Shift+O")), tr("output directory results")},
        [this] { choose_output_folder(); });
    actions_->add(
        {"file.sample", menu, tr("Sample data &set"), tr("Opens the data set that ships with the program"),
         QKeySequence(tr("Ctrl+Shift+L")), tr("example demo csv")},
        [this] {
            try {
                open_paths({sample_file()});
            } catch (const std::exception& problem) {
                say(QString::fromUtf8(problem.what()), true);
            }
        });
    make_data_actions();
    actions_->add({"file.fetch", menu, tr("&Get data or GPT-2…"),
                   tr("Fetches benchmark data sets and the backbone from their public addresses"),
                   QKeySequence(tr("Ctrl+G")), tr("download catalogue backbone etth1 weather")},
                  [this] { show_dock("fetch"); });
    ActionSpec save{"file.save-toml",           menu,
                    tr("&Save experiment as…"), tr("Saves the experiment as a TOML file"),
                    QKeySequence::Save,         tr("toml configuration write")};
    save.separator_before = true;
    actions_->add(save, [this] { experiment_panel_->choose_file_to_save(); });
    actions_->add({"file.copy-toml", menu, tr("Copy experiment as &TOML"),
                   tr("The resolved experiment, for the clipboard"), QKeySequence(tr("Ctrl+Shift+T")),
                   tr("configuration clipboard settings")},
                  [this] {
                      experiment_panel_->copy_toml();
                      say(tr("The resolved experiment is in the clipboard."), false);
                  });
    actions_->add({"file.export-weights", menu, tr("Export &checkpoint…"),
                   tr("The weights of the first shown run at its best validation MSE, as safetensors"),
                   QKeySequence(tr("Ctrl+Shift+W")), tr("weights safetensors model save")},
                  [this] { exports_->weights(selection_->state().runs.value(0)); });
    ActionSpec quit{"file.quit",
                    menu,
                    tr("&Quit"),
                    tr("Closes the window. Running runs save a checkpoint first."),
                    QKeySequence(tr("Ctrl+Q")),
                    tr("exit close")};
    quit.separator_before = true;
    actions_->add(quit, [this] { close(); });
}

void MainWindow::make_edit_actions() {
    const auto menu = tr("&Edit");
    auto* stack = experiment_->undo_stack();
    auto* undo =
        actions_->add({"edit.undo", menu, tr("&Undo"), tr("Takes back the last edit of the experiment"),
                       QKeySequence(tr("Ctrl+Z")), tr("back revert")},
                      [stack] { stack->undo(); });
    auto* redo = actions_->add({"edit.redo", menu, tr("&Redo"), tr("Does again what was taken back"),
                                QKeySequence(tr("Ctrl+Shift+Z")), tr("again")},
                               [stack] { stack->redo(); });
    const auto update = [stack, undo, redo] {
        undo->setEnabled(stack->canUndo());
        redo->setEnabled(stack->canRedo());
        undo->setText(stack->canUndo() ? tr("&Undo %1").arg(stack->undoText()) : tr("&Undo"));
        redo->setText(stack->canRedo() ? tr("&Redo %1").arg(stack->redoText()) : tr("&Redo"));
    };
    connect(stack, &QUndoStack::indexChanged, this, update);
    connect(stack, &QUndoStack::canUndoChanged, this, update);
    update();
    ActionSpec back{"edit.selection-back",        menu,
                    tr("Selection &back"),        tr("The selection before this one"),
                    QKeySequence(tr("Alt+Left")), tr("previous history")};
    back.separator_before = true;
    actions_->add(back, [this] { selection_->back(); });
    actions_->add({"edit.selection-forward", menu, tr("Selection &forward"),
                   tr("The selection after this one"), QKeySequence(tr("Alt+Right")), tr("next history")},
                  [this] { selection_->forward(); });
    actions_->add({"edit.selection-clear", menu, tr("&Clear selection"),
                   tr("Windows, anchors, channels and step; an enlarged view goes back to its place first"),
                   QKeySequence(Qt::Key_Escape), tr("nothing deselect")},
                  [this] {
                      if (auto* frame = focus_->current_frame(); frame != nullptr && frame->maximised())
                          frame->enlarge_or_put_back();
                      else
                          selection_->clear();
                  });
    actions_->add({"edit.channel", menu, tr("Go to c&hannel…"),
                   tr("Puts the cursor on the field that finds a channel of the open table"),
                   QKeySequence(tr("Ctrl+Shift+N")), tr("data column variable find jump")},
                  [this] {
                      show_dock("data");
                      data_->go_to_channel();
                  });
    ActionSpec reset{"edit.reset",
                     menu,
                     tr("Reset the &experiment"),
                     tr("All settings back to the preset or the defaults"),
                     QKeySequence(tr("Ctrl+Backspace")),
                     tr("defaults")};
    reset.separator_before = true;
    actions_->add(reset, [this] { experiment_->reset_all(); });
}

void MainWindow::make_view_actions() {
    const auto menu = tr("&View");
    actions_->add({"view.palette", menu, tr("&Search actions…"), tr("Finds every action by a few letters"),
                   QKeySequence(tr("Ctrl+K")), tr("command palette")},
                  [this] { palette_->open(); });
    panel_actions_->add_navigation();
    ActionSpec reset{"view.reset",
                     menu,
                     tr("&Reset layout"),
                     tr("Every panel back to its first place"),
                     QKeySequence(tr("Ctrl+0")),
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
                        QKeySequence(theme == Theme::system  ? tr("Ctrl+Alt+0")
                                     : theme == Theme::light ? tr("Ctrl+Alt+1")
                                                             : tr("Ctrl+Alt+2")),
                        tr("dark light colours appearance")};
        spec.checkable = true;
        spec.separator_before = theme == Theme::system;
        actions_->add(spec, [this, chosen = theme] { set_theme(chosen); });
    }
    actions_->add({"view.full-screen",
                   menu,
                   tr("&Full screen"),
                   tr("The whole screen for the window, and back"),
                   QKeySequence(tr("F11")),
                   {}},
                  [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    panel_actions_->add_arrangement();
}

void MainWindow::make_help_actions() {
    const auto help = tr("&Help");
    actions_->add({"help.here", help, tr("&Help on this panel"), tr("Explains the panel you are in"),
                   QKeySequence(Qt::Key_F1), tr("explain manual")},
                  [this] { show_help_here(); });
    actions_->add({"help.keyboard", help, tr("&Keyboard"), tr("All shortcuts"), QKeySequence(tr("Ctrl+F1")),
                   tr("shortcuts keys")},
                  [this] { show_help(QStringLiteral("keyboard")); });
    ActionSpec about{"help.about",
                     help,
                     tr("&About CASP Studio"),
                     tr("Version, licences, how to cite"),
                     QKeySequence(tr("Ctrl+Shift+F1")),
                     tr("licence version citation")};
    about.separator_before = true;
    actions_->add(about, [this] { show_about(); });
}

void MainWindow::show_help(const QString& topic) {
    help_->show_topic(topic);
    show_dock("help");
}

void MainWindow::show_help_here() {
    QString topic = QStringLiteral("start");
    for (const auto* at = qApp->focusWidget(); at != nullptr; at = at->parentWidget())
        if (const auto found = at->property("help_topic"); found.isValid()) {
            topic = found.toString();
            break;
        }
    if (topic != QLatin1String("help")) help_->show_topic(topic);
    show_dock("help");
}

void MainWindow::show_about() { (new AboutDialog(this))->open(); }

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
        auto* chosen = menu->addMenu(tr("&Chosen runs"));
        chosen->setToolTipsVisible(true);
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
