#include "model/data_embedding.h"

#include <cmath>

#include <torch/torch.h>

#include "util/random.h"

namespace casp::model {

namespace {

constexpr std::int64_t time_features = 4;
constexpr const char* value_weight = ".value_embedding.tokenConv.weight";
constexpr const char* time_weight = ".temporal_embedding.embed.weight";

}  // namespace

at::Tensor circular_convolution(const at::Tensor& x, const at::Tensor& weight) {
    const auto neighbours = at::cat({x.roll(1, 1), x, x.roll(-1, 1)}, 2);
    return at::linear(neighbours, weight.permute({0, 2, 1}).flatten(1));
}

at::Tensor sinusoidal_positions(std::int64_t length, std::int64_t width, const at::Device& device) {
    const auto options = at::TensorOptions(at::kDouble).device(device);
    const auto rate =
        at::exp(at::arange(0, width, 2, options) * (-std::log(10000.0) / static_cast<double>(width)));
    const auto angle = at::outer(at::arange(length, options), rate);
    return at::stack({angle.sin(), angle.cos()}, 2).flatten(1).slice(1, 0, width).to(at::kFloat);
}

void add_value_embedding(ParameterSet& parameters, const std::string& name, std::int64_t channels,
                         std::int64_t width) {
    const auto fan_in = static_cast<double>(3 * channels);
    auto values = at::empty({width, channels, 3}, at::kFloat);
    values.normal_(0, std::sqrt(2 / fan_in),
                   make_generator(derive_seed(parameters.seed(), name + value_weight)));
    parameters.add(name + value_weight, values);
}

void add_data_embedding(ParameterSet& parameters, const std::string& name, std::int64_t channels,
                        std::int64_t width) {
    add_value_embedding(parameters, name, channels, width);
    parameters.add_uniform(name + time_weight, {width, time_features}, time_features);
}

at::Tensor data_embedding(const ParameterSet& parameters, const std::string& name, const at::Tensor& values,
                          const at::Tensor& time) {
    const auto embedded = circular_convolution(values, parameters.get(name + value_weight));
    if (!time.defined()) return embedded;
    return embedded + at::linear(time, parameters.get(name + time_weight));
}

}  // namespace casp::model
