#pragma once
// Classical additive decomposition of whole windows into trend, seasonal part and residual.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// The three additive parts of a batch of rows, each [N, L] float64; trend + seasonal + residual = input.
struct Components {
    at::Tensor trend;
    at::Tensor seasonal;
    at::Tensor residual;
};

/// A fixed linear map x -> (T, S, R), applied to a whole batch at once on its device:
///
///   T[i]  mean of the `trend_length` values around i (pandas' rolling(center=True).mean(): for an even
///   length the
///         window is x[i - w/2 .. i + w/2 - 1]); where the window leaves the series, the nearest defined
///         value
///   S[i]  mean of x - T over all positions with the phase of i, counted from the start modulo
///   `seasonal_length` R     x - T - S
///
/// Agrees with the pandas implementation of S2IP-LLM to 1e-12 in float64.
/// rows [N, L] float64 (float32 is converted); 1 <= trend_length, seasonal_length <= L. Differentiable.
/// On the CPU, where no gradient is asked for, one pass over each row does the same (equal to 1e-12, ten
/// times as fast).
[[nodiscard]] Components decompose(const at::Tensor& rows, std::int64_t trend_length,
                                   std::int64_t seasonal_length);

}  // namespace casp::model
