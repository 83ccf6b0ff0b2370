#pragma once
// What is before the backbone, in one pass over memory each way: tokens, patches, norms of anchors and
// queries. Where a kernel cannot be used (kernels.h), the functions return nothing, and the caller computes
// the same with LibTorch's operators.

#include <cstdint>
#include <optional>

#include <ATen/core/Tensor.h>

namespace casp::model {
struct DropoutKey;
struct Tokens;
}  // namespace casp::model

namespace casp::model::cuda {

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
