#include "train/optimizer.h"

#include <map>

#include <torch/torch.h>

#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>

namespace casp::train {

namespace {
constexpr double beta2 = 0.999;
constexpr double epsilon = 1e-8;
}  // namespace

AdamW::AdamW(model::NamedTensors parameters, double weight_decay, WeightDecay kind)
    : parameters_(std::move(parameters)),
      constant_rates_(parameters_.size()),
      weight_decay_(weight_decay),
      kind_(kind) {
    const torch::NoGradGuard no_gradient;
    for (const auto& parameter : parameters_) {
        first_.push_back(at::zeros_like(parameter.value));
        second_.push_back(at::zeros_like(parameter.value));
    }
    if (!parameters_.empty())
        step_count_ = at::zeros({}, parameters_.front().value.options().requires_grad(false));
}

void AdamW::use_constant_rates(const model::Forecaster& model) {
    for (std::size_t i = 0; i < parameters_.size(); ++i)
        constant_rates_[i] = model.constant_rate(parameters_[i].name);
}

void AdamW::step(double learning_rate, double beta1) {
    count_step();
    apply(learning_rate, beta1);
}

void AdamW::count_step() {
    const torch::NoGradGuard no_gradient;
    ++steps_;
    if (step_count_.defined()) step_count_.fill_(static_cast<double>(steps_));
}

void AdamW::apply(double learning_rate, double beta1) {
    const torch::NoGradGuard no_gradient;
    struct Group {
        std::vector<at::Tensor> values, gradients, first, second;
    };
    std::map<double, Group> groups;  // by learning rate
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        const auto& gradient = parameters_[i].value.grad();
        if (!gradient.defined()) continue;
        auto& group = groups[constant_rates_[i].value_or(learning_rate)];
        group.values.push_back(parameters_[i].value);
        group.gradients.push_back(gradient.contiguous());
        group.first.push_back(first_[i]);
        group.second.push_back(second_[i]);
    }
    for (auto& [rate, group] : groups) {
        const std::vector<at::Tensor> counts(group.values.size(), step_count_);
        constexpr bool amsgrad = false, maximize = false;
        if (kind_ == WeightDecay::decoupled)
            at::_fused_adamw_(group.values, group.gradients, group.first, group.second, {}, counts, rate,
                              beta1, beta2, weight_decay_, epsilon, amsgrad, maximize);
        else
            at::_fused_adam_(group.values, group.gradients, group.first, group.second, {}, counts, rate,
                             beta1, beta2, weight_decay_, epsilon, amsgrad, maximize);
    }
    clear_gradients();
}

std::vector<at::Tensor> AdamW::gradients() const {
    std::vector<at::Tensor> gradients;
    for (const auto& parameter : parameters_)
        if (parameter.value.grad().defined()) gradients.push_back(parameter.value.grad());
    return gradients;
}

void AdamW::clear_gradients() {
    for (auto& parameter : parameters_) parameter.value.mutable_grad() = at::Tensor();
}

model::NamedTensors AdamW::moments() const {
    model::NamedTensors tensors;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
        tensors.push_back({"exp_avg." + parameters_[i].name, first_[i]});
        tensors.push_back({"exp_avg_sq." + parameters_[i].name, second_[i]});
    }
    return tensors;
}

void AdamW::set_steps(std::int64_t steps) { steps_ = steps; }

AdamW make_optimizer(const config::Config& config, model::NamedTensors parameters) {
    return {std::move(parameters), config.train.weight_decay,
            config.train.optimizer == "adam" ? WeightDecay::in_gradient : WeightDecay::decoupled};
}

}  // namespace casp::train
