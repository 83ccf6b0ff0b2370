#include <QObject>
#include <QUndoStack>

#include "charts/view_frame.h"
#include "gui/dock_focus.h"
#include "gui/docks.h"
#include "gui/menus.h"
#include "panels/data/data_panel.h"
#include "state/experiment_model.h"
#include "state/selection.h"

namespace casp::gui {

namespace {

QString edit_menu() { return QObject::tr("&Edit"); }

void add_undo(ActionList& actions, QUndoStack* stack) {
    auto* undo = actions.add(
        {"edit.undo", edit_menu(), QObject::tr("&Undo"),
         QObject::tr("Undoes the last edit of the experiment"), "Ctrl+Z", QObject::tr("back revert")},
        [stack] { stack->undo(); });
    auto* redo =
        actions.add({"edit.redo", edit_menu(), QObject::tr("&Redo"),
                     QObject::tr("Redoes the last undone edit"), "Ctrl+Shift+Z", QObject::tr("again")},
                    [stack] { stack->redo(); });
    const auto update = [stack, undo, redo] {
        undo->setEnabled(stack->canUndo());
        redo->setEnabled(stack->canRedo());
        undo->setText(stack->canUndo() ? QObject::tr("&Undo %1").arg(stack->undoText())
                                       : QObject::tr("&Undo"));
        redo->setText(stack->canRedo() ? QObject::tr("&Redo %1").arg(stack->redoText())
                                       : QObject::tr("&Redo"));
    };
    QObject::connect(stack, &QUndoStack::indexChanged, undo, update);
    QObject::connect(stack, &QUndoStack::canUndoChanged, undo, update);
    update();
}

void add_selection(ActionList& actions, widgets::Selection& selection, const DockFocus& focus) {
    actions.separate();
    actions.add({"edit.selection-back", edit_menu(), QObject::tr("Selection &back"),
                 QObject::tr("The selection before this one"), "Alt+Left", QObject::tr("previous history")},
                [&selection] { selection.back(); });
    actions.add({"edit.selection-forward", edit_menu(), QObject::tr("Selection &forward"),
                 QObject::tr("The selection after this one"), "Alt+Right", QObject::tr("next history")},
                [&selection] { selection.forward(); });
    actions.add(
        {"edit.selection-clear", edit_menu(), QObject::tr("&Clear selection"),
         QObject::tr(
             "Clears the selected windows, anchors, channels and step; restores an enlarged view first"),
         QKeySequence(Qt::Key_Escape), QObject::tr("nothing deselect")},
        [&selection, &focus] {
            if (auto* frame = focus.current_frame(); frame != nullptr && frame->maximised())
                frame->enlarge_or_put_back();
            else
                selection.clear();
        });
}

}  // namespace

void add_edit_actions(ActionList& actions, widgets::ExperimentModel& experiment,
                      widgets::Selection& selection, Docks& docks, const DockFocus& focus) {
    add_undo(actions, experiment.undo_stack());
    add_selection(actions, selection, focus);
    actions.add({"edit.channel", edit_menu(), QObject::tr("Go to c&hannel…"),
                 QObject::tr("Moves the focus to the channel search of the open table"), "Ctrl+Shift+N",
                 QObject::tr("data column variable find jump")},
                [&docks] {
                    docks.show("data");
                    docks.page<widgets::DataPanel>("data")->go_to_channel();
                });
    actions.separate();
    actions.add({"edit.reset", edit_menu(), QObject::tr("Reset the &experiment"),
                 QObject::tr("Resets all settings to the preset or the defaults"), "Ctrl+Backspace",
                 QObject::tr("defaults")},
                [&experiment] { experiment.reset_all(); });
}

}  // namespace casp::gui
