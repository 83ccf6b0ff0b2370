#pragma once
// The work that is measured: training steps and evaluations at the shape of ETTh1-96.

#include <cstdint>
#include <memory>
#include <string>

#include <ATen/core/Tensor.h>

#include "config/config.h"
#include "data/windows.h"
#include "model/forecaster.h"
#include "train/evaluation.h"
#include "train/optimizer.h"

namespace casp::bench {

/// Any model with its default settings: look-back 512, horizon 96, and an untrained backbone where it has
/// one. CASP-LLM: GPT-2 of 6 layers and width 768, V = 50257, V' = 1000, K = 8, dropout 0.1. "tempo-pool" is
/// TEMPO with tempo.pool. Throws an input Error for a name that no model has.
[[nodiscard]] config::Config etth1_96(const std::string& model = "casp-llm");

/// Settings of a preset ("weather-96", "m4-yearly"), of an experiment's file (its base) or, by etth1_96(), of
/// a model; with an untrained backbone. Arguments of --set may follow: "etth1-96 run.precision=bf16".
/// The CPU, unless they name a device: "casp-llm run.device=cuda".
[[nodiscard]] config::Config settings_of(const std::string& text);

/// Rows of a window in a step of these settings, as of the data set that a preset is for.
[[nodiscard]] std::int64_t channels_of(const config::Config& config);

/// A model in training, with its optimiser and one random batch.
class TrainingWork {
public:
    /// `windows` of channels_of(config) channels each: at ETTh1-96, 8 give 56 rows.
    explicit TrainingWork(std::int64_t windows, const config::Config& config = etth1_96());
    /// Forward with dropout, losses, backward, AdamW, and the read of the total loss: what the trainer does.
    double step();

    [[nodiscard]] model::Forecaster& model() { return *model_; }
    [[nodiscard]] const train::AdamW& optimizer() const { return optimizer_; }

private:
    std::unique_ptr<model::Forecaster> model_;
    train::AdamW optimizer_;
    at::Tensor lookback_, target_, time_;
    std::int64_t steps_ = 0;
};

/// A model and a small test split of random values.
class EvaluationWork {
public:
    explicit EvaluationWork(std::int64_t windows, const config::Config& config = etth1_96());
    /// The whole split by train::evaluate(): anchors once, then batches of so many windows. Returns the MSE.
    double split(std::int64_t windows_per_batch);
    /// One batch of the first windows, anchors at hand: between keep_anchors() and the end of the object.
    void keep_anchors();
    void batch(std::int64_t windows);

    [[nodiscard]] const model::Forecaster& model() const { return *model_; }

private:
    std::unique_ptr<model::Forecaster> model_;
    data::TableWindows windows_;
};

}  // namespace casp::bench
