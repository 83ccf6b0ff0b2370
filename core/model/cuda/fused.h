#pragma once
// Parts of a step that the program's kernels compute on a GPU. Where they are not there (kernels.h), the
// functions return nothing, and the caller computes the same with LibTorch's operators.

#include <cstdint>
#include <optional>

#include <ATen/core/Tensor.h>

#include "model/cuda/keyed_mask.h"

namespace casp::model {
struct DropoutKey;
struct Tokens;
}  // namespace casp::model

namespace casp::model::cuda {

/// Whether keyed_dropout() takes tensors like x (fp32 or bf16).
[[nodiscard]] bool has_keyed_dropout(const at::Tensor& x);

/// y = mask · x / (1 - p), both dense, of one type and shape.
void keyed_dropout(const at::Tensor& x, const at::Tensor& y, const KeyedMask& mask, const DropoutKey& key);

struct NormedSum {
    at::Tensor sum;     ///< x' = x + dropout(branch), [.., d] fp32; x itself without a branch
    at::Tensor normed;  ///< LayerNorm(x'), [.., d] fp32 or bf16
};

/// The residual sum and the norm that follows, in one pass each way, with the gradients of x, branch, γ and
/// β. x [.., d] fp32; branch of the same shape in fp32 or bf16, or undefined; γ, β [d] fp32. In bf16 the
/// branch and the norm are both bf16, but for the last norm of a backbone, which is fp32 (`half` false).
[[nodiscard]] std::optional<NormedSum> residual_norm(const at::Tensor& x, const at::Tensor& branch,
                                                     const at::Tensor& gamma, const at::Tensor& beta,
                                                     double epsilon, double p, const DropoutKey& key,
                                                     bool half);

/// Attention of bf16 tensors with dropout, as causal_attention() and full_attention() (attention.h) with
/// masks of `slice` rows each. T ≤ 128; heads of 16, 32, 48 or 64.
[[nodiscard]] std::optional<at::Tensor> attention(const at::Tensor& qkv, std::int64_t heads, bool causal,
                                                  double p, const DropoutKey& key, std::int64_t slice);

// What is before the backbone, in one pass over memory each way: tokens, patches, norms of anchors and
// queries. Where a kernel cannot be used (kernels.h), the functions return nothing, and the caller computes
// the same with LibTorch's operators.

/// dropout(tokens + positions) [N, T, d] fp32, with the gradients of both. positions [T, d].
[[nodiscard]] std::optional<at::Tensor> join_tokens(const Tokens& tokens, const at::Tensor& positions,
                                                    double p, const DropoutKey& key);

/// make_patches() of decompose(): normalised look-backs [B, L, M] to patches [B·M, N_p, 3·length], with the
/// CPU's bits. Without a gradient.
[[nodiscard]] std::optional<at::Tensor> decomposed_patches(const at::Tensor& lookback, std::int64_t trend,
                                                           std::int64_t period, std::int64_t length,
                                                           std::int64_t stride);

/// l2_normalise() (anchor_pool.h) of fp32 rows [.., d], with its gradient.
[[nodiscard]] std::optional<at::Tensor> l2_norm(const at::Tensor& x);

}  // namespace casp::model::cuda
