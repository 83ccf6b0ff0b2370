#include "model/instance_norm.h"

#include <torch/torch.h>

namespace casp::model {

namespace {
constexpr double epsilon = 1e-5;
}

at::Tensor InstanceNorm::normalise(const at::Tensor& x, InstanceStatistics& statistics,
                                   bool rounded_once) const {
    {
        const torch::NoGradGuard no_gradient;
        const auto type = x.scalar_type();
        auto [variance, mean] = at::var_mean(rounded_once ? x.to(at::kDouble) : x, at::IntArrayRef{1},
                                             /*correction=*/std::optional<at::Scalar>(0), /*keepdim=*/true);
        variance = variance.to(type) + epsilon;
        // LibTorch's float32 root is not correctly rounded on every processor.
        if (rounded_once) variance = variance.to(at::kDouble);
        statistics = {mean.to(type), variance.sqrt().to(type)};
    }
    auto y = (x - statistics.mean) / statistics.deviation;
    return affine() ? y * weight_ + bias_ : y;
}

at::Tensor InstanceNorm::denormalise(const at::Tensor& y, const InstanceStatistics& statistics) const {
    // RevIN divides by weight + epsilon², so that a weight of zero cannot make the forecast infinite.
    const auto plain = affine() ? (y - bias_) / (weight_ + epsilon * epsilon) : y;
    return plain * statistics.deviation + statistics.mean;
}

at::Tensor InstanceNorm::normalised_rows(const at::Tensor& x, InstanceStatistics& statistics,
                                         bool rounded_once) const {
    return normalise(x, statistics, rounded_once).transpose(1, 2).flatten(0, 1);
}

at::Tensor InstanceNorm::denormalised_rows(const at::Tensor& rows,
                                           const InstanceStatistics& statistics) const {
    return denormalise(rows.unflatten(0, {statistics.mean.size(0), -1}).transpose(1, 2), statistics);
}

}  // namespace casp::model
