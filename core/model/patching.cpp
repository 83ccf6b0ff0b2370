#include "model/patching.h"

#include <torch/torch.h>

namespace casp::model {

at::Tensor make_patches(const Components& parts, std::int64_t length, std::int64_t stride) {
    const auto stacked = at::stack(
        {parts.trend.to(at::kFloat), parts.seasonal.to(at::kFloat), parts.residual.to(at::kFloat)}, 1);
    const auto padded = at::cat({stacked, stacked.slice(2, -1).expand({-1, -1, stride})}, 2);
    // [N, 3, N_p, length] -> [N, N_p, 3, length]
    return padded.unfold(2, length, stride).transpose(1, 2).flatten(2);
}

}  // namespace casp::model
