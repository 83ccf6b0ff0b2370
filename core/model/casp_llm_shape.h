#pragma once
// Patches, tokens, checks and cost of CASP-LLM's architecture as its settings give them. Free of LibTorch.

#include <cstdint>
#include <vector>

#include "config/config.h"
#include "config/options.h"
#include "model/estimate.h"

namespace casp::model {

/// Number of patches N_p of a window, the one that the replicated right edge adds included:
/// floor((lookback - patch_length) / patch_stride) + 2.
[[nodiscard]] inline std::int64_t patch_count(const config::Config& config) {
    return (config.data.lookback - config.model.patch_length) / config.model.patch_stride + 2;
}

/// Tokens that the backbone reads per row: N_p, plus K with model.prompt.
[[nodiscard]] inline std::int64_t token_count(const config::Config& config) {
    return patch_count(config) + (config.model.prompt ? config.model.top_k : 0);
}

/// Whether anchors are trainable vectors, of the same number and width, instead of combinations of words.
[[nodiscard]] inline bool has_free_anchors(const config::Config& config) {
    return config.model.anchors == "free";
}

/// Whether the value of the gate depends on c̃ in a way that has a gradient.
[[nodiscard]] inline bool gate_reads_statistic(const config::Config& config) {
    return config.coverage.gate == "min" || config.coverage.gate == "product";
}

/// Contradictory settings and cost, as in Descriptor.
[[nodiscard]] std::vector<config::Contradiction> check_casp_llm(const config::Config& config);
[[nodiscard]] Estimate estimate_casp_llm(const config::Config& config, const BatchShape& batch);

// S2IP-LLM as settings of CASP-LLM's architecture. Free of LibTorch.

/// S2IP-LLM (Pan et al. 2024) as a configuration of CaspLlm, which computes both models: semantic anchors as
/// a prompt for GPT-2, with fixed choices.
///
/// CASP-LLM took its architecture from S2IP-LLM: instance normalisation, decomposition of whole windows,
/// patches, anchors, cosine similarity, prefix, GPT-2, and the head over three token thirds are the same
/// operations with the same tensor names. S2IP-LLM differs from CASP-LLM in what follows:
///
///   coverage       no coverage statistic and no loss term besides the similarity: checkpoints have no
///                  `coverage_statistic`; [coverage] and loss.lambda_cov are not read
///   similarity     the public code adds sim_coef·R, with sim_coef < 0 and R = (1/N) Σ_rows Σ_topK s; here
///   loss           λ_sim·(1/N) Σ_rows Σ_topK (1 − s) = λ_sim·(K − R) with λ_sim = −sim_coef: the same
///                  gradient, but a total that is higher by the constant λ_sim·K
///   choices        top-K retrieval of semantic anchors, decomposition, three head ways and a normalisation
///                  without scale and shift are fixed; these settings of CASP-LLM are not read
///   arguments      loss.lambda_sim is −sim_coef; the anchors are those of prompt_init = "text_prototype"
///   presets        K, λ_sim, lengths, batch size and learning rate of the public scripts; Adam without
///                  weight decay, where CASP-LLM has AdamW
///
/// Of the public code's faults none is taken over: decomposition runs on the model's device, in double, with
/// pandas' values; anchors are computed once per evaluation; the last training windows are not dropped.
[[nodiscard]] inline config::Config as_s2ip_llm(config::Config config) {
    const config::Config defaults;
    config.selection = defaults.selection;
    config.coverage = defaults.coverage;
    config.coverage.enabled = false;
    config.model.anchors = defaults.model.anchors;
    config.model.head_ways = defaults.model.head_ways;
    config.model.decomposition = defaults.model.decomposition;
    config.model.prompt = defaults.model.prompt;
    config.model.instance_norm_affine = defaults.model.instance_norm_affine;
    return config;
}

}  // namespace casp::model
