#pragma once
// AdamW and Adam with their state in the open, so that a checkpoint can hold it.

#include <cstdint>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "config/config.h"
#include "model/forecaster.h"
#include "model/parameters.h"

namespace casp::train {

/// How weight decay acts: on the weights directly (AdamW), or as part of the gradient (L2 penalty of Adam).
/// Without weight decay both are the same algorithm.
enum class WeightDecay { decoupled, in_gradient };

/// AdamW, or Adam (β₂ = 0.999, ε = 1e-8), on all given tensors, LibTorch's fused kernels.
class AdamW {
public:
    /// `max_norm` > 0: gradients g whose norm over all parameters together is larger become
    /// g·max_norm / (‖g‖ + 1e-6), as by PyTorch's clip_grad_norm_, before a step; 0: never.
    AdamW(model::NamedTensors parameters, double weight_decay, WeightDecay kind = WeightDecay::decoupled,
          double max_norm = 0);

    /// From now on tensors that have a constant learning rate in `model` (Forecaster::constant_rate) use it.
    void use_constant_rates(const model::Forecaster& model);

    /// One step with the gradients that the parameters hold (one without a gradient is left as it is); then
    /// drops them. Does not wait for the device. `learning_rate`: of the tensors without a constant rate;
    /// `beta1` in [0, 1): decay of the first moment (rates_at()).
    void step(double learning_rate, double beta1 = 0.9);
    /// The gradients that the parameters hold.
    [[nodiscard]] std::vector<at::Tensor> gradients() const;
    /// Drops all gradients.
    void clear_gradients();

    /// First and second moments as "exp_avg.<name>" and "exp_avg_sq.<name>", the optimiser's own tensors.
    [[nodiscard]] model::NamedTensors moments() const;
    /// Steps done; waits for the device.
    [[nodiscard]] std::int64_t steps() const;
    void set_steps(std::int64_t steps);

private:
    model::NamedTensors parameters_;
    std::vector<std::optional<double>> constant_rates_;
    std::vector<at::Tensor> first_;
    std::vector<at::Tensor> second_;
    at::Tensor
        step_count_;  ///< steps, on the parameters' device as the kernel wants it; undefined: no tensors
    void clip_gradients();

    double weight_decay_;
    WeightDecay kind_;
    double max_norm_;
};

/// The optimiser of `train.optimizer`, `train.weight_decay` and `train.max_grad_norm`.
[[nodiscard]] AdamW make_optimizer(const config::Config& config, model::NamedTensors parameters);

// Learning rates over epochs and steps.

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
