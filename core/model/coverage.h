#pragma once
// The coverage term: an exponential moving average of the batch mean of max(s, 0) of each anchor, and its
// gate.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "model/batch_share.h"

namespace casp::model {

/// Loss and gate of one batch.
struct CoverageGate {
    at::Tensor loss;          ///< L_cov = (1/N) Σ_rows Σ_anchors min(s⁺, sg[c̃]); scalar fp32
    at::Tensor active_pairs;  ///< number of (row, anchor) pairs with 0 < s < c̃, the only ones with a
                              ///< gradient; scalar int64
};

/// The coverage statistic c̃ and its gate (the paper's coverage-aware retrieval, Algorithm 1).
class Coverage {
public:
    /// c̃ = 0 for all V' anchors. `decay` is β in [0, 1); `warmup` >= 0: steps over which β_t rises to it.
    Coverage(std::int64_t pool_size, double decay, std::int64_t warmup = 0);

    /// c̃ <- β_t·c̃ + (1−β_t)·mean over rows of max(s, 0). Training only, before gate() of the same batch. No
    /// gradient. `step` t counts from 0 over the whole run: β_t = β·min(1, t / warmup), so a warm-up starts
    /// with the mean of the first batch; β_t = β without one. `share`: the rows are a part of the
    /// batch; the mean is that of all.
    void update(const at::Tensor& similarity, std::int64_t step, const BatchShare* share = nullptr);

    /// Loss and gate for similarities [N, V']. ∂loss/∂s is exactly 1/N where 0 < s < c̃ and 0 elsewhere;
    /// nothing flows into c̃.
    [[nodiscard]] CoverageGate gate(const at::Tensor& similarity) const;

    at::Tensor statistic;  ///< c̃, [V'] fp32

private:
    double decay_;
    std::int64_t warmup_;
};

}  // namespace casp::model
