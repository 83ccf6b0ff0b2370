#pragma once
// CASP-LLM: coverage-aware semantic prompts for a frozen GPT-2.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "config/config.h"
#include "model/anchor_pool.h"
#include "model/backbone.h"
#include "model/coverage.h"
#include "model/forecast_head.h"
#include "model/forecaster.h"
#include "model/instance_norm.h"
#include "model/retrieval.h"

namespace casp::model {

/// Everything that decides CASP-LLM's shape and objective; names and defaults as in the configuration.
struct CaspLlmSettings {
    std::int64_t lookback = 512;  ///< L
    std::int64_t horizon = 96;    ///< H
    std::int64_t channels = 7;  ///< M of a batch (1 with single-channel batches); sizes the affine norm only
    std::int64_t patch_length = 16;
    std::int64_t patch_stride = 8;
    std::int64_t trend_length = 96;
    std::int64_t seasonal_length = 96;
    std::int64_t pool_size = 1000;  ///< V'
    std::int64_t top_k = 8;         ///< K
    std::int64_t head_ways = 3;
    bool decomposition = true;  ///< off: trend = x, seasonal = residual = 0
    bool prompt = true;         ///< off: no anchors, no prefix, no similarity and coverage terms
    bool instance_norm_affine = false;
    std::string anchors = "semantic";  ///< in the prefix; "shuffled", "random": replacements
    std::string rule = "top-k";        ///< of retrieval; or "mmr"
    double alpha = 0.7;                ///< of mmr
    bool coverage = true;
    std::string term = "coverage";  ///< that λ_cov weighs; or "entropy", "kl-uniform", "switch"
    double decay = 0.99;            ///< β
    std::int64_t warmup = 0;        ///< steps over which β rises to `decay`
    double lambda_sim = 0.05;
    double lambda_cov = 0.1;
    bool half = false;  ///< matrix products of the backbone and the anchors in bf16
    Gpt2Shape backbone;
    std::uint64_t seed = 2021;           ///< of the trainable layers and of replaced anchors
    std::uint64_t backbone_seed = 0;     ///< of an untrained backbone
    std::string backbone_kind = "gpt2";  ///< or what replaces it: "attention", "block", "none"

    [[nodiscard]] std::int64_t patches() const;  ///< N_p
    [[nodiscard]] std::int64_t tokens() const;   ///< T = N_p + K (N_p without prompt)
};

/// The settings that [backbone], [model], [selection], [coverage], [loss], train.seed and run.precision give.
/// `channels`: of a batch (1 with single-channel batches).
[[nodiscard]] CaspLlmSettings casp_llm_settings(const config::Config& config, std::int64_t channels);

/// The model of the paper behind the common interface; forward() reads like its section 3 and Algorithm 1.
class CaspLlm : public Forecaster, public AnchorModel {
public:
    /// On the CPU with an untrained backbone; load weights by writing into frozen() and trainable(), then
    /// to().
    explicit CaspLlm(const CaspLlmSettings& settings);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] bool repeats_steps() const override { return settings_.anchors != "random"; }
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
    [[nodiscard]] std::int64_t embedding_width() const override { return settings_.backbone.width; }
    [[nodiscard]] AnchorModel* anchors() override { return pool_ ? this : nullptr; }
    [[nodiscard]] std::int64_t pool_size() const override { return settings_.pool_size; }
    [[nodiscard]] std::int64_t top_k() const override { return settings_.top_k; }
    [[nodiscard]] at::Tensor coverage_statistic() const override {
        return coverage_ ? coverage_->statistic : at::Tensor();
    }

    [[nodiscard]] const CaspLlmSettings& settings() const { return settings_; }
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
    [[nodiscard]] NamedTensors layers_before_retrieval() const;
    [[nodiscard]] Prompted retrieve(const at::Tensor& lookback, const at::Tensor& embedding,
                                    const TrainingStep* step, Forecast& out);
    [[nodiscard]] at::Tensor in_prefix(const at::Tensor& retrieved, const at::Tensor& lookback,
                                       const TrainingStep* step) const;
    [[nodiscard]] LossTerm usage_term(const at::Tensor& similarity, const Retrieval& retrieval,
                                      const BatchShare* share, Forecast& out) const;

    CaspLlmSettings settings_;
    InstanceNorm instance_norm_;
    at::Tensor in_weight_;  ///< [d, 3·patch_length]
    at::Tensor in_bias_;    ///< [d]
    std::optional<AnchorPool> pool_;
    std::optional<Coverage> coverage_;
    at::Tensor permutation_;  ///< π, [V'] int64; of shuffled anchors
    Backbone backbone_;
    ForecastHead head_;
    std::optional<Anchors> kept_anchors_;  ///< during an evaluation
    std::optional<Anchors> held_anchors_;  ///< given from outside
};

/// Mean cosine over the K(K−1)/2 pairs of the chosen keys, per row: keys [V', d], index [N, K] -> [N] fp32. K
/// > 1.
[[nodiscard]] at::Tensor mean_pairwise_cosine(const at::Tensor& keys, const at::Tensor& index);

}  // namespace casp::model
