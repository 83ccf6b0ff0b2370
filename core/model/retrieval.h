#pragma once
// Retrieval of anchors: the top K by similarity.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// The K anchors that a rule retrieves per row, in the rule's order (Algorithm 1, line 7).
struct Retrieval {
    at::Tensor index;       ///< [N, K] int64
    at::Tensor similarity;  ///< [N, K], differentiable
};

/// similarity [N, V'] -> the K largest per row, in descending order. 1 <= k <= V'.
[[nodiscard]] Retrieval retrieve_top_k(const at::Tensor& similarity, std::int64_t k);

/// Maximal marginal relevance (Carbonell and Goldstein, 1998), greedy: per row first the most similar anchor,
/// then the one with the largest α·s_i − (1−α)·max over the chosen j of cos(k_i, k_j), in order of choice;
/// ties go to the lower index. similarity [N, V'], keys [V', d] (normalised); 1 <= k <= V', alpha in [0, 1].
/// α = 1 retrieves as retrieve_top_k().
[[nodiscard]] Retrieval retrieve_mmr(const at::Tensor& similarity, const at::Tensor& keys, std::int64_t k,
                                     double alpha);

/// L_sim = (1/N) Σ_rows Σ_retrieved (1 − s): scalar fp32.
[[nodiscard]] at::Tensor similarity_loss(const Retrieval& retrieval);

/// Rows of `anchors` [V', d] by `index` [N, K]: [N, K, d].
[[nodiscard]] at::Tensor look_up(const at::Tensor& anchors, const at::Tensor& index);

/// Adds to `counts` [V'] int64 how often each anchor occurs in `index`. Does not wait for the device.
void count_retrievals(const at::Tensor& counts, const at::Tensor& index);

}  // namespace casp::model
