#pragma once
// Embedding of rows: values of all channels, time features and positions.

#include <cstdint>
#include <string>

#include <ATen/core/Tensor.h>

#include "model/parameter_set.h"

namespace casp::model {

// Convolution of length 3 over time whose ends are joined.

/// y[t] = W₀·x[t - 1] + W₁·x[t] + W₂·x[t + 1], indices modulo T; no bias. x [B, T, C], weight [D, C, 3] (the
/// layout of a Conv1d) -> [B, T, D]. Differentiable.
[[nodiscard]] at::Tensor circular_convolution(const at::Tensor& x, const at::Tensor& weight);

/// Sine (even columns) and cosine (odd columns) of t / 10000^(2i/width), column pair i (Vaswani et al. 2017):
/// [length, width] fp32.
[[nodiscard]] at::Tensor sinusoidal_positions(std::int64_t length, std::int64_t width,
                                              const at::Device& device);

/// Adds the tensor of an embedding that reads no time features: NAME.value_embedding.tokenConv.weight
/// [width, channels, 3] (normal, variance 2 / (3·channels)).
void add_value_embedding(ParameterSet& parameters, const std::string& name, std::int64_t channels,
                         std::int64_t width);

/// The same, and NAME.temporal_embedding.embed.weight [width, 4].
void add_data_embedding(ParameterSet& parameters, const std::string& name, std::int64_t channels,
                        std::int64_t width);

/// A circular convolution of the values plus a linear map of the time features, without bias.
///
/// values [B, T, M]; time [B, T, 4], or undefined: no time features. Returns [B, T, width].
[[nodiscard]] at::Tensor data_embedding(const ParameterSet& parameters, const std::string& name,
                                        const at::Tensor& values, const at::Tensor& time);

}  // namespace casp::model
