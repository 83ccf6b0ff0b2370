#include "model/circular_convolution.h"

#include <torch/torch.h>

namespace casp::model {

at::Tensor circular_convolution(const at::Tensor& x, const at::Tensor& weight) {
    const auto neighbours = at::cat({x.roll(1, 1), x, x.roll(-1, 1)}, 2);
    return at::linear(neighbours, weight.permute({0, 2, 1}).flatten(1));
}

}  // namespace casp::model
