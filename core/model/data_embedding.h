#pragma once
// Embedding of rows: values of all channels, time features and positions.

#include <cstdint>
#include <string>

#include <ATen/core/Tensor.h>

#include "model/parameter_set.h"

namespace casp::model {

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
