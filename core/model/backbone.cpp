#include "model/backbone.h"

#include <cmath>
#include <limits>
#include <utility>

#include <torch/torch.h>

#include "model/anchor_pool.h"
#include "model/backbone_descriptor.h"
#include "util/random.h"

namespace casp::model {

namespace {

/// x Wᵀ + b, in fp32 or with a product in bf16.
at::Tensor projected(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, bool half) {
    if (!half) return at::linear(x, weight, bias);
    const auto narrow = [](const at::Tensor& t) { return t.defined() ? t.to(at::kBFloat16) : t; };
    return at::linear(narrow(x), narrow(weight), narrow(bias)).to(at::kFloat);
}

}  // namespace

EncoderLayer::EncoderLayer(const config::Config::Backbone& backbone, std::uint64_t seed, std::string prefix)
    : prefix_(std::move(prefix)),
      heads_(backbone.heads),
      feed_forward_(backbone.kind == "block"),
      dropout_(backbone.dropout),
      parameters_(seed) {
    const auto d = backbone.width;
    parameters_.add_uniform(prefix_ + "self_attn.in_proj_weight", {3 * d, d}, d);
    parameters_.add_uniform(prefix_ + "self_attn.out_proj.weight", {d, d}, d);
    parameters_.add_norm(prefix_ + "norm1", d);
    if (!feed_forward_) return;
    parameters_.add_linear(prefix_ + "linear1", d, 4 * d);
    parameters_.add_linear(prefix_ + "linear2", 4 * d, d);
    parameters_.add_norm(prefix_ + "norm2", d);
}

at::Tensor EncoderLayer::attend(const at::Tensor& x, DropoutStream* dropout, bool half,
                                const at::Tensor& read) const {
    const auto rows = x.size(0), tokens = x.size(1);
    const auto head_width = x.size(2) / heads_;
    const auto qkv = projected(x, parameters_.get(prefix_ + "self_attn.in_proj_weight"), {}, half)
                         .view({rows, tokens, 3, heads_, head_width})
                         .permute({2, 0, 3, 1, 4});  // [3, N, heads, T, d_h]
    auto scores = at::matmul(qkv.select(0, 0), qkv.select(0, 1).transpose(2, 3)) /
                  std::sqrt(static_cast<double>(head_width));
    if (read.defined())
        scores = scores.masked_fill(read.logical_not().view({rows, 1, 1, tokens}),
                                    -std::numeric_limits<double>::infinity());
    const auto probabilities = drop(at::softmax(scores, -1), dropout_, dropout);
    const auto attended = at::matmul(probabilities, qkv.select(0, 2)).transpose(1, 2).flatten(2);
    return projected(attended, parameters_.get(prefix_ + "self_attn.out_proj.weight"), {}, half);
}

at::Tensor EncoderLayer::forward(const at::Tensor& x, DropoutStream* dropout, bool half,
                                 const at::Tensor& read) const {
    const auto y =
        parameters_.norm(prefix_ + "norm1", x + drop(attend(x, dropout, half, read), dropout_, dropout));
    if (!feed_forward_) return y;
    const auto linear = [&](const std::string& name, const at::Tensor& in) {
        return projected(in, parameters_.get(name + ".weight"), parameters_.get(name + ".bias"), half);
    };
    const auto inner = drop(at::relu(linear(prefix_ + "linear1", y)), dropout_, dropout);
    return parameters_.norm(prefix_ + "norm2",
                            y + drop(linear(prefix_ + "linear2", inner), dropout_, dropout));
}

Backbone::Backbone(const config::Config& config, bool token_table, Gpt2Role role,
                   const std::string& layer_prefix)
    : table_name_(role.prefix + "wte.weight") {
    const auto& b = config.backbone;
    const auto seed = static_cast<std::uint64_t>(config.train.seed);
    if (has_gpt2(config)) {
        if (b.kind == "random") role.seed = derive_seed(seed, "random backbone");
        gpt2_.emplace(b, role);
        blocks_ = b.layers;
        return;
    }
    if (b.kind != "none") {
        layer_.emplace(b, seed, layer_prefix);
        blocks_ = 1;
    }
    if (token_table) token_table_ = untrained_token_table(b);
}

at::Tensor Backbone::forward(const Tokens& tokens, DropoutStream* dropout, bool half,
                             std::vector<at::Tensor>* hidden, const at::Tensor& read) {
    if (gpt2_) return gpt2_->forward(tokens, dropout, half, hidden);
    auto x = tokens.joined();
    if (hidden != nullptr) hidden->push_back(x);
    if (!layer_) return x;
    x = layer_->forward(x, dropout, half, read);
    if (hidden != nullptr) hidden->push_back(x);
    return x;
}

std::int64_t Backbone::states() const { return blocks_ + 1; }

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
    return {{table_name_, token_table_}};
}

void Backbone::to(const at::Device& device) {
    if (gpt2_) gpt2_->to(device);
    if (layer_) layer_->to(device);
    if (token_table_.defined()) token_table_ = token_table_.to(device);
    forget_copies();
}

void Backbone::share_frozen(const Backbone& other) {
    if (gpt2_) gpt2_->share_frozen(*other.gpt2_);
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

at::Tensor forecast_head(const ParameterSet& parameters, const at::Tensor& hidden, std::int64_t ways) {
    const auto summed = hidden.reshape({hidden.size(0), ways, -1}).sum(1);
    return at::linear(summed, parameters.get("out_layer.weight"),
                      parameters.get("out_layer.bias") * static_cast<double>(ways));
}

}  // namespace casp::model
