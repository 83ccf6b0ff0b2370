#include "train/optimizer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <torch/torch.h>

#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>

namespace casp::train {

namespace {

/// Half a cosine from `start` (fraction 0) to `end` (fraction 1).
double annealed(double start, double end, double fraction) {
    return end + (start - end) / 2 * (1 + std::cos(std::numbers::pi * fraction));
}

double cosine_rate(const config::Config& config, std::int64_t epoch) {
    constexpr double lowest = 1e-8;
    const auto period = config.train.t_max > 0 ? config.train.t_max : config.train.epochs;
    return annealed(config.train.learning_rate, lowest,
                    static_cast<double>(epoch - 1) / static_cast<double>(period));
}

StepRates one_cycle(const config::Config& config, const TrainingPlace& place) {
    constexpr double first_divisor = 25, last_divisor = 1e4;
    constexpr double high_beta1 = 0.95, low_beta1 = 0.85;
    const double highest = config.train.learning_rate;
    const double first = highest / first_divisor, last = first / last_divisor;
    const double last_step = static_cast<double>(config.train.epochs * place.steps_per_epoch) - 1;
    const double step =
        std::min(static_cast<double>((place.epoch - 1) * place.steps_per_epoch + place.position), last_step);
    const double turn = config.train.pct_start * (last_step + 1) - 1;
    if (step <= turn) {
        const double fraction = turn > 0 ? step / turn : 1;
        return {annealed(first, highest, fraction), annealed(high_beta1, low_beta1, fraction)};
    }
    const double fraction = (step - turn) / (last_step - turn);
    return {annealed(highest, last, fraction), annealed(low_beta1, high_beta1, fraction)};
}

constexpr double beta2 = 0.999;
constexpr double epsilon = 1e-8;

}  // namespace

AdamW::AdamW(model::NamedTensors parameters, double weight_decay, WeightDecay kind, double max_norm)
    : parameters_(std::move(parameters)),
      constant_rates_(parameters_.size()),
      weight_decay_(weight_decay),
      kind_(kind),
      max_norm_(max_norm) {
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

void AdamW::clip_gradients() {
    const auto whole = gradients();
    if (max_norm_ <= 0 || whole.empty()) return;
    const auto norm = at::linalg_vector_norm(at::stack(at::_foreach_norm(whole)));
    // clamp_max() keeps NaN: a gradient that is not finite is reported, not hidden.
    at::_foreach_mul_(whole, (max_norm_ / (norm + 1e-6)).clamp_max(1.0));
}

void AdamW::step(double learning_rate, double beta1) {
    const torch::NoGradGuard no_gradient;
    clip_gradients();
    if (step_count_.defined()) step_count_.add_(1);  // by the device, so that a record counts, too
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

std::int64_t AdamW::steps() const {
    return step_count_.defined() ? std::llround(step_count_.item<double>()) : 0;
}

void AdamW::set_steps(std::int64_t steps) {
    const torch::NoGradGuard no_gradient;
    if (step_count_.defined()) step_count_.fill_(static_cast<double>(steps));
}

AdamW make_optimizer(const config::Config& config, model::NamedTensors parameters) {
    return {std::move(parameters), config.train.weight_decay,
            config.train.optimizer == "adam" ? WeightDecay::in_gradient : WeightDecay::decoupled,
            config.train.max_grad_norm};
}

StepRates rates_at(const config::Config& config, const TrainingPlace& place) {
    const auto& schedule = config.train.schedule;
    const double initial = config.train.learning_rate;
    const auto exponent = static_cast<double>(std::max<std::int64_t>(0, place.epoch - 2));
    if (schedule == "exponential") return {initial * std::pow(0.9, exponent)};
    if (schedule == "halving") return {initial * std::pow(0.5, exponent)};
    if (schedule == "cosine") return {cosine_rate(config, place.epoch)};
    if (schedule == "one-cycle" && place.steps_per_epoch > 0) return one_cycle(config, place);
    return {initial};
}

}  // namespace casp::train
