#include "model/selection.h"

#include <torch/torch.h>

namespace casp::model {

Selection select_top_k(const at::Tensor& similarity, std::int64_t k) {
    const auto [values, index] = at::topk(similarity.detach(), k, 1, /*largest=*/true, /*sorted=*/true);
    return {index, similarity.gather(1, index)};
}

at::Tensor similarity_loss(const Selection& selection) {
    return (1.0 - selection.similarity).sum() / static_cast<double>(selection.similarity.size(0));
}

}  // namespace casp::model
