#pragma once
// DLinear (Zeng et al. 2023): one linear layer for the trend and one for the rest, without normalisation.

#include <cstdint>
#include <vector>

#include "model/forecaster.h"

namespace casp::model {

/// Shape of DLinear; names and defaults as in the configuration.
struct DLinearSettings {
    std::int64_t lookback = 512;   ///< L
    std::int64_t horizon = 96;     ///< H
    std::int64_t channels = 1;     ///< M of a batch; used with `individual` only
    std::int64_t moving_avg = 25;  ///< length of the moving average, odd
    bool individual = false;       ///< two layers for each channel instead of two that all share
    std::uint64_t seed = 2021;     ///< of the biases
};

/// forecast = W_s·(x - T) + b_s + W_t·T + b_t, with T the moving average of x (moving_average.h).
///
/// Tensor names are those of the public code (thuml/Time-Series-Library): Linear_Seasonal.weight [H, L], …
/// and with `individual` Linear_Seasonal.<channel>.weight. As there, weights begin at 1/L and biases at
/// U(±1/√L).
class DLinear : public Forecaster {
public:
    explicit DLinear(const DLinearSettings& settings);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] NamedTensors trainable() const override;
    void to(const at::Device& device) override;

private:
    struct Layer {
        at::Tensor weight, bias;  ///< [H, L], [H]
    };
    /// rows [..., L] -> [..., H]. Computed as one product: W_s·(x - T) + W_t·T = (W_s + (W_t - W_s)·A)·x with
    /// T = A·x, and there are fewer weights than values in a batch.
    [[nodiscard]] at::Tensor apply(std::size_t layer, const at::Tensor& rows) const;

    DLinearSettings settings_;
    std::vector<Layer> seasonal_, trend_;  ///< one, or with `individual` one per channel
};

}  // namespace casp::model
