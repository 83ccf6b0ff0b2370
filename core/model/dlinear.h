#pragma once
// DLinear (Zeng et al. 2023): one linear layer for the trend and one for the rest, without normalisation.

#include <cstdint>
#include <string>

#include "config/config.h"
#include "model/forecaster.h"
#include "model/parameter_set.h"

namespace casp::model {

/// forecast = W_s·(x - T) + b_s + W_t·T + b_t, with T the moving average of x (decomposition.h).
///
/// Tensor names are those of the public code (thuml/Time-Series-Library): Linear_Seasonal.weight [H, L], …
/// and with `individual` Linear_Seasonal.<channel>.weight. As there, weights begin at 1/L and biases at
/// U(±1/√L).
class DLinear : public Forecaster {
public:
    /// `channels`: M of a batch; matters with `individual` only.
    DLinear(const config::Config& config, std::int64_t channels);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] NamedTensors trainable() const override { return parameters_.all(); }
    void to(const at::Device& device) override { parameters_.to(device); }

private:
    /// rows [..., L] -> [..., H], with the layers of this suffix. Computed as one product: W_s·(x - T) +
    /// W_t·T = (W_s + (W_t - W_s)·A)·x with T = A·x, and there are fewer weights than values in a batch.
    [[nodiscard]] at::Tensor apply(const std::string& suffix, const at::Tensor& rows) const;

    std::int64_t moving_average_;
    bool individual_;
    ParameterSet parameters_;
};

}  // namespace casp::model
