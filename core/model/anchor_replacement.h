#pragma once
// Anchors that take the retrieved ones' place in the prefix (model.anchors; the paper's ablation "Anchor
// replacement"; exact specification: docs/decisions/0013).
//
// Both are integer hashes of the seed and, for random anchors, of a row's values: the same on every device,
// independent of the batch and of any generator.

#include <cstdint>
#include <optional>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// Fixed permutation π of the pool for model.anchors = "shuffled": anchor π(i) replaces anchor i. [V'] int64
/// on the CPU.
[[nodiscard]] at::Tensor anchor_permutation(std::int64_t pool_size, std::uint64_t seed);

/// K distinct anchors per row, uniformly from the pool, for model.anchors = "random": rows [N, L] fp32 ->
/// [N, K] int64 on the rows' device. A function of the row's bits and the seed, in training (`step`, from 0)
/// also of the step: the same window has the same anchors in every evaluation. 1 <= k <= V'.
[[nodiscard]] at::Tensor random_anchors(const at::Tensor& rows, std::int64_t k, std::int64_t pool_size,
                                        std::uint64_t seed, std::optional<std::int64_t> step);

}  // namespace casp::model
