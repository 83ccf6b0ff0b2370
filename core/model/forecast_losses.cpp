#include "model/forecast_losses.h"

#include <torch/torch.h>

namespace casp::model {

namespace {

/// numerator / denominator, 0 where the denominator is 0.
at::Tensor ratio(const at::Tensor& numerator, const at::Tensor& denominator) {
    const auto zero = denominator == 0;
    return (numerator / denominator.masked_fill(zero, 1)).masked_fill(zero, 0);
}

at::Tensor masked_mean(const at::Tensor& elements, const at::Tensor& mask) {
    return mask.defined() ? (elements * mask).mean() : elements.mean();
}

}  // namespace

at::Tensor smape_loss(const at::Tensor& prediction, const at::Tensor& target, const at::Tensor& mask) {
    const auto size = prediction.detach().abs() + target.detach().abs();
    return 200 * masked_mean(ratio((prediction - target).abs(), size), mask);
}

at::Tensor mase_loss(const at::Tensor& prediction, const at::Tensor& target, const at::Tensor& lookback,
                     std::int64_t season, const at::Tensor& mask) {
    const auto later = lookback.slice(1, season), earlier = lookback.slice(1, 0, lookback.size(1) - season);
    const auto naive_error = (later - earlier).abs().mean(1, /*keepdim=*/true);
    return masked_mean(ratio((prediction - target).abs(), naive_error), mask);
}

}  // namespace casp::model
