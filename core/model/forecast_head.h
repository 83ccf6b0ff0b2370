#pragma once
// From hidden states to the forecast.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "model/parameter_set.h"

namespace casp::model {

/// The layer "out_layer" over `ways` contiguous parts of the flattened hidden states [N, T, d], summed, in
/// normalised units [N, H]: Σ_w (W h_w + b) = W (Σ_w h_w) + ways·b, which costs one product instead of
/// `ways`. T·d must be divisible by `ways`.
///
/// With ways = 3 these are the three token thirds of S2IP-LLM (the cut may fall inside a token; the outputs
/// at the prompt positions are included); ways = 1 is the plain flatten head of the paper's ablation.
[[nodiscard]] at::Tensor forecast_head(const ParameterSet& parameters, const at::Tensor& hidden,
                                       std::int64_t ways);

}  // namespace casp::model
