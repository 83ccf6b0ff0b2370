#pragma once
// The help page of all shortcuts, made from the list of actions.

#include <utility>
#include <vector>

#include <QAction>
#include <QList>
#include <QString>

namespace casp::gui {

class ActionList;

/// Markdown: a heading and a table of keys for each menu, in the order of the menu bar; `more`: the actions
/// of panels, under the names of their menus. Actions without a key are left out.
[[nodiscard]] QString keyboard_tables(const ActionList& actions,
                                      const std::vector<std::pair<QString, QList<QAction*>>>& more);

}  // namespace casp::gui
