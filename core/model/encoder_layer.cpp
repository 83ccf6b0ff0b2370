#include "model/encoder_layer.h"

#include <cmath>

#include <torch/torch.h>

namespace casp::model {

namespace {

/// x Wᵀ + b, in fp32 or with a product in bf16.
at::Tensor projected(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, bool half) {
    if (!half) return at::linear(x, weight, bias);
    const auto narrow = [](const at::Tensor& t) { return t.defined() ? t.to(at::kBFloat16) : t; };
    return at::linear(narrow(x), narrow(weight), narrow(bias)).to(at::kFloat);
}

}  // namespace

EncoderLayer::EncoderLayer(const config::Config::Backbone& backbone, std::uint64_t seed)
    : heads_(backbone.heads),
      feed_forward_(backbone.kind == "block"),
      dropout_(backbone.dropout),
      parameters_(seed) {
    const auto d = backbone.width;
    parameters_.add_uniform("backbone.self_attn.in_proj_weight", {3 * d, d}, d);
    parameters_.add_uniform("backbone.self_attn.out_proj.weight", {d, d}, d);
    parameters_.add_norm("backbone.norm1", d);
    if (!feed_forward_) return;
    parameters_.add_linear("backbone.linear1", d, 4 * d);
    parameters_.add_linear("backbone.linear2", 4 * d, d);
    parameters_.add_norm("backbone.norm2", d);
}

at::Tensor EncoderLayer::attend(const at::Tensor& x, DropoutStream* dropout, bool half) const {
    const auto rows = x.size(0), tokens = x.size(1);
    const auto head_width = x.size(2) / heads_;
    const auto qkv = projected(x, parameters_.get("backbone.self_attn.in_proj_weight"), {}, half)
                         .view({rows, tokens, 3, heads_, head_width})
                         .permute({2, 0, 3, 1, 4});  // [3, N, heads, T, d_h]
    const auto scores = at::matmul(qkv.select(0, 0), qkv.select(0, 1).transpose(2, 3)) /
                        std::sqrt(static_cast<double>(head_width));
    const auto probabilities = drop(at::softmax(scores, -1), dropout_, dropout);
    const auto attended = at::matmul(probabilities, qkv.select(0, 2)).transpose(1, 2).flatten(2);
    return projected(attended, parameters_.get("backbone.self_attn.out_proj.weight"), {}, half);
}

at::Tensor EncoderLayer::forward(const at::Tensor& x, DropoutStream* dropout, bool half) const {
    const auto y = parameters_.norm("backbone.norm1", x + drop(attend(x, dropout, half), dropout_, dropout));
    if (!feed_forward_) return y;
    const auto linear = [&](const std::string& name, const at::Tensor& in) {
        return projected(in, parameters_.get(name + ".weight"), parameters_.get(name + ".bias"), half);
    };
    const auto inner = drop(at::relu(linear("backbone.linear1", y)), dropout_, dropout);
    return parameters_.norm("backbone.norm2", y + drop(linear("backbone.linear2", inner), dropout_, dropout));
}

}  // namespace casp::model
