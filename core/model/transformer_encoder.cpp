#include "model/transformer_encoder.h"

#include <string>

#include <torch/torch.h>

#include "model/attention.h"
#include "model/feed_forward.h"

namespace casp::model {

template <class Visitor>
void TransformerEncoder::visit(Visitor&& visitor) {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const auto prefix = "encoder.attn_layers." + std::to_string(i) + ".";
        auto& layer = layers_[i];
        visitor(prefix + "attention.query_projection", layer.query);
        visitor(prefix + "attention.key_projection", layer.key);
        visitor(prefix + "attention.value_projection", layer.value);
        visitor(prefix + "attention.out_projection", layer.out);
        visitor(prefix + "conv1", layer.conv1);
        visitor(prefix + "conv2", layer.conv2);
        visitor(prefix + "norm1", layer.norm1);
        visitor(prefix + "norm2", layer.norm2);
    }
}

TransformerEncoder::TransformerEncoder(const EncoderShape& shape, std::uint64_t seed)
    : shape_(shape), layers_(static_cast<std::size_t>(shape.layers)) {
    const auto d = shape.width;
    visit([&](const std::string& name, AffineLayer& layer) {
        if (name.find(".norm") != std::string::npos)
            layer = make_norm(d);
        else if (name.ends_with(".conv1"))
            layer = make_affine({shape.inner, d, 1}, seed, name);
        else if (name.ends_with(".conv2"))
            layer = make_affine({d, shape.inner, 1}, seed, name);
        else
            layer = make_affine({d, d}, seed, name);
    });
}

AffineLayer TransformerEncoder::Layer::projection() const {
    return {at::cat({query.weight, key.weight, value.weight}), at::cat({query.bias, key.bias, value.bias})};
}

AffineLayer TransformerEncoder::first_projection() const { return layers_.front().projection(); }

at::Tensor TransformerEncoder::forward(const at::Tensor& tokens, DropoutStream* stream,
                                       const at::Tensor& first_qkv) const {
    const double p = stream != nullptr ? shape_.dropout : 0.0;
    const auto next_key = [&] { return p > 0.0 ? stream->next() : 0; };
    const auto drop = [&](const at::Tensor& x) { return dropout(x, p, next_key()); };
    const auto norm = [&](const at::Tensor& x, const AffineLayer& layer) {
        return at::layer_norm(x, {shape_.width}, layer.weight, layer.bias);
    };
    auto x = tokens.flatten(0, 1);
    auto qkv = first_qkv;
    for (const auto& layer : layers_) {
        if (!qkv.defined()) {
            const auto projection = layer.projection();
            qkv =
                at::linear(x, projection.weight, projection.bias).view({tokens.size(0), tokens.size(1), -1});
        }
        const auto attended = full_attention(qkv, shape_.heads, p, next_key());
        qkv.reset();
        x = norm(x + drop(at::linear(attended.flatten(0, 1), layer.out.weight, layer.out.bias)), layer.norm1);
        x = norm(x + drop(feed_forward(x, layer.conv1, layer.conv2, p, next_key())), layer.norm2);
    }
    return x.view_as(tokens);
}

NamedTensors TransformerEncoder::trainable() const {
    NamedTensors tensors;
    const_cast<TransformerEncoder*>(this)->visit(
        [&](const std::string& name, AffineLayer& layer) { append(tensors, name, layer); });
    return tensors;
}

void TransformerEncoder::to(const at::Device& device) {
    visit([&](const std::string&, AffineLayer& layer) { move_to(layer, device); });
}

}  // namespace casp::model
