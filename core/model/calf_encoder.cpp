#include "model/calf_encoder.h"

#include <cmath>
#include <string>

#include <torch/torch.h>

#include "model/initialisation.h"

namespace casp::model {

namespace {

constexpr const char* word_attention = "in_layer.cross_attention.";

/// Name in the transformer layer.
std::string in_calf_layer(const char* part) {
    return std::string("in_layer.transformer_encoder.layers.0.") + part;
}

void add_packed_attention(ParameterSet& parameters, const std::string& name, std::int64_t width) {
    const auto in = name + "in_proj_weight";
    parameters.add(in, bounded_parameter({3 * width, width}, std::sqrt(6.0 / static_cast<double>(4 * width)),
                                         parameters.seed(), in));
    parameters.add(name + "in_proj_bias", at::zeros({3 * width}));
    parameters.add_uniform(name + "out_proj.weight", {width, width}, width);
    parameters.add(name + "out_proj.bias", at::zeros({width}));
}

/// softmax(q kᵀ / √d_h) v of several heads, then an output projection; no mask. query [B, T, d], memory [B or
/// 1, S, d] (keys and values) -> [B, T, d]. `stream`: of the dropout of the probabilities; null outside
/// training.
at::Tensor attend(const ParameterSet& parameters, const std::string& name, std::int64_t heads,
                  const at::Tensor& query, const at::Tensor& memory, double p, DropoutStream* stream) {
    const auto width = query.size(2);
    const auto split = [&](const at::Tensor& x) { return x.unflatten(2, {heads, -1}).transpose(1, 2); };
    const auto part = [&](const at::Tensor& x, std::int64_t first, std::int64_t last) {
        return at::linear(x, parameters.get(name + "in_proj_weight").slice(0, first * width, last * width),
                          parameters.get(name + "in_proj_bias").slice(0, first * width, last * width));
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
    return parameters.linear(name + "out_proj", attended.transpose(1, 2).flatten(2));
}

}  // namespace

void add_calf_encoder(ParameterSet& parameters, const CalfEncoderShape& shape) {
    parameters.add_linear("in_layer.linear", shape.lookback, shape.width);
    add_packed_attention(parameters, in_calf_layer("self_attn."), shape.width);
    parameters.add_linear(in_calf_layer("linear1"), shape.width, shape.feed_forward);
    parameters.add_linear(in_calf_layer("linear2"), shape.feed_forward, shape.width);
    parameters.add_norm(in_calf_layer("norm1"), shape.width);
    parameters.add_norm(in_calf_layer("norm2"), shape.width);
    add_packed_attention(parameters, word_attention, shape.width);
}

CalfTokens encode_variates(const ParameterSet& parameters, const CalfEncoderShape& shape,
                           const at::Tensor& series, const at::Tensor& words, bool with_text,
                           DropoutStream* stream) {
    const auto p = shape.dropout;
    auto x = parameters.linear("in_layer.linear", series);
    const auto attended = attend(parameters, in_calf_layer("self_attn."), shape.heads, x, x, p, stream);
    x = parameters.norm(in_calf_layer("norm1"), x + drop(attended, p, stream));
    const auto inner = drop(at::relu(parameters.linear(in_calf_layer("linear1"), x)), p, stream);
    x = parameters.norm(in_calf_layer("norm2"),
                        x + drop(parameters.linear(in_calf_layer("linear2"), inner), p, stream));
    CalfTokens tokens{x, {}};
    if (with_text)
        tokens.text = attend(parameters, word_attention, shape.heads, x, words.unsqueeze(0), 0.0, nullptr);
    return tokens;
}

}  // namespace casp::model
