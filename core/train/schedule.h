#pragma once
// Learning rates over epochs and steps.

#include <cstdint>

#include "config/config.h"

namespace casp::train {

/// The place of a training step, counted from the start of a fork of a finished run.
struct TrainingPlace {
    std::int64_t epoch = 1;            ///< from 1
    std::int64_t position = 0;         ///< steps done in the epoch
    std::int64_t steps_per_epoch = 1;  ///< 0: the model does not train in epochs
};

/// What a schedule sets for a step.
struct StepRates {
    double learning_rate = 0;
    double beta1 = 0.9;  ///< decay of the optimiser's first moment
};

/// Rates of a step under `train.schedule`, with lr = train.learning_rate and E = train.epochs:
///   "exponential"  lr·0.9^max(0, epoch − 2): epochs 1 and 2 at lr, then ×0.9 each (S2IP-LLM's type2; B.7-15)
///   "halving"      lr·0.5^max(0, epoch − 2) (type1 of Time-Series-Library)
///   "constant"     lr
///   "cosine"       1e-8 + (lr − 1e-8)·(1 + cos(π·(epoch − 1)/T))/2, T = train.t_max or E; rises again after
///                  epoch T + 1 (PyTorch's CosineAnnealingLR, stepped once per epoch)
///   "one-cycle"    from lr/25 to lr over the fraction train.pct_start of E·steps_per_epoch steps, then to
///                  lr/250,000, both along half a cosine; β₁ runs from 0.95 to 0.85 and back (PyTorch's
///                  OneCycleLR with its defaults, stepped after every step; C.2, C.7)
/// The number of steps is that of E whole epochs: train.max_steps ends the training without changing the
/// rates before. A place after the last step has the last step's rates.
[[nodiscard]] StepRates rates_at(const config::Config& config, const TrainingPlace& place);

}  // namespace casp::train
