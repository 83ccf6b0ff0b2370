#include "model/usage_balance.h"

#include <cmath>

#include <torch/torch.h>

#include "model/retrieval.h"

namespace casp::model {

namespace {

constexpr double smallest = 1e-30;  // keeps 1/Σu and ln p finite where the value does not count

at::Tensor negative_entropy(const at::Tensor& usage) {
    return (usage * usage.clamp_min(smallest).log()).sum();
}

}  // namespace

at::Tensor soft_usage(const at::Tensor& similarity, const BatchShare* share) {
    // In double from here on: ln V' + Σ p ln p is a small difference near uniform usage.
    const auto mean = batch_mean(at::relu(similarity).mean(0).to(at::kDouble), share);
    const auto total = mean.sum();
    const auto uniform = at::full_like(mean, 1.0 / static_cast<double>(mean.numel()));
    return at::where(total > 0, mean / total.clamp_min(smallest), uniform);
}

at::Tensor entropy_loss(const at::Tensor& usage) { return negative_entropy(usage).to(at::kFloat); }

at::Tensor kl_uniform_loss(const at::Tensor& usage) {
    return (negative_entropy(usage) + std::log(static_cast<double>(usage.numel()))).to(at::kFloat);
}

at::Tensor switch_loss(const at::Tensor& usage, const at::Tensor& index) {
    const auto counts = at::zeros({usage.numel()}, index.options());
    count_retrievals(counts, index);
    const double scale = static_cast<double>(usage.numel()) / static_cast<double>(index.numel());
    return ((counts.to(at::kDouble) * usage).sum() * scale).to(at::kFloat);
}

}  // namespace casp::model
