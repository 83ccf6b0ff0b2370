// The trainer's part of a run that several processes train.
#include <algorithm>
#include <cstdio>

#include <torch/torch.h>

#include "train/trainer.h"

namespace casp::train {

void Trainer::report_exchange() {
    if (exchanging_steps_ == 0) return;
    char megabytes[32];
    std::snprintf(megabytes, sizeof megabytes, "%.3g",
                  static_cast<double>(exchanged_) / 1e6 / static_cast<double>(exchanging_steps_));
    log_.on_message(MessageLevel::info,
                    std::to_string(group_->size()) + " processes exchanged " + megabytes + " MB per step");
}

void Trainer::restore_after_loss() {
    const torch::NoGradGuard no_gradient;
    group_ = nullptr;
    optimizer_.clear_gradients();
    const auto state = model_.state();
    for (std::size_t i = 0; i < state_before_step_.size(); ++i)
        state[i].value.copy_(state_before_step_[i].value);
}

void Trainer::take_state() {
    const torch::NoGradGuard no_gradient;
    auto& s = state_;
    std::int64_t ended = s.ended_early ? 1 : 0, optimizer_steps = optimizer_.steps();
    const std::vector<std::int64_t*> counts{&s.step,
                                            &s.epoch,
                                            &s.position,
                                            &s.epoch_items,
                                            &s.snapshot_step,
                                            &s.fork_step,
                                            &s.fork_epoch,
                                            &s.parent_steps,
                                            &s.stopping.best_epoch,
                                            &s.stopping.best_step,
                                            &s.stopping.waited,
                                            &ended,
                                            &optimizer_steps};
    const std::vector<double*> values{&s.epoch_loss, &s.stopping.best};
    std::vector<std::int64_t> count_values;
    for (const auto* count : counts) count_values.push_back(*count);
    auto counted = at::tensor(count_values, at::kLong);
    auto measured = at::tensor({s.epoch_loss, s.stopping.best}, at::kDouble);

    std::vector<at::Tensor> tensors{counted, measured};
    for (const auto& list : {model_.trainable(), model_.state(), optimizer_.moments()})
        for (const auto& tensor : list) tensors.push_back(tensor.value);
    if (s.usage.defined()) tensors.push_back(s.usage);
    group_->broadcast(tensors);

    for (std::size_t i = 0; i < counts.size(); ++i)
        *counts[i] = counted[static_cast<std::int64_t>(i)].item<std::int64_t>();
    for (std::size_t i = 0; i < values.size(); ++i)
        *values[i] = measured[static_cast<std::int64_t>(i)].item<double>();
    s.ended_early = ended != 0;
    optimizer_.set_steps(optimizer_steps);
    model_.weights_replaced();
}

std::optional<model::BatchShare> Trainer::share_of(std::int64_t count) {
    whole_.clear();
    if (group_ == nullptr || count < group_->size()) return std::nullopt;
    const auto border = [&](std::int64_t rank) { return count * rank / group_->size(); };
    model::BatchShare share;
    share.first = border(group_->rank());
    share.windows = border(group_->rank() + 1) - share.first;
    share.whole = count;
    share.sum = [group = group_](const at::Tensor& tensor) { return group->sum_with_gradient(tensor); };
    share.largest = [group = group_](std::int64_t value) { return group->largest(value); };
    share.sum_gradient = [this](const at::Tensor& tensor, const std::vector<at::Tensor>& parameters) {
        group_->sum_gradient(tensor);
        whole_.insert(whole_.end(), parameters.begin(), parameters.end());
    };
    return share;
}

std::vector<at::Tensor> Trainer::partial_gradients() const {
    auto gradients = optimizer_.gradients();
    std::erase_if(gradients, [&](const at::Tensor& gradient) {
        return std::any_of(whole_.begin(), whole_.end(),
                           [&](const at::Tensor& parameter) { return parameter.grad().is_same(gradient); });
    });
    return gradients;
}

void Trainer::keep_state_before_step() {
    const torch::NoGradGuard no_gradient;
    state_before_step_ = model_.state();
    for (auto& tensor : state_before_step_) tensor.value = tensor.value.clone();
}

}  // namespace casp::train
