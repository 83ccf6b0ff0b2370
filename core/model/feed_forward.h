#pragma once
// The two layers of a transformer's feed-forward network, with the error-function GELU between them.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "model/dropout.h"

namespace casp::model {

/// drop(gelu(x·W₁ᵀ + b₁))·W₂ᵀ + b₂ for x [rows, d] fp32, W₁ [d_ff, d] and W₂ [d, d_ff], also as convolutions
/// of length 1 ([…, …, 1]). Dropout has probability p and a key as in dropout(); p = 0 in evaluation.
///
/// On the CPU it works in slices of rows, so that the d_ff-wide values and their gradients stay in the cache;
/// for the backward pass it keeps the input of GELU only, and computes GELU and dropout again.
[[nodiscard]] at::Tensor feed_forward(const at::Tensor& x, const at::Tensor& w1, const at::Tensor& b1,
                                      const at::Tensor& w2, const at::Tensor& b2, double p,
                                      const DropoutKey& key);

}  // namespace casp::model
