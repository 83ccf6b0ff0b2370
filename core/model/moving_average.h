#pragma once
// Decomposition of a series into a moving average and the rest, as Autoformer, FEDformer and DLinear compute
// it.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace casp::model {

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

}  // namespace casp::model
