#pragma once
// TEMPO (Cao et al. 2024): trend, season and residual, each behind a prompt, in one sequence of GPT-2.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include <ATen/core/Tensor.h>

#include "config/config.h"
#include "model/backbone.h"
#include "model/coverage.h"
#include "model/forecaster.h"
#include "model/parameter_set.h"
#include "model/retrieval.h"

namespace casp::model {

// TEMPO's prompt pool: trainable keys, each with a prompt of a few tokens, retrieved by cosine similarity.

struct PromptPoolShape {
    std::int64_t size = 30;   ///< V': number of keys and prompts
    std::int64_t top_k = 3;   ///< retrieved per query, at most V'
    std::int64_t length = 3;  ///< tokens of a prompt
    std::int64_t patches = 64;
    std::int64_t width = 768;  ///< d

    [[nodiscard]] std::int64_t tokens() const { return top_k * length; }  ///< put before a query's patches
};

/// Adds the pool's tensors to `set`, with the public code's names and initial values: prompt_key_dict.
/// prompt_key_I [d] and prompt_value_dict.prompt_value_I [length, d], I = 0 … V' - 1, from N(0, 1);
/// summary_map, linear from `patches` to 1.
void add_prompt_pool(ParameterSet& set, const PromptPoolShape& shape);

/// The pool's keys, [V', d].
[[nodiscard]] at::Tensor prompt_keys(const ParameterSet& set, const PromptPoolShape& shape);

/// What the queries of R sequences retrieve.
struct PooledPrompts {
    at::Tensor tokens;      ///< prompts in descending similarity, [R, top_k · length, d]
    at::Tensor similarity;  ///< cosine of query and key, [R, V']
    Retrieval retrieval;    ///< index and similarity, [R, top_k]
};

/// Embedded patches [R, N_p, d] and keys [V', d] to prompts.
///
/// Query: summary_map maps N_p numbers to one. As in the public code these are not the N_p patches of one
/// coordinate but N_p consecutive numbers of the sequence in memory, cut into d parts.
[[nodiscard]] PooledPrompts retrieve_prompts(const ParameterSet& set, const PromptPoolShape& shape,
                                             const at::Tensor& patches, const at::Tensor& keys);

/// GPT-2's tokens of "Predict the future time step given the trend" (component 0), "… season" and "…
/// residual", tempo_sentence (tempo_shape.h) each. A smaller vocabulary of V tokens has these numbers modulo
/// V.
[[nodiscard]] std::vector<std::int64_t> tempo_sentence_tokens(std::size_t component);

/// Each channel of each window is a row x [N, L], normalised (RevIN, with trainable scale and shift). With P
/// tokens in each prompt:
///
///   trend    = W_t·average(x) + b_t            [N, L]    average: moving average of moving_avg values
///   season   = W_2·relu(W_1·(x − trend) + b_1) + b_2     [N, L], 4·L inside
///   residual = x − trend − season              [N, L]
///   e_c      = W_c·patches(c) + b_c            [N, N_p, d] for each component c, padded by one stride
///   p_c      = its prompt                      [N, P, d]
///   h        = GPT-2([p_t, e_t, p_s, e_s, p_r, e_r])     [N, 3·(P + N_p), d], frozen but for LoRA on c_attn
///   forecast = Σ_c (V_c·flatten(h_c) + v_c), denormalised     [N, H]; h_c: h at e_c, and p_c if use_token
///
/// Prompts p_c: a linear layer of each component maps the tokens of "Predict the future time step given the
/// trend" ("season", "residual"). With `pool`, each component instead retrieves the prompts of its top_k keys
/// (add_prompt_pool()), the anchors of this model: 3·top_k per row, in the order of the components,
/// repetitions included. Loss terms with `pool`, as in CASP-LLM with the 3·N queries of N rows in place of N:
/// L_sim and, with `coverage`, L_cov; the similarity of a trace is the mean over the components.
///
/// Tensor names are those of the public code (DC-research/TEMPO) with peft. What the public code does not use
/// is left out, as is its auxiliary loss, which decomposes the test rows: docs/decisions/0020-tempo.md.
class Tempo : public Forecaster, public AnchorModel {
public:
    /// On the CPU with an untrained backbone.
    explicit Tempo(const config::Config& config);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] bool repeats_steps() const override { return false; }
    void cancel_on(const std::stop_token& stop) override { backbone_.cancel_on(stop); }
    [[nodiscard]] NamedTensors trainable() const override;
    [[nodiscard]] NamedTensors frozen() const override { return backbone_.frozen(); }
    [[nodiscard]] NamedTensors state() const override;
    void weights_replaced() override;
    void to(const at::Device& device) override;

    [[nodiscard]] AnchorModel* anchors() override { return has_pool() ? this : nullptr; }
    [[nodiscard]] std::int64_t pool_size() const override { return config_.tempo.pool_size; }
    [[nodiscard]] std::int64_t top_k() const override;        ///< of all components together
    [[nodiscard]] at::Tensor anchor_values() const override;  ///< the keys
    [[nodiscard]] at::Tensor coverage_statistic() const override {
        return coverage_ ? coverage_->statistic : at::Tensor();
    }
    /// None: the model has no embeddings.
    [[nodiscard]] NamedTensors embedding_weights() const override { return {}; }
    void hold_anchors(const at::Tensor& values) override;

private:
    [[nodiscard]] bool has_pool() const { return config_.tempo.prompt && config_.tempo.pool; }
    [[nodiscard]] std::int64_t patches() const;        ///< N_p of a component
    [[nodiscard]] std::int64_t prompt_tokens() const;  ///< before the patches of a component
    [[nodiscard]] PromptPoolShape pool_shape() const;
    [[nodiscard]] at::Tensor keys() const;
    /// Patches of trend, season and residual of rows [N, L]: [N, 3, N_p, d].
    [[nodiscard]] at::Tensor embed(const at::Tensor& rows) const;
    /// [N, 3, tokens, d]; of the pool, with terms and retrievals in `out`.
    [[nodiscard]] at::Tensor sentences(std::int64_t rows) const;
    [[nodiscard]] at::Tensor pooled(const at::Tensor& patches, const TrainingStep* step, bool trace,
                                    Forecast& out);

    config::Config config_;
    ParameterSet layers_;
    std::optional<Coverage> coverage_;
    Backbone backbone_;
    at::Tensor held_keys_;  ///< given from outside
};

}  // namespace casp::model
