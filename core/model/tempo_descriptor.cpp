// TEMPO's settings: which go together, what they cost, what they switch on.

#include <string>

#include "model/backbone_descriptor.h"
#include "model/casp_llm_shape.h"
#include "model/descriptor.h"
#include "model/tempo_shape.h"
#include "util/phrase.h"

namespace casp::model {

namespace {

constexpr std::int64_t tempo_parts = 3;  // trend, season, residual

bool tempo_retrieves(const config::Config& config) { return config.tempo.prompt && config.tempo.pool; }

bool reads_sentences(const config::Config& config) { return config.tempo.prompt && !config.tempo.pool; }

std::int64_t tempo_patches(const config::Config& config) {
    return (config.data.lookback - config.tempo.patch_size) / config.tempo.stride + 2;
}

std::int64_t tempo_prompt(const config::Config& config) {
    if (!config.tempo.prompt) return 0;
    return config.tempo.pool ? config.tempo.top_k * config.tempo.prompt_len : tempo_sentence;
}

Capabilities capabilities_of_tempo(const config::Config& config) {
    const bool pool = tempo_retrieves(config);
    const bool words = reads_sentences(config);
    return {.backbone = has_gpt2(config) || words,
            .token_table = words,
            .anchors = pool,
            .coverage = pool && config.coverage.enabled,
            .retrieved = pool ? tempo_parts * config.tempo.top_k : 0};
}

std::vector<config::Contradiction> check_tempo(const config::Config& config) {
    std::vector<config::Contradiction> found;
    const config::Shown shown{config};
    check_backbone_heads(config, found);
    if (tempo_retrieves(config))
        check_at_most(config, "tempo.top_k", "tempo.pool_size", "is more than", found);
    check_at_most(config, "tempo.patch_size", "data.lookback", "is longer than", found);
    if (config.tempo.patch_size > config.data.lookback) return found;
    const auto tokens = tempo_parts * (tempo_patches(config) + tempo_prompt(config));
    if (has_gpt2(config) && tokens > config.backbone.positions)
        found.push_back(
            {{"data.lookback", "tempo.patch_size", "tempo.stride", "backbone.positions"},
             Phrase("%1 tokens (3 components of %2 patches from %3, %4 and %5, and %6 of the prompt) are "
                    "more than %7",
                    tokens, tempo_patches(config), shown("data.lookback"), shown("tempo.patch_size"),
                    shown("tempo.stride"), tempo_prompt(config), shown("backbone.positions")),
             "at most that many tokens"});
    return found;
}

Estimate estimate_tempo(const config::Config& config, const BatchShape& batch) {
    const auto& own = config.tempo;
    const auto d = config.backbone.width, layers = has_gpt2(config) ? config.backbone.layers : 0;
    const auto length = config.data.lookback, horizon = config.data.horizon;
    const auto patches = tempo_patches(config), prompt = tempo_prompt(config);
    const auto tokens = tempo_parts * (patches + prompt);
    const auto read = patches + (own.use_token ? prompt : 0);
    const auto backbone = backbone_cost(config, tokens, batch.on_gpu, reads_sentences(config));

    Estimate e;
    e.patches = patches;
    e.tokens = backbone.tokens;
    const auto maps = length * (length + 1) + 4 * length * (length + 1) + length * (4 * length + 1);
    const auto heads = tempo_parts * horizon * (read * d + 1);
    const auto prompts = tempo_retrieves(config) ? own.pool_size * d * (1 + own.prompt_len) + patches + 1
                         : own.prompt            ? tempo_parts * d * (d + 1)
                                                 : 0;
    e.parameters_trainable =
        2 + maps + tempo_parts * d * (own.patch_size + 1) + prompts + heads + layers * own.r * 4 * d;
    // Norms and positions of GPT-2 are frozen, too.
    const auto trained = has_gpt2(config) ? 0 : backbone.trainable;
    const auto frozen = backbone.frozen + backbone.trainable - trained;
    e.parameters_trainable += trained;
    e.parameters_total = frozen + e.parameters_trainable;
    e.fixed_bytes = 4 * (4 * e.parameters_trainable + frozen);
    // Beside the backbone: LoRA's inputs with their dropout and its outputs; the components; patches, input
    // of the heads.
    e.bytes_per_row = backbone.bytes_per_row +
                      4 * (layers * tokens * (5 * d + own.r) + 16 * length + 4 * tokens * d + 3 * horizon);
    e.evaluation_bytes_per_row = backbone.evaluation_bytes_per_row + 4 * tokens * 3 * d;

    const auto t = static_cast<double>(tokens), width = static_cast<double>(d);
    const double products =
        2.0 * static_cast<double>(maps) + 2.0 * static_cast<double>(heads) +
        2.0 * static_cast<double>(tempo_parts * patches * own.patch_size) * width +
        2.0 * t * static_cast<double>(layers * own.r) * 4 * width +
        (tempo_retrieves(config) ? 2.0 * static_cast<double>(tempo_parts * (own.pool_size + patches)) * width
                                 : 0);
    e.evaluation_flop_per_row = backbone.forward_flop + products;
    e.step_flop =
        static_cast<double>(batch.rows) * (backbone.forward_flop + backbone.backward_flop + 3 * products);
    return e;
}

bool without_effect_in_tempo(const config::Config& config, std::string_view key) {
    const bool of_pool = key.starts_with("coverage.") || key.starts_with("loss.lambda_");
    const bool of_lora = key == "tempo.r" || key.starts_with("tempo.lora_");
    return (of_pool && !tempo_retrieves(config)) || (of_lora && !has_gpt2(config)) ||
           (key == "coverage.stop_gradient" && !gate_reads_statistic(config)) ||
           without_effect_in_backbone(config, key, reads_sentences(config));
}

}  // namespace

Descriptor describe_tempo() {
    return {.capabilities = capabilities_of_tempo,
            .estimate = estimate_tempo,
            .check = check_tempo,
            .reads = {"backbone.", "coverage.enabled", "coverage.decay", "coverage.warmup", "coverage.gate",
                      "coverage.stop_gradient", "loss.lambda_"},
            .terms = {{"similarity", "L_sim", "λ_sim"}, {"coverage", "L_cov", "λ_cov"}},
            .without_effect = without_effect_in_tempo};
}

}  // namespace casp::model
