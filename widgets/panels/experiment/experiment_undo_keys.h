#pragma once
// One undo history for the experiment: Ctrl+Z in a field is the experiment's undo, not the field's own.

#include <QWidget>

#include "state/experiment_model.h"

namespace casp::widgets {

/// All line edits, spin boxes and combo boxes in `editor` leave undo and redo to the window's actions, or to
/// the model where the window has none. `model` must outlive `editor`.
void leave_undo_to(ExperimentModel& model, QWidget* editor);

}  // namespace casp::widgets
