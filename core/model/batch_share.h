#pragma once
// The part of a training batch that one of several processes computes.

#include <cstdint>
#include <functional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// Windows first … first + windows − 1 of a batch of `whole` windows; the other processes compute the rest.
///
/// The batch's objective is Σ fraction()·L over the processes, with L the objective of the windows here. A
/// mean over rows needs nothing else; a model that uses such a mean in another way takes it by batch_mean().
struct BatchShare {
    std::int64_t first = 0, windows = 1, whole = 1;
    /// Sum over the processes, called by all of them in the same order. Differentiable, any shape.
    std::function<at::Tensor(const at::Tensor&)> sum;
    /// Largest value over the processes, likewise.
    std::function<std::int64_t(std::int64_t)> largest;
    /// In the backward pass, the gradient of `tensor` is summed over the processes before it goes on to
    /// `parameters`, which must reach the objective through `tensor` only. Their gradients are then those of
    /// the whole batch; the trainer sums all others.
    std::function<void(const at::Tensor& tensor, const std::vector<at::Tensor>& parameters)> sum_gradient;

    [[nodiscard]] double fraction() const {
        return static_cast<double>(windows) / static_cast<double>(whole);
    }
};

/// The mean over the rows of the whole batch, given the mean over the rows here. `share` null: the same.
[[nodiscard]] inline at::Tensor batch_mean(const at::Tensor& mean, const BatchShare* share) {
    return share != nullptr ? share->sum(mean * share->fraction()) : mean;
}

/// BatchShare::sum_gradient, if `tensor` is smaller than `parameters`: less is exchanged. For parameters
/// whose gradient is linear in that of `tensor`, with factors that all processes have, as of W in W·E with a
/// frozen E. `share` null: no effect.
inline void sum_gradient(const at::Tensor& tensor, const std::vector<at::Tensor>& parameters,
                         const BatchShare* share) {
    if (share == nullptr || !tensor.requires_grad()) return;
    std::int64_t elements = 0;
    for (const auto& parameter : parameters) elements += parameter.numel();
    if (tensor.numel() < elements) share->sum_gradient(tensor, parameters);
}

}  // namespace casp::model
