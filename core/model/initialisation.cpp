#include "model/initialisation.h"

#include <torch/torch.h>

#include "util/random.h"

namespace casp::model {

at::Tensor uniform_parameter(at::IntArrayRef shape, std::int64_t fan_in, std::uint64_t seed,
                             std::string_view name) {
    const double bound = 1.0 / std::sqrt(static_cast<double>(fan_in));
    auto tensor = at::empty(shape, at::kFloat);
    tensor.uniform_(-bound, bound, make_generator(derive_seed(seed, name)));
    return tensor.set_requires_grad(true);
}

}  // namespace casp::model
