#pragma once
// AdamW with its state in the open, so that a checkpoint can hold it.

#include <cstdint>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "model/forecaster.h"
#include "model/parameters.h"

namespace casp::train {

/// AdamW (decoupled weight decay, β = 0.9 and 0.999, ε = 1e-8) on all given tensors, LibTorch's fused kernel.
class AdamW {
public:
    AdamW(model::NamedTensors parameters, double weight_decay);

    /// From now on tensors that have a constant learning rate in `model` (Forecaster::constant_rate) use it.
    void use_constant_rates(const model::Forecaster& model);

    /// One step with the gradients that the parameters hold (one without a gradient is left as it is); then
    /// drops them. `learning_rate`: of the tensors without a constant rate.
    void step(double learning_rate);
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
    std::int64_t steps_ = 0;
};

}  // namespace casp::train
