#pragma once
// One model trained by several processes: what surrounds the trainer's steps in each of them.

#include <cstdint>
#include <optional>
#include <vector>

#include "model/batch_share.h"
#include "model/forecaster.h"
#include "train/checkpoint.h"
#include "train/observer.h"
#include "train/optimizer.h"
#include "train/process_group.h"
#include "train/step.h"
#include "train/stop.h"

namespace casp::train {

/// Each process has its own model and data. It computes some windows of every batch, and sums over the
/// processes make all of them hold the gradients, losses and counts of the whole batch, so that results
/// differ from those of one process by rounding only. All call the same functions in the same order; where
/// one is lost, they throw ProcessLost. One thread.
class JointTraining {
public:
    /// All arguments must outlive this object.
    JointTraining(ProcessGroup& group, model::Forecaster& model, AdamW& optimizer, TrainState& state)
        : group_(group), model_(model), optimizer_(optimizer), state_(state) {}

    [[nodiscard]] ProcessGroup& group() const { return group_; }
    /// The strongest request to any process becomes one to all.
    void agree_on_request(StopControl& stop);
    /// Takes over rank 0's state, model and optimiser.
    void take_state();
    /// The step of the batch `items`, with the part of `work` that is this process's.
    [[nodiscard]] StepValues step(const at::Tensor& items, const StepWork& work);
    /// After ProcessLost: the model is that of the last complete step again.
    void restore();
    /// After the last step: reports the mean number of bytes that each process contributed to the sums of
    /// one.
    void finish(TrainObserver& observer);

private:
    /// The windows of a batch of `count` that this process computes; none: each computes all of them.
    [[nodiscard]] std::optional<model::BatchShare> share_of(std::int64_t count);
    /// The gradients of this process's windows only.
    [[nodiscard]] std::vector<at::Tensor> partial_gradients() const;

    ProcessGroup& group_;
    model::Forecaster& model_;
    AdamW& optimizer_;
    TrainState& state_;
    model::NamedTensors before_step_;         ///< copies of what a forward pass changes
    std::vector<at::Tensor> whole_;           ///< parameters whose gradients are the whole batch's already
    std::int64_t exchanged_ = 0, steps_ = 0;  ///< bytes and number of this object's steps
};

}  // namespace casp::train
