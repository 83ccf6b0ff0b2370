#pragma once
// Fit of a model whose parameters follow from the training windows in closed form.

#include "data/windows.h"
#include "model/forecaster.h"
#include "train/evaluation.h"
#include "train/observer.h"
#include "train/stop.h"

namespace casp::train {

/// Fits `model`, which has closed_form(), to all windows of `train` with all channels, in file order, except
/// those whose target is not wholly known (series of a collection that are shorter than 2·H); of
/// several penalties takes the one with the lowest MSE on `validation` (evaluated with `options`). Reports
/// progress, pauses between batches; throws Cancelled on a stop request, and a run Error if no penalty has a
/// finite solution.
void fit_closed_form(model::Forecaster& model, const data::WindowSet& train,
                     const data::WindowSet& validation, const EvaluationOptions& options,
                     TrainObserver& observer, const StopControl& stop);

}  // namespace casp::train
