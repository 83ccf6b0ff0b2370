#pragma once
// Evaluation mode of a model for the duration of a scope.

#include "model/forecaster.h"

namespace casp::model {

/// Between begin_evaluation() and end_evaluation(), which comes on every way out. One at a time for a model;
/// its thread.
class EvaluationMode {
public:
    explicit EvaluationMode(Forecaster& model) : model_(model) { model_.begin_evaluation(); }
    ~EvaluationMode() { model_.end_evaluation(); }
    EvaluationMode(const EvaluationMode&) = delete;
    EvaluationMode& operator=(const EvaluationMode&) = delete;

private:
    Forecaster& model_;
};

}  // namespace casp::model
