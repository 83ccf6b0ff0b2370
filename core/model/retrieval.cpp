#include "model/retrieval.h"

#include <torch/torch.h>

namespace casp::model {

Retrieval retrieve_top_k(const at::Tensor& similarity, std::int64_t k) {
    const auto [values, index] = at::topk(similarity.detach(), k, 1, /*largest=*/true, /*sorted=*/true);
    return {index, similarity.gather(1, index)};
}

at::Tensor similarity_loss(const Retrieval& retrieval) {
    return (1.0 - retrieval.similarity).sum() / static_cast<double>(retrieval.similarity.size(0));
}

at::Tensor look_up(const at::Tensor& anchors, const at::Tensor& index) {
    // On a GPU embedding's gradient is summed in a fixed order, index_select's by atomic additions: only the
    // first repeats bit by bit.
    if (!anchors.is_cpu()) return at::embedding(anchors, index);
    return anchors.index_select(0, index.flatten()).view({index.size(0), index.size(1), anchors.size(1)});
}

void count_retrievals(const at::Tensor& counts, const at::Tensor& index) {
    // Not bincount, which reads the largest index back.
    const auto chosen = index.flatten();
    counts.scatter_add_(0, chosen, at::ones_like(chosen));
}

}  // namespace casp::model
