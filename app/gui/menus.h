#pragma once
// Menus of the window that need no state of their own: File, Edit, View → Language, Help. What their actions
// act on outlives them.

#include <utility>
#include <vector>

#include <QAction>
#include <QList>
#include <QString>

#include "gui/actions.h"

class QWidget;

namespace casp::widgets {
class ExperimentModel;
class RunLibrary;
class Selection;
}  // namespace casp::widgets

namespace casp::gui {

class DockFocus;
class Docks;
class FileExports;
class FileOpener;
class HelpPanel;
class Notices;

struct FileMenuParts {
    ActionList& actions;
    FileOpener& opener;
    FileExports& exports;
    Docks& docks;
    Notices& notices;
    const widgets::RunLibrary& library;
    const widgets::Selection& selection;
};
void add_file_actions(const FileMenuParts& parts, QWidget& window);

/// Undo of the experiment, and the selection.
void add_edit_actions(ActionList& actions, widgets::ExperimentModel& experiment,
                      widgets::Selection& selection, Docks& docks, const DockFocus& focus);

void add_language_actions(ActionList& actions, Notices& notices);

void add_help_actions(ActionList& actions, Docks& docks, HelpPanel& panel, QWidget* window);
/// Shows a topic in the panel Help.
void show_help(Docks& docks, HelpPanel& panel, const QString& topic);

/// The help page of all shortcuts.
/// Markdown: a heading and a table of keys for each menu, in the order of the menu bar; `more`: the actions
/// of panels, under the names of their menus. Actions without a key are left out.
[[nodiscard]] QString keyboard_tables(const ActionList& actions,
                                      const std::vector<std::pair<QString, QList<QAction*>>>& more);

}  // namespace casp::gui
