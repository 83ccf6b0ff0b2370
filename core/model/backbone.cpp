#include "model/backbone.h"

#include <torch/torch.h>

#include "model/anchor_pool.h"
#include "model/half_copy.h"

namespace casp::model {

Backbone::Backbone(const config::Config& config, bool token_table) {
    const auto& b = config.backbone;
    if (b.kind == "gpt2") {
        gpt2_.emplace(b);
        return;
    }
    if (b.kind != "none") layer_.emplace(b, static_cast<std::uint64_t>(config.train.seed));
    if (token_table) token_table_ = untrained_token_table(b);
}

at::Tensor Backbone::forward(const Tokens& tokens, DropoutStream* dropout, bool half) {
    if (gpt2_) return gpt2_->forward(tokens, dropout, half);
    return layer_ ? layer_->forward(tokens.joined(), dropout, half) : tokens.joined();
}

at::Tensor Backbone::forward_prompted(const Tokens& tokens, const at::Tensor& prefix, bool half) {
    if (!gpt2_ || !prefix.is_cpu())
        return forward(tokens, nullptr, half);  // a GPU would wait for the number of prefixes
    const auto rows = prefix.size(0);
    const auto [distinct, which, counts] = at::unique_dim(prefix, 0, true, true);
    if (2 * distinct.size(0) > rows) return forward(tokens, nullptr, half);
    const auto first = at::full({distinct.size(0)}, rows, which.options())
                           .scatter_reduce_(0, which, at::arange(rows, which.options()), "amin");
    return gpt2_->forward_shared(tokens, {first, which}, half);
}

void Backbone::cancel_on(const std::stop_token& stop) {
    if (gpt2_) gpt2_->cancel_on(stop);
}

NamedTensors Backbone::trainable() const {
    if (gpt2_) return gpt2_->trainable();
    return layer_ ? layer_->trainable() : NamedTensors();
}

NamedTensors Backbone::frozen() const {
    if (gpt2_) return gpt2_->frozen();
    if (!token_table_.defined()) return {};
    return {{"gpt2.wte.weight", token_table_}};
}

void Backbone::to(const at::Device& device) {
    if (gpt2_) gpt2_->to(device);
    if (layer_) layer_->to(device);
    if (token_table_.defined()) token_table_ = token_table_.to(device);
    forget_copies();
}

void Backbone::forget_copies() {
    if (gpt2_) gpt2_->forget_copies();
    half_token_table_.reset();
}

const at::Tensor& Backbone::half_token_table() const {
    if (!half_token_table_.defined())
        half_token_table_ = half_copy(token_table(), padded_vocabulary(token_table()));
    return half_token_table_;
}

}  // namespace casp::model
