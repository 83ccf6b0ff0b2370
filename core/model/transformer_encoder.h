#pragma once
// Transformer encoder with normalisation after each residual (Vaswani et al. 2017).

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "model/affine_layer.h"
#include "model/dropout.h"

namespace casp::model {

struct EncoderShape {
    std::int64_t layers = 2;
    std::int64_t width = 512;   ///< d, a multiple of `heads`
    std::int64_t heads = 8;     ///< h
    std::int64_t inner = 2048;  ///< d_ff, width inside the feed-forward network
    double dropout = 0.1;       ///< of attention probabilities, both residual branches and inside the network
};

/// Per layer: x = LN(x + drop(O·attention(x))), then x = LN(x + drop(feed_forward(x))), with
/// attention = drop(softmax(Q·Kᵀ/√(d/h)))·V of every token to every token (no mask) and GELU inside the
/// feed-forward network.
///
/// Tensors have the names and shapes of thuml/Time-Series-Library, encoder.attn_layers.<layer>.…: query_,
/// key_, value_ and out_projection [d, d], conv1 [d_ff, d, 1], conv2 [d, d_ff, 1], norm1 and norm2 [d].
/// Q, K and V are computed in one product. Thread: as Forecaster.
class TransformerEncoder {
public:
    /// Initial values are PyTorch's, derived from `seed` and each tensor's name.
    TransformerEncoder(const EncoderShape& shape, std::uint64_t seed);

    /// tokens [N, T, d] fp32 -> [N, T, d]. `dropout` is null outside training. `first_qkv`: Q, K and V of the
    /// first layer, [N, T, 3·d], from a caller that computes them with less work; undefined: from the tokens.
    [[nodiscard]] at::Tensor forward(const at::Tensor& tokens, DropoutStream* dropout,
                                     const at::Tensor& first_qkv = {}) const;
    /// The joined projections of the first layer, [3·d, d] and [3·d]: first_qkv = tokens·weightᵀ + bias.
    [[nodiscard]] AffineLayer first_projection() const;

    [[nodiscard]] NamedTensors trainable() const;
    void to(const at::Device& device);

private:
    struct Layer {
        AffineLayer query, key, value, out, conv1, conv2, norm1, norm2;
        [[nodiscard]] AffineLayer projection() const;  ///< of query, key and value
    };
    /// Calls visitor(name, layer) for each pair of tensors, in the order of the public state dict.
    template <class Visitor>
    void visit(Visitor&& visitor);

    EncoderShape shape_;
    std::vector<Layer> layers_;
};

}  // namespace casp::model
