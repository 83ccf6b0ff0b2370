#pragma once
// Causal self-attention with dropout of the probabilities.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// softmax(q kᵀ / √d_h + causal mask) v for all heads, GPT-2's layout.
///
/// qkv: [N, T, 3·d], q | k | v along the last axis, each split into `heads` of width d_h = d / heads. -> [N,
/// T, d]. Without dropout this is LibTorch's fused scaled_dot_product_attention. With dropout (probability p,
/// key as in dropout()) only qkv is kept for the backward pass: probabilities and masks are computed again,
/// in slices of rows, so that neither N·heads·T² floats nor the masks are ever held at once.
[[nodiscard]] at::Tensor causal_attention(const at::Tensor& qkv, std::int64_t heads, double p,
                                          std::uint64_t key);

}  // namespace casp::model
