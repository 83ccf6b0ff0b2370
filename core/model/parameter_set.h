#pragma once
// Trainable tensors of a model, looked up by their names in checkpoints.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <ATen/core/Tensor.h>

#include "model/parameters.h"

namespace casp::model {

// Initial values of trainable layers.

/// A trainable fp32 tensor with values U(±1/√fan_in), LibTorch's and PyTorch's default of a linear layer.
/// Its generator depends on `seed` and `name` alone, so a layer's values do not depend on the layers before
/// it.
[[nodiscard]] at::Tensor uniform_parameter(at::IntArrayRef shape, std::int64_t fan_in, std::uint64_t seed,
                                           std::string_view name);

/// The same with values U(±bound), for layers that begin otherwise.
[[nodiscard]] at::Tensor bounded_parameter(at::IntArrayRef shape, double bound, std::uint64_t seed,
                                           std::string_view name);

/// Thread: one at a time.
class ParameterSet {
public:
    explicit ParameterSet(std::uint64_t seed) : seed_(seed) {}

    [[nodiscard]] std::uint64_t seed() const { return seed_; }

    void add(const std::string& name, const at::Tensor& value);
    /// A tensor with PyTorch's default initial values of linear layers and convolutions, U(±1/√fan_in).
    void add_uniform(const std::string& name, at::IntArrayRef shape, std::int64_t fan_in);
    /// A tensor with normal values of mean 0, drawn as uniform_parameter() does.
    void add_normal(const std::string& name, at::IntArrayRef shape, double deviation);
    /// NAME.weight [outputs, inputs] and NAME.bias.
    void add_linear(const std::string& name, std::int64_t inputs, std::int64_t outputs);
    /// NAME.weight, ones, and NAME.bias, zeros, both [width].
    void add_norm(const std::string& name, std::int64_t width);

    /// Throws std::out_of_range for a name that was not added.
    [[nodiscard]] const at::Tensor& get(const std::string& name) const;
    /// x · NAME.weightᵀ + NAME.bias.
    [[nodiscard]] at::Tensor linear(const std::string& name, const at::Tensor& x) const;
    /// Layer norm over the last axis, with ε = 1e-5.
    [[nodiscard]] at::Tensor norm(const std::string& name, const at::Tensor& x) const;

    /// In the order of add(); the set's own tensors.
    [[nodiscard]] const NamedTensors& all() const { return tensors_; }
    void to(const at::Device& device);

private:
    NamedTensors tensors_;
    std::map<std::string, std::size_t> place_;
    std::uint64_t seed_;
};

}  // namespace casp::model
