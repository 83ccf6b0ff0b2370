#include "model/initialisation.h"

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

}  // namespace casp::model
