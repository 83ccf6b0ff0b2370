#pragma once
// Redirection of Ctrl+Z in fields to the experiment's undo history.

#include <QWidget>

#include "state/experiment_model.h"

namespace casp::widgets {

/// Makes all line edits, spin boxes and combo boxes in `editor` leave undo and redo to the main window's
/// actions, or to the model if there are none. `model` must outlive `editor`.
void leave_undo_to(ExperimentModel& model, QWidget* editor);

}  // namespace casp::widgets
