#pragma once
// The coverage term: an exponential moving average of the batch mean of max(s, 0) of each anchor, and its
// gate.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "config/config.h"
#include "model/batch_share.h"

namespace casp::model {

/// Loss and gate of one batch.
struct CoverageGate {
    at::Tensor loss;          ///< L_cov = (1/N) Σ_rows Σ_anchors g(s⁺, sg[c̃]); scalar fp32
    at::Tensor active_pairs;  ///< number of (row, anchor) pairs whose similarity has a gradient for a
                              ///< constant c̃; scalar int64
};

/// The coverage statistic c̃ and its gate (the paper's coverage-aware retrieval, Algorithm 1).
///
/// Gates (coverage.gate), with s⁺ = max(s, 0), and the gradient of the loss to s, times N:
///
///   min        g = min(s⁺, c̃), the paper's            1 where 0 < s < c̃
///   product    g = s⁺·c̃                               c̃ where s > 0
///   threshold  g = s⁺ if c̃ > mean over the pool       1 where s > 0 and c̃ is above that mean
///   none       g = s⁺                                 1 where s > 0
class Coverage {
public:
    /// c̃ = 0 for all V' anchors. Of the settings: decay β in [0, 1), warmup >= 0 (steps over which β_t rises
    /// to it), gate, stop_gradient.
    Coverage(std::int64_t pool_size, config::Config::Coverage settings);

    /// c̃ <- β_t·c̃ + (1−β_t)·mean over rows of max(s, 0). Training only, before gate() of the same batch. No
    /// gradient. `step` t counts from 0 over the whole run: β_t = β·min(1, t / warmup), so a warm-up starts
    /// with the mean of the first batch; β_t = β without one. `share`: the rows are a part of the
    /// batch; the mean is that of all.
    void update(const at::Tensor& similarity, std::int64_t step, const BatchShare* share = nullptr);

    /// Loss and gate for similarities [N, V']. With the min gate ∂loss/∂s is exactly 1/N where 0 < s < c̃ and
    /// 0 elsewhere; nothing flows into c̃. Without stop_gradient, (1−β_t)/N of what flows into c̃ reaches each
    /// positive similarity of the batch that update() has seen, which is then given up: call once.
    [[nodiscard]] CoverageGate gate(const at::Tensor& similarity);

    at::Tensor statistic;  ///< c̃, [V'] fp32

private:
    config::Config::Coverage settings_;
    at::Tensor recent_;  ///< (1−β_t)·mean over rows, with its gradient; undefined with stop_gradient
};

}  // namespace casp::model
