#pragma once
// CALF's input layer: variates become tokens for the time branch and, by attention to words, for the text
// branch.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "model/dropout.h"
#include "model/parameter_set.h"

namespace casp::model {

/// Sizes of the input layer, and what the public code has as a constant.
struct CalfEncoderShape {
    std::int64_t lookback;  ///< L
    std::int64_t width;     ///< d
    std::int64_t heads;
    std::int64_t feed_forward = 2048;  ///< PyTorch's default
    double dropout = 0.1;  ///< of the encoder layer, PyTorch's default; the words' attention has none
};

/// Tokens of both branches.
struct CalfTokens {
    at::Tensor time;  ///< [B, M, d]
    at::Tensor text;  ///< [B, M, d]; undefined unless requested
};

/// Adds the tensors of the input layer, "in_layer.linear.weight" …. As PyTorch: the joined projections of an
/// attention (nn.MultiheadAttention) begin at Xavier's uniform values, its output's weight at U(±1/√d), its
/// biases at zero.
void add_calf_encoder(ParameterSet& parameters, const CalfEncoderShape& shape);

/// time = a post-norm transformer layer (ReLU) over the linear map of each variate's look-back;
/// text = attention of these tokens to the words' principal components.
///
/// series [B, M, L] (normalised), words [C, d]. `dropout` is null outside training.
[[nodiscard]] CalfTokens encode_variates(const ParameterSet& parameters, const CalfEncoderShape& shape,
                                         const at::Tensor& series, const at::Tensor& words, bool with_text,
                                         DropoutStream* dropout);

}  // namespace casp::model
