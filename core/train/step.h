#pragma once
// What a training step gives, and what surrounds it: nothing, a record (graphed_step.h), or the other
// processes of a run (joint_training.h).

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "model/batch_share.h"

namespace casp::train {

/// What a step computed besides gradients, on the device.
struct StepValues {
    at::Tensor logged;               ///< forecast, total, active pairs, terms: [3 + terms] float64
    std::vector<std::string> terms;  ///< names of the model's loss terms
    at::Tensor usage;                ///< [V'] int64: retrievals in this step; undefined: none are counted
    std::int64_t channels = 0;
};

/// What is special about the windows of a step; by default nothing: they are the whole batch.
struct StepPart {
    const model::BatchShare* share = nullptr;  ///< as TrainingStep's
    double weight = 1;                         ///< of their objective in that of the batch
    /// Makes values, and the gradients that the parameters hold, those of the batch; empty: they are.
    std::function<void(StepValues& values)> complete = {};
    const unsigned long long* dropout_state = nullptr;  ///< as TrainingStep's
};

/// A step of these windows [n], numbers of items.
using StepWork = std::function<StepValues(const at::Tensor& items, const StepPart& part)>;

}  // namespace casp::train
