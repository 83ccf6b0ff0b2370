#pragma once
// What training descends: L_forecast + λ_sim·L_sim + λ_cov·L_cov.

#include <ATen/core/Tensor.h>

#include "model/forecaster.h"

namespace casp::train {

/// The terms of one batch, all scalars fp32 on the device; those of `terms` before weighting.
struct Objective {
    at::Tensor forecast;    ///< mean squared error over [B, H, M], scaled units
    at::Tensor similarity;  ///< L_sim; zero where the model has none
    at::Tensor coverage;    ///< L_cov; zero where the model has none
    at::Tensor total;       ///< the weighted sum; call backward() on it
};

/// target [B, H, M].
[[nodiscard]] Objective objective(const model::Forecast& forecast, const at::Tensor& target);

}  // namespace casp::train
