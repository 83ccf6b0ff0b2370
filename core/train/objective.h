#pragma once
// The training objective: the forecast loss plus the model's weighted terms, L = L_forecast + Σ λ_i·L_i.
// A model whose own terms include the forecast (CALF) sets the weight of L_forecast to 0; it is then only
// logged.

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "model/forecaster.h"
#include "store/run_record.h"

namespace casp::train {

/// The forecast loss of `loss.forecast`, a scalar: mean over all elements of
///   "mse"    (f − y)²
///   "mae"    |f − y|
///   "smape"  200·m·|f − y|/(|f| + |y|), 0 where both are 0 (M4; A.9)
/// prediction f and target y [B, H, T]: the channels that count. As in the public code the denominator of
/// sMAPE carries no gradient. The mask m (1 or 0, [B, H, T]; undefined: all 1) sets elements of any loss to 0
/// without reducing their number. Throws std::invalid_argument for another name.
[[nodiscard]] at::Tensor forecast_loss(const std::string& name, const at::Tensor& prediction,
                                       const at::Tensor& target, const at::Tensor& mask = {});

/// The terms of one batch, all scalars fp32 on the device, without weights.
struct Objective {
    at::Tensor forecast;                 ///< forecast loss over [B, H, T], scaled units
    std::vector<model::LossTerm> terms;  ///< the model's own, detached
    at::Tensor total;                    ///< the weighted sum; call backward() on it
};

/// forecast.prediction and target [B, H, T]; `loss`, `mask`: as in forecast_loss().
[[nodiscard]] Objective objective(const model::Forecast& forecast, const at::Tensor& target,
                                  const std::string& loss = "mse", const at::Tensor& mask = {});

/// The Euclidean norm, over all trainable tensors, of the gradient of each weighted loss term: "forecast"
/// first, then the model's; 0 for a term of weight 0 or without a gradient. `forecast_loss`: of the batch,
/// with its graph, which is kept.
[[nodiscard]] std::vector<store::LossValue> gradient_norms(const at::Tensor& forecast_loss,
                                                           const model::Forecast& forecast,
                                                           const model::NamedTensors& trainable);

}  // namespace casp::train
