#pragma once
// Actions of the View menu that show, focus, move and float panels; actions that press buttons of pages.

#include <QObject>
#include <QString>

#include "gui/actions.h"

namespace casp::gui {

class Docks;
class DockFocus;
class Notices;

class PanelActions : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    PanelActions(ActionList& actions, Docks& docks, const DockFocus& focus, QObject* parent);

    /// "Go to" every page, next and previous panel.
    void add_navigation();
    /// Float or dock, move left, right and down.
    void add_arrangement();
    /// Shortcuts and object names of the actions that show or hide a panel; after add_navigation().
    void name_toggles();
    /// These actions, in the order of the pages.
    [[nodiscard]] QList<QAction*> toggles() const;

private:
    ActionList& actions_;
    Docks& docks_;
    const DockFocus& focus_;
};

/// Shows page `id` and presses one of its buttons. If the button is hidden or disabled, says why.
void press(Docks& docks, Notices& notices, const QString& id, const QString& button,
           const QString& when_hidden);

/// The menu Run → Embeddings: presses the buttons of the Embeddings page. All must outlive the actions.
void add_embedding_actions(ActionList& actions, Docks& docks, Notices& notices);

}  // namespace casp::gui
