#include "model/transformer_encoder.h"

#include <string>

#include <torch/torch.h>

#include "model/attention.h"
#include "model/feed_forward.h"

namespace casp::model {

namespace {

std::string encoder_layer_name(std::int64_t layer) {
    return "encoder.attn_layers." + std::to_string(layer) + ".";
}

}  // namespace

void add_encoder(ParameterSet& parameters, const EncoderShape& shape) {
    const auto d = shape.width;
    const auto add_convolution = [&](const std::string& name, std::int64_t in, std::int64_t out) {
        parameters.add_uniform(name + ".weight", {out, in, 1}, in);
        parameters.add_uniform(name + ".bias", {out}, in);
    };
    for (std::int64_t i = 0; i < shape.layers; ++i) {
        const auto layer = encoder_layer_name(i);
        for (const auto* part : {"query", "key", "value", "out"})
            parameters.add_linear(layer + "attention." + part + "_projection", d, d);
        add_convolution(layer + "conv1", d, shape.inner);
        add_convolution(layer + "conv2", shape.inner, d);
        parameters.add_norm(layer + "norm1", d);
        parameters.add_norm(layer + "norm2", d);
    }
}

JoinedProjection joined_projection(const ParameterSet& parameters, std::int64_t layer) {
    const auto joined = [&](const char* kind) {
        const auto part = [&](const char* name) {
            return parameters.get(encoder_layer_name(layer) + "attention." + name + "_projection." + kind);
        };
        return at::cat({part("query"), part("key"), part("value")});
    };
    return {joined("weight"), joined("bias")};
}

at::Tensor encode(const ParameterSet& parameters, const EncoderShape& shape, const at::Tensor& tokens,
                  DropoutStream* stream, const at::Tensor& first_qkv) {
    const double p = stream != nullptr ? shape.dropout : 0.0;
    const auto next_key = [&] { return p > 0.0 ? stream->next() : 0; };
    auto x = tokens.flatten(0, 1);
    auto qkv = first_qkv;
    for (std::int64_t i = 0; i < shape.layers; ++i) {
        const auto layer = encoder_layer_name(i);
        if (!qkv.defined()) {
            const auto projection = joined_projection(parameters, i);
            qkv =
                at::linear(x, projection.weight, projection.bias).view({tokens.size(0), tokens.size(1), -1});
        }
        const auto attended = full_attention(qkv, shape.heads, p, next_key());
        qkv.reset();
        const auto out = parameters.linear(layer + "attention.out_projection", attended.flatten(0, 1));
        x = parameters.norm(layer + "norm1", x + drop(out, p, stream));
        const auto inner = feed_forward(
            x, parameters.get(layer + "conv1.weight"), parameters.get(layer + "conv1.bias"),
            parameters.get(layer + "conv2.weight"), parameters.get(layer + "conv2.bias"), p, next_key());
        x = parameters.norm(layer + "norm2", x + drop(inner, p, stream));
    }
    return x.view_as(tokens);
}

}  // namespace casp::model
