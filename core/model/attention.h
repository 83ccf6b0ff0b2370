#pragma once
// Self-attention with dropout of the probabilities.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "model/dropout.h"

namespace casp::model {

/// Causal multi-head attention, softmax(q kᵀ / √d_h + mask) v, in GPT-2's layout.
///
/// qkv [N, T, 3·d]: q, k and v along the last axis, each split into `heads` of width d_h = d / heads. Returns
/// [N, T, d]. With p = 0 this is LibTorch's fused scaled_dot_product_attention. With dropout (probability p,
/// key as in dropout()) the backward pass recomputes probabilities and masks in slices of rows, so that
/// neither N·heads·T² floats nor the masks are stored.
[[nodiscard]] at::Tensor causal_attention(const at::Tensor& qkv, std::int64_t heads, double p,
                                          const DropoutKey& key);

/// Causal attention without dropout of the tokens after a prefix: qkv [N, T, 3·d] of the tokens, prefix [N,
/// K, 3·d] of the K before them. Returns [N, T, d] of the tokens.
[[nodiscard]] at::Tensor causal_attention_after(const at::Tensor& qkv, const at::Tensor& prefix,
                                                std::int64_t heads);

/// The same of every token to every token, softmax(q kᵀ / √d_h) v.
[[nodiscard]] at::Tensor full_attention(const at::Tensor& qkv, std::int64_t heads, double p,
                                        const DropoutKey& key);

}  // namespace casp::model
