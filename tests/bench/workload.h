#pragma once
// The work that is measured: CASP-LLM at the shape of ETTh1-96.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "data/windows.h"
#include "model/casp_llm.h"
#include "train/evaluation.h"
#include "train/optimizer.h"

namespace casp::bench {

/// 512 values back, 7 channels, 96 steps ahead, GPT-2 of 6 layers and width 768 with random weights,
/// V = 50257, V' = 1000, K = 8, dropout 0.1.
[[nodiscard]] model::CaspLlmSettings etth1_96();

/// A model in training, with its optimiser and one random batch.
class TrainingWork {
public:
    /// `windows` of 7 channels each: 8 give 56 rows.
    explicit TrainingWork(std::int64_t windows);
    /// Forward with dropout, losses, backward, AdamW, and the read of the total loss: what the trainer does.
    double step();

    [[nodiscard]] model::CaspLlm& model() { return model_; }
    [[nodiscard]] const train::AdamW& optimizer() const { return optimizer_; }

private:
    model::CaspLlm model_;
    train::AdamW optimizer_;
    at::Tensor lookback_, target_;
    std::int64_t steps_ = 0;
};

/// A model and a small test split of random values.
class EvaluationWork {
public:
    explicit EvaluationWork(std::int64_t windows);
    /// The whole split by train::evaluate(): anchors once, then batches of so many windows. Returns the MSE.
    double split(std::int64_t windows_per_batch);
    /// One batch of the first windows, anchors at hand: between keep_anchors() and the end of the object.
    void keep_anchors();
    void batch(std::int64_t windows);

private:
    model::CaspLlm model_;
    data::WindowSet windows_;
};

}  // namespace casp::bench
