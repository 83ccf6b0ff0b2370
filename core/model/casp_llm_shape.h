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

/// Contradictory settings and cost, as in Descriptor.
[[nodiscard]] std::vector<config::Contradiction> check_casp_llm(const config::Config& config);
[[nodiscard]] Estimate estimate_casp_llm(const config::Config& config, const BatchShape& batch);

}  // namespace casp::model
