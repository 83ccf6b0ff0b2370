#pragma once
// The Help menu, and help topics on request.

#include <QObject>

#include "gui/actions.h"

namespace casp::gui {

class Docks;
class HelpPanel;

class HelpActions : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    HelpActions(ActionList& actions, Docks& docks, HelpPanel& panel, QWidget* window);

    void show_topic(const QString& topic);

private:
    /// The topic of the focused widget.
    void show_here();

    Docks& docks_;
    HelpPanel& panel_;
};

}  // namespace casp::gui
