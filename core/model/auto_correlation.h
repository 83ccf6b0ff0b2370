#pragma once
// Auto-correlation (Wu et al. 2021): attention between delays of a series instead of between its steps.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "model/batch_share.h"

namespace casp::model {

/// Correlation of q and k at each delay, F⁻¹(F(q)·conj(F(k))), averaged over the width; the delay_count()
/// largest delays τᵢ; Σᵢ softmax(correlation)ᵢ · v[t + τᵢ], t + τᵢ modulo T.
///
/// q [B, T, D], k and v [B, S, D] -> [B, T, D]. k and v are cut to T steps (the first ones) or padded with
/// zeros. `per_batch`: the delays are the largest of the mean over the batch (training), and otherwise each
/// window's own (evaluation, so that a forecast does not depend on the batch). `share`: the windows are a
/// part of the batch. Differentiable. 1 <= delay_count() <= delays_available(T).
[[nodiscard]] at::Tensor auto_correlation(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                          std::int64_t factor, bool per_batch,
                                          const BatchShare* share = nullptr);

}  // namespace casp::model
