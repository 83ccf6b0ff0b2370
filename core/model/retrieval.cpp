#include "model/retrieval.h"

#include <limits>
#include <vector>

#include <torch/torch.h>

namespace casp::model {

Retrieval retrieve_top_k(const at::Tensor& similarity, std::int64_t k) {
    const auto [values, index] = at::topk(similarity.detach(), k, 1, /*largest=*/true, /*sorted=*/true);
    return {index, similarity.gather(1, index)};
}

Retrieval retrieve_mmr(const at::Tensor& similarity, const at::Tensor& keys, std::int64_t k, double alpha) {
    constexpr double never = -std::numeric_limits<double>::infinity();
    const auto relevance = similarity.detach() * alpha;
    const auto directions = keys.detach();
    auto pick = similarity.detach().argmax(1, true);  // [N, 1]; the first of equal values
    std::vector<at::Tensor> picks{pick};
    auto redundancy = at::full_like(relevance, never);
    auto taken = at::zeros_like(relevance, at::kBool);
    while (static_cast<std::int64_t>(picks.size()) < k) {
        taken.scatter_(1, pick, true);
        const auto cosine = at::matmul(directions.index_select(0, pick.squeeze(1)), directions.t());
        redundancy = at::maximum(redundancy, cosine);
        pick = (relevance - (1.0 - alpha) * redundancy).masked_fill_(taken, never).argmax(1, true);
        picks.push_back(pick);
    }
    const auto index = at::cat(picks, 1);
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
