#include "model/encoder_layer.h"

#include <cmath>
#include <utility>

#include <torch/torch.h>

#include "model/initialisation.h"

namespace casp::model {

namespace {

constexpr double layer_norm_epsilon = 1e-5;

at::Tensor drop_in(const at::Tensor& x, double p, DropoutStream* stream) {
    return stream != nullptr && p > 0.0 ? dropout(x, p, stream->next()) : x;
}

/// x Wᵀ + b, in fp32 or with a product in bf16.
at::Tensor projected(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, bool half) {
    if (!half) return at::linear(x, weight, bias);
    const auto narrow = [](const at::Tensor& t) { return t.defined() ? t.to(at::kBFloat16) : t; };
    return at::linear(narrow(x), narrow(weight), narrow(bias)).to(at::kFloat);
}

}  // namespace

/// Calls visitor(name, tensor) for every tensor that the layer has, in the order of the forward pass.
template <class Visitor>
void EncoderLayer::visit(Visitor&& visitor) {
    visitor(prefix_ + "self_attn.in_proj_weight", in_proj_);
    visitor(prefix_ + "self_attn.out_proj.weight", out_proj_);
    visitor(prefix_ + "norm1.weight", norm1_weight_);
    visitor(prefix_ + "norm1.bias", norm1_bias_);
    if (shape_.inner == 0) return;
    visitor(prefix_ + "linear1.weight", weight1_);
    visitor(prefix_ + "linear1.bias", bias1_);
    visitor(prefix_ + "linear2.weight", weight2_);
    visitor(prefix_ + "linear2.bias", bias2_);
    visitor(prefix_ + "norm2.weight", norm2_weight_);
    visitor(prefix_ + "norm2.bias", norm2_bias_);
}

EncoderLayer::EncoderLayer(const EncoderLayerShape& shape, std::string prefix, std::uint64_t seed)
    : shape_(shape), prefix_(std::move(prefix)) {
    const auto d = shape.width, inner = shape.inner;
    const auto make = [&](const char* name, at::IntArrayRef sizes, std::int64_t fan_in) {
        return uniform_parameter(sizes, fan_in, seed, prefix_ + name);
    };
    in_proj_ = make("self_attn.in_proj_weight", {3 * d, d}, d);
    out_proj_ = make("self_attn.out_proj.weight", {d, d}, d);
    norm1_weight_ = at::ones({d}).set_requires_grad(true);
    norm1_bias_ = at::zeros({d}).set_requires_grad(true);
    if (inner == 0) return;
    weight1_ = make("linear1.weight", {inner, d}, d);
    bias1_ = make("linear1.bias", {inner}, d);
    weight2_ = make("linear2.weight", {d, inner}, inner);
    bias2_ = make("linear2.bias", {d}, inner);
    norm2_weight_ = at::ones({d}).set_requires_grad(true);
    norm2_bias_ = at::zeros({d}).set_requires_grad(true);
}

at::Tensor EncoderLayer::attend(const at::Tensor& x, DropoutStream* dropout, bool half) const {
    const auto rows = x.size(0), tokens = x.size(1);
    const auto head_width = shape_.width / shape_.heads;
    const auto qkv = projected(x, in_proj_, {}, half)
                         .view({rows, tokens, 3, shape_.heads, head_width})
                         .permute({2, 0, 3, 1, 4});  // [3, N, heads, T, d_h]
    const auto scores = at::matmul(qkv.select(0, 0), qkv.select(0, 1).transpose(2, 3)) /
                        std::sqrt(static_cast<double>(head_width));
    const auto probabilities = drop_in(at::softmax(scores, -1), shape_.dropout, dropout);
    const auto attended = at::matmul(probabilities, qkv.select(0, 2)).transpose(1, 2).flatten(2);
    return projected(attended, out_proj_, {}, half);
}

at::Tensor EncoderLayer::forward(const at::Tensor& x, DropoutStream* dropout, bool half) const {
    const auto norm = [&](const at::Tensor& t, const at::Tensor& weight, const at::Tensor& bias) {
        return at::layer_norm(t, {shape_.width}, weight, bias, layer_norm_epsilon);
    };
    const auto y =
        norm(x + drop_in(attend(x, dropout, half), shape_.dropout, dropout), norm1_weight_, norm1_bias_);
    if (shape_.inner == 0) return y;
    const auto inner = drop_in(at::relu(projected(y, weight1_, bias1_, half)), shape_.dropout, dropout);
    return norm(y + drop_in(projected(inner, weight2_, bias2_, half), shape_.dropout, dropout), norm2_weight_,
                norm2_bias_);
}

NamedTensors EncoderLayer::trainable() const {
    NamedTensors tensors;
    const_cast<EncoderLayer*>(this)->visit([&](const std::string& name, at::Tensor& tensor) {
        tensors.push_back({name, tensor});
    });
    return tensors;
}

void EncoderLayer::to(const at::Device& device) {
    visit([&](const std::string&, at::Tensor& tensor) {
        tensor = tensor.detach().to(device).set_requires_grad(true);
    });
}

}  // namespace casp::model
