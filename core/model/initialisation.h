#pragma once
// Initial values of trainable layers.

#include <cstdint>
#include <string_view>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// A trainable fp32 tensor with values U(±1/√fan_in), LibTorch's and PyTorch's default of a linear layer.
/// Its generator depends on `seed` and `name` alone, so a layer's values do not depend on the layers before
/// it.
[[nodiscard]] at::Tensor uniform_parameter(at::IntArrayRef shape, std::int64_t fan_in, std::uint64_t seed,
                                           std::string_view name);

/// The same with values U(±bound), for layers that begin otherwise.
[[nodiscard]] at::Tensor bounded_parameter(at::IntArrayRef shape, double bound, std::uint64_t seed,
                                           std::string_view name);

}  // namespace casp::model
