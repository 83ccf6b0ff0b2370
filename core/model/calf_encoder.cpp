#include "model/calf_encoder.h"

#include <cmath>
#include <utility>

#include <torch/torch.h>

#include "model/initialisation.h"

namespace casp::model {

namespace {

constexpr double encoder_norm_epsilon = 1e-5;
constexpr const char* calf_encoder_layer = "in_layer.transformer_encoder.layers.0.";

at::Tensor drop_in_training(const at::Tensor& x, double p, DropoutStream* stream) {
    return stream != nullptr && p > 0.0 ? dropout(x, p, stream->next()) : x;
}

}  // namespace

PackedAttention::PackedAttention(std::int64_t width, std::int64_t heads, std::uint64_t seed, std::string name)
    : name_(std::move(name)),
      heads_(heads),
      in_weight_(bounded_parameter({3 * width, width}, std::sqrt(6.0 / static_cast<double>(4 * width)), seed,
                                   name_ + "in_proj_weight")),
      in_bias_(at::zeros({3 * width}).set_requires_grad(true)),
      out_weight_(uniform_parameter({width, width}, width, seed, name_ + "out_proj.weight")),
      out_bias_(at::zeros({width}).set_requires_grad(true)) {}

at::Tensor PackedAttention::forward(const at::Tensor& query, const at::Tensor& memory, double p,
                                    DropoutStream* stream) const {
    const auto width = query.size(2);
    const auto split = [&](const at::Tensor& x) { return x.unflatten(2, {heads_, -1}).transpose(1, 2); };
    const auto part = [&](const at::Tensor& x, std::int64_t first, std::int64_t last) {
        return at::linear(x, in_weight_.slice(0, first * width, last * width),
                          in_bias_.slice(0, first * width, last * width));
    };
    const auto q = split(part(query, 0, 1));
    const auto kv = part(memory, 1, 3).chunk(2, 2);
    const auto k = split(kv[0]).expand({q.size(0), -1, -1, -1});
    const auto v = split(kv[1]).expand({q.size(0), -1, -1, -1});
    at::Tensor attended;
    if (stream != nullptr && p > 0.0) {
        const auto scores =
            at::matmul(q * (1.0 / std::sqrt(static_cast<double>(q.size(3)))), k.transpose(2, 3));
        attended = at::matmul(dropout(at::softmax(scores, -1), p, stream->next()), v);
    } else {
        attended = at::scaled_dot_product_attention(q, k, v);
    }
    return at::linear(attended.transpose(1, 2).flatten(2), out_weight_, out_bias_);
}

NamedTensors PackedAttention::trainable() const {
    return {{name_ + "in_proj_weight", in_weight_},
            {name_ + "in_proj_bias", in_bias_},
            {name_ + "out_proj.weight", out_weight_},
            {name_ + "out_proj.bias", out_bias_}};
}

CalfEncoder::CalfEncoder(const CalfEncoderShape& shape, std::uint64_t seed)
    : shape_(shape),
      self_(shape.width, shape.heads, seed, std::string(calf_encoder_layer) + "self_attn."),
      cross_(shape.width, shape.heads, seed, "in_layer.cross_attention.") {
    const auto linear = [&](const std::string& name, std::int64_t in, std::int64_t out) {
        return Layer{uniform_parameter({out, in}, in, seed, name + ".weight"),
                     uniform_parameter({out}, in, seed, name + ".bias")};
    };
    const auto norm = [&] {
        return Layer{at::ones({shape.width}).set_requires_grad(true),
                     at::zeros({shape.width}).set_requires_grad(true)};
    };
    const std::string layer = calf_encoder_layer;
    linear_ = linear("in_layer.linear", shape.lookback, shape.width);
    linear1_ = linear(layer + "linear1", shape.width, shape.feed_forward);
    linear2_ = linear(layer + "linear2", shape.feed_forward, shape.width);
    norm1_ = norm();
    norm2_ = norm();
}

CalfTokens CalfEncoder::forward(const at::Tensor& series, const at::Tensor& words, bool with_text,
                                DropoutStream* stream) const {
    const auto drop = [&](const at::Tensor& x) { return drop_in_training(x, shape_.dropout, stream); };
    const auto apply = [](const at::Tensor& x, const Layer& l) { return at::linear(x, l.weight, l.bias); };
    const auto norm = [&](const at::Tensor& x, const Layer& l) {
        return at::layer_norm(x, {shape_.width}, l.weight, l.bias, encoder_norm_epsilon);
    };
    auto x = apply(series, linear_);
    x = norm(x + drop(self_.forward(x, x, shape_.dropout, stream)), norm1_);
    x = norm(x + drop(apply(drop(at::relu(apply(x, linear1_))), linear2_)), norm2_);
    CalfTokens tokens{x, {}};
    if (with_text) tokens.text = cross_.forward(x, words.unsqueeze(0), 0.0, nullptr);
    return tokens;
}

NamedTensors CalfEncoder::trainable() const {
    NamedTensors tensors;
    const auto add = [&](const std::string& name, const Layer& layer) {
        tensors.push_back({name + ".weight", layer.weight});
        tensors.push_back({name + ".bias", layer.bias});
    };
    const auto append = [&](NamedTensors more) {
        for (auto& tensor : more) tensors.push_back(std::move(tensor));
    };
    const std::string layer = calf_encoder_layer;
    add("in_layer.linear", linear_);
    append(self_.trainable());
    add(layer + "linear1", linear1_);
    add(layer + "linear2", linear2_);
    add(layer + "norm1", norm1_);
    add(layer + "norm2", norm2_);
    append(cross_.trainable());
    return tensors;
}

}  // namespace casp::model
