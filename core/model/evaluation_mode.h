#pragma once
// Evaluation mode of a model for the duration of a scope.

#include "model/forecaster.h"
#include "util/tf32.h"

namespace casp::model {

/// Between begin_evaluation(), on the model's device, and end_evaluation(), which comes on every way out. One
/// at a time for a model; its thread.
class EvaluationMode {
public:
    EvaluationMode(Forecaster& model, const c10::Device& device) : model_(model) {
        const Tf32Scope products(device, model.uses_tf32());
        model_.begin_evaluation();
    }
    ~EvaluationMode() { model_.end_evaluation(); }
    EvaluationMode(const EvaluationMode&) = delete;
    EvaluationMode& operator=(const EvaluationMode&) = delete;

private:
    Forecaster& model_;
};

}  // namespace casp::model
