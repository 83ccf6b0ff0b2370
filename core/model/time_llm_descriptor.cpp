// Time-LLM's settings and cost.

#include <algorithm>

#include "model/backbone_descriptor.h"
#include "model/descriptor.h"
#include "util/phrase.h"

namespace casp::model {

namespace {

constexpr std::int64_t time_llm_prototypes = 1000;

std::int64_t time_llm_patches(const config::Config& config) {
    return (config.data.lookback - config.time_llm.patch_len) / config.time_llm.stride + 2;
}

/// Length of a typical prompt, cut as by the model: 400 bytes, or 120 of GPT-2's tokens.
std::int64_t time_llm_prompt_length(const config::Config& config) {
    const std::int64_t usual = config.backbone.path == "untrained" ? 400 : 120;
    return std::clamp<std::int64_t>(config.backbone.positions - time_llm_patches(config), 0, usual);
}

Capabilities capabilities_of_time_llm(const config::Config& /*config*/) { return {.backbone = true}; }

std::vector<config::Contradiction> check_time_llm(const config::Config& config) {
    std::vector<config::Contradiction> found;
    const config::Shown shown{config};
    check_backbone_heads(config, found);
    check_at_most(config, "time-llm.patch_len", "data.lookback", "is longer than", found);
    if (config.time_llm.patch_len <= config.data.lookback &&
        time_llm_patches(config) > config.backbone.positions)
        found.push_back({{"data.lookback", "time-llm.patch_len", "time-llm.stride", "backbone.positions"},
                         Phrase("%1 patches (%2, %3, %4) are more than %5", time_llm_patches(config),
                                shown("data.lookback"), shown("time-llm.patch_len"), shown("time-llm.stride"),
                                shown("backbone.positions")),
                         "at most that many patches; the prompt takes the positions before them"});
    return found;
}

Estimate estimate_time_llm(const config::Config& config, const BatchShape& batch) {
    const auto& own = config.time_llm;
    const auto d = config.backbone.width, layers = config.backbone.layers, horizon = config.data.horizon;
    const auto vocabulary = config.backbone.vocabulary;
    const auto patches = time_llm_patches(config), inner = own.n_heads * own.d_ff;
    const auto channels = std::min(own.d_ff, d);
    const auto tokens = patches + time_llm_prompt_length(config);

    Estimate e;
    e.patches = patches;
    e.tokens = tokens;
    const auto frozen =
        vocabulary * d + config.backbone.positions * d + layers * (12 * d * d + 13 * d) + 2 * d;
    e.parameters_trainable = 3 * own.patch_len * own.d_model + time_llm_prototypes * (vocabulary + 1) +
                             inner * (own.d_model + 1) + 2 * inner * (d + 1) + d * (inner + 1) +
                             horizon * (channels * patches + 1);
    e.parameters_total = frozen + e.parameters_trainable;
    // Weights, gradient and two moments of what is trained; the frozen once; prototypes, keys and values.
    e.fixed_bytes = 4 * (4 * e.parameters_trainable + frozen + time_llm_prototypes * (2 * d + 4 * inner));

    // As CASP-LLM's backbone (norm inputs, q k v, input of GELU; temporaries of one block); scores and
    // probabilities over the prototypes before and after dropout.
    const auto element = config.run.precision == "bf16" ? 2 : 4;
    const auto masks = batch.on_gpu && config.backbone.dropout > 0 ? (2 * layers + 1) * tokens * d : 0;
    const auto attention = patches * own.n_heads * time_llm_prototypes;
    e.bytes_per_row = layers * tokens * (2 * d * 4 + 7 * d * element) + masks + tokens * 64 * d +
                      4 * (3 * attention + 4 * patches * inner + 4 * tokens * d) +
                      config.backbone.heads * tokens * 4;
    e.evaluation_bytes_per_row = tokens * d * (4 + 2 * 4 * element);

    const auto n = static_cast<double>(batch.rows), t = static_cast<double>(tokens);
    const auto width = static_cast<double>(d), np = static_cast<double>(patches);
    const double forward = t * static_cast<double>(layers) * (24 * width * width + 4 * t * width);
    const double backward = t * static_cast<double>(layers) * (24 * width * width + 12 * t * width);
    const double reprogramming =
        np * static_cast<double>(inner) *
        (4.0 * static_cast<double>(time_llm_prototypes) + 2 * width + 2 * static_cast<double>(own.d_model));
    const double head = 2.0 * static_cast<double>(channels * horizon) * np;
    const double words =
        static_cast<double>(time_llm_prototypes) *
        (2.0 * static_cast<double>(vocabulary) * width + 4.0 * width * static_cast<double>(inner));
    e.evaluation_flop_per_row = forward + reprogramming + head;
    e.step_flop = n * (e.evaluation_flop_per_row + backward + 2 * (reprogramming + head)) + 2 * words;
    return e;
}

}  // namespace

Descriptor describe_time_llm() {
    return {.capabilities = capabilities_of_time_llm,
            .estimate = estimate_time_llm,
            .check = check_time_llm,
            .reads = {"backbone."}};
}

}  // namespace casp::model
