#pragma once
// Semantic anchors f(E) and their cosine similarity to queries.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "model/batch_share.h"

namespace casp::model {

/// v · rsqrt(max(Σv², 1e-12)) along the last axis.
[[nodiscard]] at::Tensor l2_normalise(const at::Tensor& v);

/// Anchors of one forward pass or one evaluation.
struct Anchors {
    at::Tensor values;  ///< P, [V', d] fp32
    at::Tensor keys;    ///< P normalised row by row, [V', d]
};

/// f: E' = W·E + b·1ᵀ, the paper's learnable linear projection of the token table E [V, d] to V' anchors; W
/// [V', V], b [V']. The bias adds one number to all d entries of an anchor (a Linear(V -> V') applied to Eᵀ,
/// as in S2IP-LLM).
///
/// 2·V'·V·d operations, so once per training step and once per evaluation. With a table in bf16 the product
/// W·E is, too; all else is fp32. The table may have rows of zeros at its end (padded_vocabulary()). `share`:
/// of a training step.
[[nodiscard]] Anchors make_anchors(const at::Tensor& weight, const at::Tensor& bias,
                                   const at::Tensor& token_table, const BatchShare* share = nullptr);

/// Rows of the bf16 copy of a token table [V, d]: where the program's kernels run, a multiple of 8 ≥ V, since
/// rows of W that are not whole 16 bytes make products on a GPU slow. Else V.
[[nodiscard]] std::int64_t padded_vocabulary(const at::Tensor& token_table);

/// Cosine similarities s = q̂ p̂ᵀ: queries [N, d], keys [V', d] (normalised) -> [N, V'] in [-1, 1].
[[nodiscard]] at::Tensor anchor_similarity(const at::Tensor& queries, const at::Tensor& keys);

}  // namespace casp::model
