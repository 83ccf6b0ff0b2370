#include "model/affine_layer.h"

#include <torch/torch.h>

namespace casp::model {

AffineLayer make_norm(std::int64_t width) {
    return {at::ones({width}).set_requires_grad(true), at::zeros({width}).set_requires_grad(true)};
}

void move_to(AffineLayer& layer, const at::Device& device) {
    for (auto* tensor : {&layer.weight, &layer.bias})
        *tensor = tensor->detach().to(device).set_requires_grad(true);
}

}  // namespace casp::model
