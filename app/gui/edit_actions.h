#pragma once
// The Edit menu: undo of the experiment, and the selection.

#include <QObject>

#include "gui/actions.h"

namespace casp::widgets {
class ExperimentModel;
class Selection;
}  // namespace casp::widgets

namespace casp::gui {

class Docks;
class DockFocus;

class EditActions : public QObject {
    Q_OBJECT
public:
    /// All must outlive it.
    EditActions(ActionList& actions, widgets::ExperimentModel& experiment, widgets::Selection& selection,
                Docks& docks, const DockFocus& focus, QObject* parent);

private:
    void add_undo();
    void add_selection();
    void add_rest();

    ActionList& actions_;
    widgets::ExperimentModel& experiment_;
    widgets::Selection& selection_;
    Docks& docks_;
    const DockFocus& focus_;
};

}  // namespace casp::gui
