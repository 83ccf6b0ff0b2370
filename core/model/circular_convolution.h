#pragma once
// Convolution of length 3 over time whose ends are joined.

#include <ATen/core/Tensor.h>

namespace casp::model {

/// y[t] = W₀·x[t - 1] + W₁·x[t] + W₂·x[t + 1], indices modulo T; no bias. x [B, T, C], weight [D, C, 3] (the
/// layout of a Conv1d) -> [B, T, D]. Differentiable.
[[nodiscard]] at::Tensor circular_convolution(const at::Tensor& x, const at::Tensor& weight);

}  // namespace casp::model
