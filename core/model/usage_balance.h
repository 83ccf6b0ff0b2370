#pragma once
// Usage-balancing losses that can take the coverage loss's place (coverage.term; the paper's appendix
// "Usage-Balancing Objectives"; formulas: docs/decisions/0013).

#include <ATen/core/Tensor.h>

#include "model/batch_share.h"

namespace casp::model {

/// Soft usage p of a batch: p_j = u_j / Σu with u = mean over rows of max(s, 0), for similarities [N, V'].
/// [V'] float64, differentiable: ∂max(s, 0)/∂s is 1 where s > 0 and 0 elsewhere. Uniform, without a gradient,
/// if no similarity is positive. `share`: the rows are a part of the batch; p is that of all.
[[nodiscard]] at::Tensor soft_usage(const at::Tensor& similarity, const BatchShare* share = nullptr);

/// Negative entropy Σ p ln p, in [−ln V', 0]. All three: usage [V'] -> scalar fp32.
[[nodiscard]] at::Tensor entropy_loss(const at::Tensor& usage);

/// KL divergence of the usage to the uniform one, ln V' + Σ p ln p, in [0, ln V']. Same gradient as
/// entropy_loss().
[[nodiscard]] at::Tensor kl_uniform_loss(const at::Tensor& usage);

/// Load balancing of Switch Transformers (Fedus et al., 2022, eq. 4): V'·Σ f_j p_j with f_j the fraction of
/// retrievals `index` [N, K] that fall on anchor j (no gradient). 1 where f or p is uniform.
[[nodiscard]] at::Tensor switch_loss(const at::Tensor& usage, const at::Tensor& index);

}  // namespace casp::model
