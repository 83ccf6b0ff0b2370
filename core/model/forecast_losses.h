#pragma once
// Losses between forecasts that the training objective and the models share.
//
// A mask m is 1 or 0 for each element; undefined: all 1. As in the public code for M4, masked elements count
// as zeros: they do not reduce the number of elements.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// sMAPE, a scalar: the mean of 200·m·|f − y|/(|f| + |y|), 0 where both are 0. The denominator carries no
/// gradient. Prediction f, target y and mask m [B, H, M].
[[nodiscard]] at::Tensor smape_loss(const at::Tensor& prediction, const at::Tensor& target,
                                    const at::Tensor& mask = {});

/// MASE, a scalar: the mean of m·|f − y|/q, 0 where q is 0. q is the seasonal naive forecast's mean absolute
/// error within the look-back x, mean_t |x_t − x_(t−s)|, of each window and channel. Prediction f, target y
/// and mask m [B, H, M], x [B, L, M], season 1 <= s < L.
[[nodiscard]] at::Tensor mase_loss(const at::Tensor& prediction, const at::Tensor& target,
                                   const at::Tensor& lookback, std::int64_t season,
                                   const at::Tensor& mask = {});

}  // namespace casp::model
