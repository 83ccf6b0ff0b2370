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
    AdamW(model::NamedTensors parameters, double weight_decay, WeightDecay kind = WeightDecay::decoupled);

    /// From now on tensors that have a constant learning rate in `model` (Forecaster::constant_rate) use it.
    void use_constant_rates(const model::Forecaster& model);

    /// One step with the gradients that the parameters hold (one without a gradient is left as it is); then
    /// drops them. `learning_rate`: of the tensors without a constant rate; `beta1` in [0, 1): decay of the
    /// first moment (schedule.h).
    void step(double learning_rate, double beta1 = 0.9);
    /// The two parts of step(): counting it, and what is the same in each step with these rates.
    void count_step();
    void apply(double learning_rate, double beta1);
    /// The gradients that the parameters hold.
    [[nodiscard]] std::vector<at::Tensor> gradients() const;
    /// Drops all gradients.
    void clear_gradients();

    /// First and second moments as "exp_avg.<name>" and "exp_avg_sq.<name>", the optimiser's own tensors.
    [[nodiscard]] model::NamedTensors moments() const;
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    void set_steps(std::int64_t steps);

private:
    model::NamedTensors parameters_;
    std::vector<std::optional<double>> constant_rates_;
    std::vector<at::Tensor> first_;
    std::vector<at::Tensor> second_;
    at::Tensor step_count_;  ///< on the parameters' device: the kernel wants it as a tensor
    double weight_decay_;
    WeightDecay kind_;
    std::int64_t steps_ = 0;
};

/// The optimiser of `train.optimizer` and `train.weight_decay`.
[[nodiscard]] AdamW make_optimizer(const config::Config& config, model::NamedTensors parameters);

}  // namespace casp::train
