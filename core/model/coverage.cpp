#include "model/coverage.h"

#include <utility>

#include <torch/torch.h>

namespace casp::model {

Coverage::Coverage(std::int64_t pool_size, config::Config::Coverage settings)
    : statistic(at::zeros({pool_size}, at::kFloat)), settings_(std::move(settings)) {}

void Coverage::update(const at::Tensor& similarity, std::int64_t step, const BatchShare* share) {
    const auto warmup = settings_.warmup;
    const double risen = step < warmup ? static_cast<double>(step) / static_cast<double>(warmup) : 1.0;
    const double decay = settings_.decay * risen;
    if (!settings_.stop_gradient) recent_ = batch_mean(at::relu(similarity).mean(0), share) * (1.0 - decay);
    const torch::NoGradGuard no_gradient;
    statistic.mul_(decay);
    if (recent_.defined())
        statistic.add_(recent_);
    else
        statistic.add_(batch_mean(similarity.clamp_min(0.0).mean(0), share), 1.0 - decay);
}

CoverageGate Coverage::gate(const at::Tensor& similarity) {
    const auto s = similarity.detach();
    const auto positive = s > 0.0;
    // The value of c̃, with the gradient of the present batch's part.
    const auto recent = std::exchange(recent_, {});
    const auto c = recent.defined() ? statistic + (recent - recent.detach()) : statistic;
    const double rows = static_cast<double>(similarity.size(0));
    if (settings_.gate == "min") {
        const auto active = positive.logical_and(s < statistic);
        // Written with the mask rather than with minimum() and clamp(), whose gradients at ties are not the
        // paper's.
        auto saturated = at::minimum(s.clamp_min(0.0), statistic);
        if (recent.defined())
            saturated = saturated + (c - statistic) * positive.logical_and(active.logical_not());
        return {at::where(active, similarity, saturated).sum() / rows, active.sum()};
    }
    if (settings_.gate == "product") {
        const auto active = positive.logical_and(statistic > 0.0);
        return {(at::where(positive, similarity, 0.0) * c).sum() / rows, active.sum()};
    }
    const auto active =
        settings_.gate == "threshold" ? positive.logical_and(statistic > statistic.mean()) : positive;
    return {at::where(active, similarity, 0.0).sum() / rows, active.sum()};
}

}  // namespace casp::model
