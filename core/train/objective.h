#pragma once
// The training objective: the forecast loss plus the model's weighted terms, L = L_forecast + Σ λ_i·L_i.
// A model whose own terms include the forecast (CALF) sets the weight of L_forecast to 0; it is then only
// logged.

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "model/forecaster.h"

namespace casp::train {

/// The terms of one batch, all scalars fp32 on the device, without weights.
struct Objective {
    at::Tensor forecast;                 ///< mean squared error over [B, H, M], scaled units
    std::vector<model::LossTerm> terms;  ///< the model's own, detached
    at::Tensor total;                    ///< the weighted sum; call backward() on it
};

/// target [B, H, M].
[[nodiscard]] Objective objective(const model::Forecast& forecast, const at::Tensor& target);

}  // namespace casp::train
