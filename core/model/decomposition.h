#pragma once
// Classical additive decomposition of whole windows into trend, seasonal part and residual.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace casp::model {

// Decomposition of a series into a moving average and the rest, as Autoformer, FEDformer and DLinear compute
// it.

/// Two additive parts of a series, each of its shape.
struct TrendAndSeason {
    at::Tensor trend;   ///< moving average
    at::Tensor season;  ///< x - trend
};

/// series [..., L]; `length`: odd, of the moving average. Both ends are padded with their own value (length -
/// 1) / 2 times, so that the trend has L values. Differentiable.
[[nodiscard]] TrendAndSeason moving_average_parts(const at::Tensor& series, std::int64_t length);

/// weight [..., L] of a linear map that reads the trend. Returns the weights, of the same shape, with which
/// it reads the series itself: result · series = weight · trend. Differentiable.
[[nodiscard]] at::Tensor weights_before_moving_average(const at::Tensor& weight, std::int64_t length);

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
