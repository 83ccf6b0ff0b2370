#include "model/parameter_set.h"

#include <torch/torch.h>

#include "util/random.h"

namespace casp::model {

at::Tensor uniform_parameter(at::IntArrayRef shape, std::int64_t fan_in, std::uint64_t seed,
                             std::string_view name) {
    return bounded_parameter(shape, 1.0 / std::sqrt(static_cast<double>(fan_in)), seed, name);
}

at::Tensor bounded_parameter(at::IntArrayRef shape, double bound, std::uint64_t seed, std::string_view name) {
    auto tensor = at::empty(shape, at::kFloat);
    tensor.uniform_(-bound, bound, make_generator(derive_seed(seed, name)));
    return tensor.set_requires_grad(true);
}

void ParameterSet::add(const std::string& name, const at::Tensor& value) {
    place_[name] = tensors_.size();
    tensors_.push_back({name, value.detach().set_requires_grad(true)});
}

void ParameterSet::add_uniform(const std::string& name, at::IntArrayRef shape, std::int64_t fan_in) {
    add(name, uniform_parameter(shape, fan_in, seed_, name));
}

void ParameterSet::add_normal(const std::string& name, at::IntArrayRef shape, double deviation) {
    add(name, at::empty(shape, at::kFloat).normal_(0, deviation, make_generator(derive_seed(seed_, name))));
}

void ParameterSet::add_linear(const std::string& name, std::int64_t inputs, std::int64_t outputs) {
    add_uniform(name + ".weight", {outputs, inputs}, inputs);
    add_uniform(name + ".bias", {outputs}, inputs);
}

void ParameterSet::add_norm(const std::string& name, std::int64_t width) {
    add(name + ".weight", at::ones({width}));
    add(name + ".bias", at::zeros({width}));
}

const at::Tensor& ParameterSet::get(const std::string& name) const { return tensors_[place_.at(name)].value; }

at::Tensor ParameterSet::linear(const std::string& name, const at::Tensor& x) const {
    return at::linear(x, get(name + ".weight"), get(name + ".bias"));
}

at::Tensor ParameterSet::norm(const std::string& name, const at::Tensor& x) const {
    return at::layer_norm(x, {x.size(-1)}, get(name + ".weight"), get(name + ".bias"));
}

void ParameterSet::to(const at::Device& device) {
    for (auto& tensor : tensors_) tensor.value = tensor.value.detach().to(device).set_requires_grad(true);
}

}  // namespace casp::model
