#include "gui/edit_actions.h"

#include <QUndoStack>

#include "charts/view_frame.h"
#include "gui/dock_focus.h"
#include "gui/docks.h"
#include "panels/data/data_panel.h"
#include "state/experiment_model.h"
#include "state/selection.h"

namespace casp::gui {

namespace {

QString edit_menu() { return EditActions::tr("&Edit"); }

}  // namespace

EditActions::EditActions(ActionList& actions, widgets::ExperimentModel& experiment,
                         widgets::Selection& selection, Docks& docks, const DockFocus& focus, QObject* parent)
    : QObject(parent),
      actions_(actions),
      experiment_(experiment),
      selection_(selection),
      docks_(docks),
      focus_(focus) {
    add_undo();
    add_selection();
    add_rest();
}

void EditActions::add_undo() {
    auto* stack = experiment_.undo_stack();
    auto* undo =
        actions_.add({"edit.undo", edit_menu(), tr("&Undo"), tr("Undoes the last edit of the experiment"),
                      QKeySequence(QStringLiteral("Ctrl+Z")), tr("back revert")},
                     [stack] { stack->undo(); });
    auto* redo = actions_.add({"edit.redo", edit_menu(), tr("&Redo"), tr("Redoes the last undone edit"),
                               QKeySequence(QStringLiteral("Ctrl+Shift+Z")), tr("again")},
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
}

void EditActions::add_selection() {
    ActionSpec back{"edit.selection-back",
                    edit_menu(),
                    tr("Selection &back"),
                    tr("The selection before this one"),
                    QKeySequence(QStringLiteral("Alt+Left")),
                    tr("previous history")};
    back.separator_before = true;
    actions_.add(back, [this] { selection_.back(); });
    actions_.add(
        {"edit.selection-forward", edit_menu(), tr("Selection &forward"), tr("The selection after this one"),
         QKeySequence(QStringLiteral("Alt+Right")), tr("next history")},
        [this] { selection_.forward(); });
    actions_.add(
        {"edit.selection-clear", edit_menu(), tr("&Clear selection"),
         tr("Clears the selected windows, anchors, channels and step; restores an enlarged view first"),
         QKeySequence(Qt::Key_Escape), tr("nothing deselect")},
        [this] {
            if (auto* frame = focus_.current_frame(); frame != nullptr && frame->maximised())
                frame->enlarge_or_put_back();
            else
                selection_.clear();
        });
}

void EditActions::add_rest() {
    actions_.add({"edit.channel", edit_menu(), tr("Go to c&hannel…"),
                  tr("Moves the focus to the channel search of the open table"),
                  QKeySequence(QStringLiteral("Ctrl+Shift+N")), tr("data column variable find jump")},
                 [this] {
                     docks_.show("data");
                     docks_.page<widgets::DataPanel>("data")->go_to_channel();
                 });
    ActionSpec reset{"edit.reset",
                     edit_menu(),
                     tr("Reset the &experiment"),
                     tr("Resets all settings to the preset or the defaults"),
                     QKeySequence(QStringLiteral("Ctrl+Backspace")),
                     tr("defaults")};
    reset.separator_before = true;
    actions_.add(reset, [this] { experiment_.reset_all(); });
}

}  // namespace casp::gui
