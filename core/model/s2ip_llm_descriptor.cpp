// S2IP-LLM's settings and cost: those of CASP-LLM with fixed choices.

#include "model/backbone_descriptor.h"
#include "model/casp_llm_shape.h"
#include "model/descriptor.h"
#include "model/s2ip_llm_shape.h"

namespace casp::model {

namespace {

Capabilities capabilities_of_s2ip_llm(const config::Config& config) {
    return {.backbone = true,
            .replaceable = true,
            .anchors = true,
            .embeddings = true,
            .retrieved = config.model.top_k};
}

std::vector<config::Contradiction> check_s2ip_llm(const config::Config& config) {
    return check_casp_llm(as_s2ip_llm(config));
}

Estimate estimate_s2ip_llm(const config::Config& config, const BatchShape& batch) {
    return estimate_casp_llm(as_s2ip_llm(config), batch);
}

bool without_effect_in_s2ip_llm(const config::Config& config, std::string_view key) {
    return without_effect_in_backbone(config, key, /*token_table=*/true);
}

}  // namespace

Descriptor describe_s2ip_llm() {
    return {.capabilities = capabilities_of_s2ip_llm,
            .estimate = estimate_s2ip_llm,
            .check = check_s2ip_llm,
            .reads = {"backbone.", "model.patch_length", "model.patch_stride", "model.trend_length",
                      "model.seasonal_length", "model.pool_size", "model.top_k", "loss.lambda_sim"},
            .terms = {{"similarity", "L_sim", "λ_sim"}},
            .without_effect = without_effect_in_s2ip_llm};
}

}  // namespace casp::model
