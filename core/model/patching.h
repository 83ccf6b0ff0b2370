#pragma once
// Overlapping patches of a series or of its three components, one vector per patch.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "model/decomposition.h"

namespace casp::model {

/// Number of patches N_p of a window: the right end is padded by one stride with its last value.
[[nodiscard]] constexpr std::int64_t patch_count(std::int64_t lookback, std::int64_t length,
                                                 std::int64_t stride) {
    return (lookback + stride - length) / stride + 1;
}

/// Components [N, L] -> patches [N, N_p, 3·length] fp32, each [trend | seasonal | residual].
[[nodiscard]] at::Tensor make_patches(const Components& parts, std::int64_t length, std::int64_t stride);

/// Rows [N, L] -> patches [N, N_p, length], with the same padding. Differentiable.
[[nodiscard]] at::Tensor make_patches(const at::Tensor& rows, std::int64_t length, std::int64_t stride);

}  // namespace casp::model
