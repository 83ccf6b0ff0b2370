#include "train/joint_training.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include <torch/torch.h>

#include "util/phrase.h"

namespace casp::train {

void JointTraining::agree_on_request(StopControl& stop) {
    stop.ask(static_cast<StopRequest>(group_.largest(static_cast<std::int64_t>(stop.request()))));
}

void JointTraining::take_state() {
    const torch::NoGradGuard no_gradient;
    std::int64_t ended = state_.ended_early ? 1 : 0, optimizer_steps = optimizer_.steps();
    auto numbers = state_.numbers();
    numbers.push_back({"ended_early", &ended});
    numbers.push_back({"optimizer_steps", &optimizer_steps});
    auto counts = at::empty({std::ssize(numbers)}, at::kLong);
    for (std::size_t i = 0; i < numbers.size(); ++i) counts.data_ptr<std::int64_t>()[i] = *numbers[i].value;
    auto values = at::tensor({state_.epoch_loss, state_.stopping.best}, at::kDouble);

    std::vector<at::Tensor> tensors{counts, values};
    for (const auto& list : {model_.trainable(), model_.state(), optimizer_.moments()})
        for (const auto& tensor : list) tensors.push_back(tensor.value);
    if (state_.usage.defined()) tensors.push_back(state_.usage);
    group_.broadcast(tensors);

    for (std::size_t i = 0; i < numbers.size(); ++i) *numbers[i].value = counts.data_ptr<std::int64_t>()[i];
    state_.epoch_loss = values[0].item<double>();
    state_.stopping.best = values[1].item<double>();
    state_.ended_early = ended != 0;
    optimizer_.set_steps(optimizer_steps);
    model_.weights_replaced();
}

StepValues JointTraining::step(const at::Tensor& items, const StepWork& work) {
    const auto exchanged_before = group_.bytes();
    before_step_ = model_.state();
    for (auto& tensor : before_step_) tensor.value = tensor.value.detach().clone();
    const auto count = items.size(0);
    const auto share = share_of(count);
    const bool is_counted = share || group_.rank() == 0;  // windows that all compute count once
    StepPart part{share ? &*share : nullptr, share ? share->fraction() : 1.0 / group_.size()};
    part.complete = [&](StepValues& values) {
        const torch::NoGradGuard no_gradient;
        auto weights = at::full_like(values.logged, part.weight);
        weights[2] = is_counted ? 1 : 0;
        values.logged.mul_(weights);
        auto sums = partial_gradients();
        sums.push_back(values.logged);
        if (values.usage.defined()) sums.push_back(is_counted ? values.usage : values.usage.zero_());
        group_.sum(sums);
    };
    const auto first = share ? share->first : 0;
    auto values = work(items.slice(0, first, first + (share ? share->windows : count)), part);
    before_step_.clear();
    exchanged_ += group_.bytes() - exchanged_before;
    ++steps_;
    return values;
}

void JointTraining::restore() {
    const torch::NoGradGuard no_gradient;
    optimizer_.clear_gradients();
    const auto state = model_.state();
    for (std::size_t i = 0; i < before_step_.size(); ++i) state[i].value.copy_(before_step_[i].value);
}

void JointTraining::finish(TrainObserver& observer) {
    if (steps_ > 0) {
        char megabytes[32];
        std::snprintf(megabytes, sizeof megabytes, "%.3g",
                      static_cast<double>(exchanged_) / 1e6 / static_cast<double>(steps_));
        observer.on_message(MessageLevel::info,
                            Phrase("%1 processes exchanged %2 MB per step", group_.size(), megabytes));
    }
    group_.finish();
}

std::optional<model::BatchShare> JointTraining::share_of(std::int64_t count) {
    whole_.clear();
    if (count < group_.size()) return std::nullopt;
    const auto border = [&](std::int64_t rank) { return count * rank / group_.size(); };
    model::BatchShare share;
    share.first = border(group_.rank());
    share.windows = border(group_.rank() + 1) - share.first;
    share.whole = count;
    share.sum = [group = &group_](const at::Tensor& tensor) { return group->sum_with_gradient(tensor); };
    share.largest = [group = &group_](std::int64_t value) { return group->largest(value); };
    share.sum_gradient = [this](const at::Tensor& tensor, const std::vector<at::Tensor>& parameters) {
        group_.sum_gradient(tensor);
        whole_.insert(whole_.end(), parameters.begin(), parameters.end());
    };
    return share;
}

std::vector<at::Tensor> JointTraining::partial_gradients() const {
    auto gradients = optimizer_.gradients();
    std::erase_if(gradients, [&](const at::Tensor& gradient) {
        return std::any_of(whole_.begin(), whole_.end(),
                           [&](const at::Tensor& parameter) { return parameter.grad().is_same(gradient); });
    });
    return gradients;
}

}  // namespace casp::train
