#pragma once
// S2IP-LLM as settings of CASP-LLM's architecture. Free of LibTorch.

#include "config/config.h"

namespace casp::model {

/// The configuration with S2IP-LLM's fixed choices: no coverage, top-K retrieval of semantic anchors,
/// decomposition, three head ways, no affine instance normalisation.
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
