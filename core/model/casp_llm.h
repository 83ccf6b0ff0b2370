#pragma once
// CASP-LLM: coverage-aware semantic prompts for a frozen GPT-2.

#include <cstdint>
#include <optional>
#include <stop_token>

#include <ATen/core/Tensor.h>

#include "config/config.h"
#include "model/anchor_pool.h"
#include "model/backbone.h"
#include "model/batch_share.h"
#include "model/coverage.h"
#include "model/forecaster.h"
#include "model/instance_norm.h"
#include "model/parameter_set.h"
#include "model/retrieval.h"

namespace casp::model {

// Usage-balancing losses that can take the coverage loss's place (coverage.term; the paper's appendix
// "Usage-Balancing Objectives"; formulas: docs/decisions/0013).

/// Soft usage p of a batch: p_j = u_j / Σu with u = mean over rows of max(s, 0), for similarities [N, V'].
/// [V'] float64, differentiable: ∂max(s, 0)/∂s is 1 where s > 0 and 0 elsewhere. Uniform, without a gradient,
/// if no similarity is positive. `share`: the rows are a part of the batch; p is that of all.
[[nodiscard]] at::Tensor soft_usage(const at::Tensor& similarity, const BatchShare* share = nullptr);

/// Negative entropy Σ p ln p, in [−ln V', 0]. All three: usage [V'] -> scalar fp32.
[[nodiscard]] at::Tensor entropy_loss(const at::Tensor& usage);

/// KL divergence of the usage to the uniform one, ln V' + Σ p ln p, in [0, ln V']. Same gradient as
/// entropy_loss().
[[nodiscard]] at::Tensor kl_uniform_loss(const at::Tensor& usage);

/// Load balancing of Switch Transformers (Fedus et al., 2022, eq. 4): V'·Σ f_j p_j with f_j the fraction of
/// retrievals `index` [N, K] that fall on anchor j (no gradient). 1 where f or p is uniform.
[[nodiscard]] at::Tensor switch_loss(const at::Tensor& usage, const at::Tensor& index);

// Anchors that take the retrieved ones' place in the prefix (model.anchors; the paper's ablation "Anchor
// replacement"; exact specification: docs/decisions/0013).
//
// Both are integer hashes of the seed and, for random anchors, of a row's values: the same on every device,
// independent of the batch and of any generator.

/// Fixed permutation π of the pool for model.anchors = "shuffled": anchor π(i) replaces anchor i. [V'] int64
/// on the CPU.
[[nodiscard]] at::Tensor anchor_permutation(std::int64_t pool_size, std::uint64_t seed);

/// K distinct anchors per row, uniformly from the pool, for model.anchors = "random": rows [N, L] fp32 ->
/// [N, K] int64 on the rows' device. A function of the row's bits and the seed, in training (`step`, from 0)
/// also of the step: the same window has the same anchors in every evaluation. 1 <= k <= V'.
[[nodiscard]] at::Tensor random_anchors(const at::Tensor& rows, std::int64_t k, std::int64_t pool_size,
                                        std::uint64_t seed, std::optional<std::int64_t> step);

/// The model of the paper behind the common interface; forward() reads like its section 3 and Algorithm 1.
/// More than 25 methods: most implement Forecaster and AnchorModel.
class CaspLlm : public Forecaster, public AnchorModel {
public:
    /// On the CPU with an untrained backbone; load weights by writing into frozen() and trainable(), then
    /// to().
    /// `channels`: M of a batch (1 with single-channel batches); sizes the affine norm only.
    CaspLlm(const config::Config& config, std::int64_t channels);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] bool repeats_steps() const override { return config_.model.anchors != "random"; }
    [[nodiscard]] Forecast look(const ModelInput& input) override;
    void cancel_on(const std::stop_token& stop) override { backbone_.cancel_on(stop); }
    void begin_evaluation() override;
    void end_evaluation() override;
    [[nodiscard]] NamedTensors trainable() const override;
    [[nodiscard]] NamedTensors frozen() const override;
    [[nodiscard]] NamedTensors state() const override;
    [[nodiscard]] NamedTensors embedding_weights() const override;
    void weights_replaced() override;
    void hold_anchors(const at::Tensor& values) override;
    void to(const at::Device& device) override;
    [[nodiscard]] at::Tensor anchor_values() const override;
    [[nodiscard]] std::int64_t embedding_width() const override { return config_.backbone.width; }
    [[nodiscard]] AnchorModel* anchors() override { return config_.model.prompt ? this : nullptr; }
    [[nodiscard]] std::int64_t pool_size() const override { return config_.model.pool_size; }
    [[nodiscard]] std::int64_t top_k() const override { return config_.model.top_k; }
    [[nodiscard]] at::Tensor coverage_statistic() const override {
        return coverage_ ? coverage_->statistic : at::Tensor();
    }

    /// Patch embeddings of windows [B, L, M] (normalised inside): e [N, N_p, d]. For tests and analysis.
    [[nodiscard]] at::Tensor embed(const at::Tensor& lookback, InstanceStatistics& statistics) const;
    [[nodiscard]] Anchors compute_anchors(const BatchShare* share = nullptr) const;

private:
    struct Prompted {
        at::Tensor prefix;  ///< [N, K, d]
        at::Tensor query;   ///< [N, d]
        at::Tensor similarity;
        Anchors anchors;
    };
    /// [B·M, N_p, 3·patch_length] of normalised windows.
    [[nodiscard]] at::Tensor patches(const at::Tensor& normalised) const;
    /// What the backbone reads; fills everything of `out` but the prediction.
    [[nodiscard]] Tokens prompted_tokens(const at::Tensor& lookback, const TrainingStep* step, bool trace,
                                         InstanceStatistics& statistics, Forecast& out);
    [[nodiscard]] InstanceNorm instance_norm() const;
    [[nodiscard]] bool half() const { return config_.run.precision == "bf16"; }
    [[nodiscard]] Prompted retrieve(const at::Tensor& lookback, const at::Tensor& embedding,
                                    const TrainingStep* step, Forecast& out);
    [[nodiscard]] at::Tensor in_prefix(const at::Tensor& retrieved, const at::Tensor& lookback,
                                       const TrainingStep* step) const;
    [[nodiscard]] LossTerm usage_term(const at::Tensor& similarity, const Retrieval& retrieval,
                                      const BatchShare* share, Forecast& out);

    config::Config config_;
    ParameterSet layers_;  ///< outside the backbone
    std::optional<Coverage> coverage_;
    at::Tensor permutation_;  ///< π, [V'] int64; of shuffled anchors
    Backbone backbone_;
    std::optional<Anchors> kept_anchors_;  ///< during an evaluation
    std::optional<Anchors> held_anchors_;  ///< given from outside
};

/// Mean cosine over the K(K−1)/2 pairs of the chosen keys, per row: keys [V', d], index [N, K] -> [N] fp32. K
/// > 1.
[[nodiscard]] at::Tensor mean_pairwise_cosine(const at::Tensor& keys, const at::Tensor& index);

}  // namespace casp::model
