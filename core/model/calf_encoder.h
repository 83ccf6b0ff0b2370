#pragma once
// CALF's input layer: variates become tokens for the time branch and, by attention to words, for the text
// branch.

#include <cstdint>
#include <string>

#include <ATen/core/Tensor.h>

#include "model/dropout.h"
#include "model/parameters.h"

namespace casp::model {

/// Multi-head attention with the projections of queries, keys and values in one tensor (PyTorch's
/// nn.MultiheadAttention): softmax(q kᵀ / √d_h) v, then an output projection; no mask.
class PackedAttention {
public:
    /// `name`: prefix of the tensor names with a dot at its end. As PyTorch: projections begin at Xavier's
    /// uniform values, the output's weight at U(±1/√d), biases at zero.
    PackedAttention(std::int64_t width, std::int64_t heads, std::uint64_t seed, std::string name);

    /// query [B, T, d], memory [B or 1, S, d] (keys and values) -> [B, T, d]. `dropout`: of the
    /// probabilities; null outside training.
    [[nodiscard]] at::Tensor forward(const at::Tensor& query, const at::Tensor& memory, double p,
                                     DropoutStream* dropout) const;
    [[nodiscard]] NamedTensors trainable() const;

private:
    std::string name_;
    std::int64_t heads_;
    at::Tensor in_weight_, in_bias_;    ///< [3d, d], [3d]
    at::Tensor out_weight_, out_bias_;  ///< [d, d], [d]
};

/// Sizes of CalfEncoder.
struct CalfEncoderShape {
    std::int64_t lookback = 512;  ///< L
    std::int64_t width = 768;     ///< d
    std::int64_t heads = 12;
    std::int64_t feed_forward = 2048;  ///< PyTorch's default
    double dropout = 0.1;  ///< of the encoder layer, PyTorch's default; the words' attention has none
};

/// Tokens of both branches.
struct CalfTokens {
    at::Tensor time;  ///< [B, M, d]
    at::Tensor text;  ///< [B, M, d]; undefined unless requested
};

/// time = a post-norm transformer layer (ReLU) over the linear map of each variate's look-back;
/// text = attention of these tokens to the words' principal components.
class CalfEncoder {
public:
    CalfEncoder(const CalfEncoderShape& shape, std::uint64_t seed);

    /// series [B, M, L] (normalised), words [C, d]. `dropout` is null outside training.
    [[nodiscard]] CalfTokens forward(const at::Tensor& series, const at::Tensor& words, bool with_text,
                                     DropoutStream* dropout) const;
    /// "in_layer.linear.weight" …, the tensors themselves.
    [[nodiscard]] NamedTensors trainable() const;

private:
    struct Layer {
        at::Tensor weight, bias;
    };
    CalfEncoderShape shape_;
    Layer linear_, linear1_, linear2_, norm1_, norm2_;
    PackedAttention self_, cross_;
};

}  // namespace casp::model
