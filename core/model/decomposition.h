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

/// Classical seasonal-trend decomposition x = T + S + R of rows x [N, L], on their device. With t the trend
/// length and p the seasonal length:
///
///   T[i]  mean of the t values around i; for even t the window is x[i - t/2 .. i + t/2 - 1]. Where the
///         window leaves the series: the nearest defined value (as pandas' centred rolling mean, filled)
///   S[i]  mean of x - T over all positions j with j mod p = i mod p
///   R     x - T - S
///
/// Agrees with S2IP-LLM's pandas implementation to 1e-12 in float64; float32 rows are converted. 1 <= t, p <=
/// L. A fixed linear map, hence differentiable. Without gradients on the CPU, a single pass over each row
/// computes the same to 1e-12, ten times as fast.
[[nodiscard]] Components decompose(const at::Tensor& rows, std::int64_t trend_length,
                                   std::int64_t seasonal_length);

}  // namespace casp::model
