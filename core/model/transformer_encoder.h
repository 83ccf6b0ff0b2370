#pragma once
// Transformer encoder with normalisation after each residual (Vaswani et al. 2017).

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "model/dropout.h"
#include "model/parameter_set.h"

namespace casp::model {

// The two layers of a transformer's feed-forward network, with the error-function GELU between them.

/// drop(gelu(x·W₁ᵀ + b₁))·W₂ᵀ + b₂ for x [rows, d] fp32, W₁ [d_ff, d] and W₂ [d, d_ff], also as convolutions
/// of length 1 ([…, …, 1]). Dropout has probability p and a key as in dropout(); p = 0 in evaluation.
///
/// On the CPU it works in slices of rows, so that the d_ff-wide values and their gradients stay in the cache;
/// for the backward pass it keeps the input of GELU only, and computes GELU and dropout again.
[[nodiscard]] at::Tensor feed_forward(const at::Tensor& x, const at::Tensor& w1, const at::Tensor& b1,
                                      const at::Tensor& w2, const at::Tensor& b2, double p,
                                      const DropoutKey& key);

struct EncoderShape {
    std::int64_t layers;
    std::int64_t width;  ///< d, a multiple of `heads`
    std::int64_t heads;  ///< h
    std::int64_t inner;  ///< d_ff, width inside the feed-forward network
    double dropout;      ///< of attention probabilities, both residual branches and inside the network
};

/// The shape that a model's section of the configuration gives.
template <class Section>
[[nodiscard]] EncoderShape encoder_shape(const Section& section) {
    return {section.e_layers, section.d_model, section.n_heads, section.d_ff, section.dropout};
}

/// Adds the tensors of an encoder, with PyTorch's initial values. They have the names and shapes of
/// thuml/Time-Series-Library, encoder.attn_layers.<layer>.…: query_, key_, value_ and out_projection [d, d],
/// conv1 [d_ff, d, 1], conv2 [d, d_ff, 1], norm1 and norm2 [d].
void add_encoder(ParameterSet& parameters, const EncoderShape& shape);

/// Per layer: x = LN(x + drop(O·attention(x))), then x = LN(x + drop(feed_forward(x))), with
/// attention = drop(softmax(Q·Kᵀ/√(d/h)))·V of every token to every token (no mask) and GELU inside the
/// feed-forward network. Q, K and V are computed in one product.
///
/// tokens [N, T, d] fp32 -> [N, T, d]. `dropout` is null outside training. `first_qkv`: Q, K and V of the
/// first layer, [N, T, 3·d], from a caller that computes them with less work; undefined: from the tokens.
[[nodiscard]] at::Tensor encode(const ParameterSet& parameters, const EncoderShape& shape,
                                const at::Tensor& tokens, DropoutStream* dropout,
                                const at::Tensor& first_qkv = {});

/// The joined projections of a layer, [3·d, d] and [3·d]: qkv = tokens·weightᵀ + bias.
struct JoinedProjection {
    at::Tensor weight, bias;
};
[[nodiscard]] JoinedProjection joined_projection(const ParameterSet& parameters, std::int64_t layer);

}  // namespace casp::model
