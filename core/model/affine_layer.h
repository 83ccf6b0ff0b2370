#pragma once
// Weight and bias of a linear layer, a convolution of length 1 or a norm.

#include <cstdint>
#include <string>

#include <ATen/core/Tensor.h>

#include "model/initialisation.h"
#include "model/parameters.h"

namespace casp::model {

struct AffineLayer {
    at::Tensor weight, bias;  ///< fp32, both trainable
};

/// A layer with PyTorch's default initial values, U(±1/√inputs); `shape` of the weight: [outputs, inputs, …].
/// `name`: of the tensors, without ".weight" and ".bias".
[[nodiscard]] inline AffineLayer make_affine(at::IntArrayRef shape, std::uint64_t seed,
                                             const std::string& name) {
    return {uniform_parameter(shape, shape[1], seed, name + ".weight"),
            uniform_parameter({shape[0]}, shape[1], seed, name + ".bias")};
}

/// The weight 1 and bias 0 of a norm over `width` elements.
[[nodiscard]] AffineLayer make_norm(std::int64_t width);

inline void append(NamedTensors& tensors, const std::string& name, const AffineLayer& layer) {
    tensors.push_back({name + ".weight", layer.weight});
    tensors.push_back({name + ".bias", layer.bias});
}

void move_to(AffineLayer& layer, const at::Device& device);

}  // namespace casp::model
