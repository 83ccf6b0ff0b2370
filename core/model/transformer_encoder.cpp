#include "model/transformer_encoder.h"

#include <algorithm>
#include <string>

#include <torch/torch.h>

#include "model/attention.h"

namespace casp::model {

namespace {

/// On a GPU all rows of the batch are computed at once.
MaskSlices slice_of_rows(const at::Tensor& x, const DropoutKey& key) {
    constexpr std::int64_t rows = 1024;
    const auto all = std::max<std::int64_t>(x.size(0) / key.count * key.whole, 1);
    if (x.is_cpu()) return rows;
    return has_keyed_mask(x) ? MaskSlices(rows, all) : MaskSlices(all);
}

class FeedForward : public torch::autograd::Function<FeedForward> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                              const at::Tensor& w1, const at::Tensor& b1, const at::Tensor& w2,
                              const at::Tensor& b2, double p, const DropoutKey& key) {
        const auto inner = at::linear(x, w1, b1);
        context->save_for_backward({x, inner, w1, w2});
        context->saved_data["p"] = p;
        context->saved_data["key"] = key.numbers();
        auto out = at::empty({x.size(0), w2.size(0)}, x.options());
        const auto in_slice = [&](std::int64_t begin, std::int64_t end, SliceDropout dropout) {
            const auto wide = dropout.apply(at::gelu(inner.slice(0, begin, end)));
            auto target = out.slice(0, begin, end);
            at::addmm_out(target, b2, wide, w2.t());
        };
        in_dropout_slices(p, key, x.size(0), slice_of_rows(x, key), 0, x.size(0), in_slice);
        return out;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const auto& x = saved[0];
        const auto& inner = saved[1];
        const auto& w1 = saved[2];
        const auto& w2 = saved[3];
        const auto p = context->saved_data["p"].toDouble();
        const auto key = DropoutKey::from(context->saved_data["key"].toIntVector());
        const auto gradient = gradients[0].contiguous();
        auto gx = at::empty_like(x);
        auto gw1 = at::zeros_like(w1), gw2 = at::zeros_like(w2);
        auto gb1 = at::zeros({w1.size(0)}, w1.options());
        const auto in_slice = [&](std::int64_t begin, std::int64_t end, SliceDropout dropout) {
            const auto out = gradient.slice(0, begin, end);
            const auto in = inner.slice(0, begin, end);
            gw2.addmm_(out.t(), dropout.apply(at::gelu(in)));
            const auto wide = at::gelu_backward(dropout.gradient(at::mm(out, w2)), in);
            gw1.addmm_(wide.t(), x.slice(0, begin, end));
            gb1.add_(wide.sum(0));
            auto target = gx.slice(0, begin, end);
            at::mm_out(target, wide, w1);
        };
        in_dropout_slices(p, key, x.size(0), slice_of_rows(x, key), 0, x.size(0), in_slice);
        return {gx, gw1, gb1, gw2, gradient.sum(0), at::Tensor(), at::Tensor()};
    }
};

at::Tensor evaluate_in_slices(const at::Tensor& x, const at::Tensor& w1, const at::Tensor& b1,
                              const at::Tensor& w2, const at::Tensor& b2) {
    auto out = at::empty({x.size(0), w2.size(0)}, x.options());
    const auto rows = x.size(0), slice = slice_of_rows(x, 0).at_once;
    for (std::int64_t begin = 0; begin < rows; begin += slice) {
        const auto end = std::min(begin + slice, rows);
        auto wide = at::linear(x.slice(0, begin, end), w1, b1);
        auto target = out.slice(0, begin, end);
        at::addmm_out(target, b2, at::gelu_(wide), w2.t());
    }
    return out;
}

std::string encoder_layer_name(std::int64_t layer) {
    return "encoder.attn_layers." + std::to_string(layer) + ".";
}

}  // namespace

at::Tensor feed_forward(const at::Tensor& x, const at::Tensor& w1, const at::Tensor& b1, const at::Tensor& w2,
                        const at::Tensor& b2, double p, const DropoutKey& key) {
    const auto rows = x.contiguous();
    const auto first = w1.flatten(1), second = w2.flatten(1);
    if (p <= 0.0 && !at::GradMode::is_enabled()) return evaluate_in_slices(rows, first, b1, second, b2);
    return FeedForward::apply(rows, first, b1, second, b2, p, key);
}

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
