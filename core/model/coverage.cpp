#include "model/coverage.h"

#include <torch/torch.h>

namespace casp::model {

Coverage::Coverage(std::int64_t pool_size, double decay, std::int64_t warmup)
    : statistic(at::zeros({pool_size}, at::kFloat)), decay_(decay), warmup_(warmup) {}

void Coverage::update(const at::Tensor& similarity, std::int64_t step, const BatchShare* share) {
    const torch::NoGradGuard no_gradient;
    const double risen = step < warmup_ ? static_cast<double>(step) / static_cast<double>(warmup_) : 1.0;
    const double decay = decay_ * risen;
    statistic.mul_(decay).add_(batch_mean(similarity.clamp_min(0.0).mean(0), share), 1.0 - decay);
}

CoverageGate Coverage::gate(const at::Tensor& similarity) const {
    const auto s = similarity.detach();
    const auto active = (s > 0.0).logical_and_(s < statistic);
    // Written with the mask rather than with minimum() and clamp(), whose gradients at ties are not the
    // paper's.
    const auto saturated = at::minimum(s.clamp_min(0.0), statistic);
    const auto loss =
        at::where(active, similarity, saturated).sum() / static_cast<double>(similarity.size(0));
    return {loss, active.sum()};
}

}  // namespace casp::model
