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

Capabilities capabilities_of_time_llm(const config::Config& /*config*/) {
    return {.backbone = true, .token_table = true};
}

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
    const auto d = config.backbone.width, horizon = config.data.horizon;
    const auto vocabulary = config.backbone.vocabulary;
    const auto patches = time_llm_patches(config), inner = own.n_heads * own.d_ff;
    const auto channels = std::min(own.d_ff, d);
    const auto tokens = patches + time_llm_prompt_length(config);

    Estimate e;
    e.patches = patches;
    const auto backbone = backbone_cost(config, tokens, batch.on_gpu, /*token_table=*/true);
    e.tokens = backbone.tokens;
    const auto frozen = backbone.frozen + (has_gpt2(config) ? backbone.trainable : 0);  // all of GPT-2
    e.parameters_trainable = 3 * own.patch_len * own.d_model + time_llm_prototypes * (vocabulary + 1) +
                             inner * (own.d_model + 1) + 2 * inner * (d + 1) + d * (inner + 1) +
                             horizon * (channels * patches + 1) + (has_gpt2(config) ? 0 : backbone.trainable);
    e.parameters_total = frozen + e.parameters_trainable;
    // Weights, gradient and two moments of what is trained; the frozen once; prototypes, keys and values.
    e.fixed_bytes = 4 * (4 * e.parameters_trainable + frozen + time_llm_prototypes * (2 * d + 4 * inner));

    // Scores and probabilities over the prototypes before and after dropout.
    const auto attention = patches * own.n_heads * time_llm_prototypes;
    e.bytes_per_row = backbone.bytes_per_row + 4 * (3 * attention + 4 * patches * inner + 4 * tokens * d);
    e.evaluation_bytes_per_row = backbone.evaluation_bytes_per_row;

    const auto n = static_cast<double>(batch.rows);
    const auto width = static_cast<double>(d), np = static_cast<double>(patches);
    const double reprogramming =
        np * static_cast<double>(inner) *
        (4.0 * static_cast<double>(time_llm_prototypes) + 2 * width + 2 * static_cast<double>(own.d_model));
    const double head = 2.0 * static_cast<double>(channels * horizon) * np;
    const double words =
        static_cast<double>(time_llm_prototypes) *
        (2.0 * static_cast<double>(vocabulary) * width + 4.0 * width * static_cast<double>(inner));
    e.evaluation_flop_per_row = backbone.forward_flop + reprogramming + head;
    e.step_flop =
        n * (e.evaluation_flop_per_row + backbone.backward_flop + 2 * (reprogramming + head)) + 2 * words;
    return e;
}

/// Positions cut the prompt, whatever reads it.
bool without_effect_in_time_llm(const config::Config& config, std::string_view key) {
    return key != "backbone.positions" && without_effect_in_backbone(config, key, /*token_table=*/true);
}

}  // namespace

Descriptor describe_time_llm() {
    return {.capabilities = capabilities_of_time_llm,
            .estimate = estimate_time_llm,
            .check = check_time_llm,
            .reads = {"backbone."},
            .without_effect = without_effect_in_time_llm};
}

}  // namespace casp::model
