// CALF's settings: which go together, what they cost.

#include <algorithm>

#include "model/backbone_descriptor.h"
#include "model/calf_shape.h"
#include "model/descriptor.h"
#include "util/phrase.h"

namespace casp::model {

namespace {

constexpr std::int64_t calf_feed_forward = 2048;
constexpr std::int64_t calf_words = 500;

Capabilities capabilities_of_calf(const config::Config& config) {
    return {.backbone = has_gpt2(config) || has_text_branch(config),
            .token_table = has_text_branch(config),
            .mixes_channels = true,
            .forecast_loss = false};
}

std::vector<config::Contradiction> check_calf(const config::Config& config) {
    const config::Shown shown{config};
    std::vector<config::Contradiction> found;
    check_heads(config, "backbone.width", "backbone.heads", found);  // also of the input layer
    if (config.calf.task_w == 0 && config.calf.output_w == 0 && config.calf.feature_w == 0)
        found.push_back({{"calf.task_w", "calf.output_w", "calf.feature_w"},
                         Phrase("%1, %2 and %3 leave nothing to train", shown("calf.task_w"),
                                shown("calf.output_w"), shown("calf.feature_w")),
                         "a weight above 0, e.g. calf.task_w = 1"});
    return found;
}

Estimate estimate_calf(const config::Config& config, const BatchShape& batch) {
    const auto d = config.backbone.width;
    const bool gpt2 = has_gpt2(config);
    const auto layers = gpt2 ? config.backbone.layers : 0;
    const auto horizon = config.data.horizon;
    const auto lookback = config.data.lookback;
    const auto channels = batch.channels;
    const auto branches = has_text_branch(config) ? 2 : 1;

    // A layer in place of GPT-2, over the variates of a window.
    const auto layer = gpt2 ? BackboneCost{} : backbone_cost(config, channels, batch.on_gpu, branches == 2);
    const std::int64_t states = gpt2 ? layers + 1 : config.backbone.kind == "none" ? 1 : 2;
    const auto positions = gpt2 ? config.backbone.positions * d : 0;
    const auto norms = gpt2 ? layers * 4 * d + 2 * d : 0;
    const auto lora = layers * config.calf.r * 4 * d;
    const auto projections = 2 * states * d * d;
    const auto attention = 4 * d * d + 4 * d;
    const auto encoder = lookback * d + d + attention + 2 * d * calf_feed_forward + calf_feed_forward + 5 * d;
    const auto matrices =
        gpt2 ? config.backbone.vocabulary * d + layers * (12 * d * d + 9 * d) : layer.frozen;

    Estimate e;
    e.tokens = config.backbone.kind == "none" ? 0 : 1;
    e.parameters_trainable = 2 * positions + norms + lora + 2 * layer.trainable + projections + encoder +
                             attention + horizon * d + horizon;
    // Both branches list the frozen matrices of GPT-2, which are in memory once.
    e.parameters_total = e.parameters_trainable + (gpt2 ? 2 : 1) * matrices + norms;
    e.fixed_bytes = 4 * (4 * e.parameters_trainable + matrices + norms + calf_words * d);

    // Kept for the backward pass per token and block as in CASP-LLM, LoRA's input, and the projected hidden
    // states; the encoder's layer with its attention.
    const auto masks = batch.on_gpu && config.backbone.dropout > 0 ? (2 * layers + 1) * d : 0;
    const auto branch = 4 * (layers * 10 * d + states * 2 * d + 16 * d) + masks +
                        layer.bytes_per_row / std::max<std::int64_t>(channels, 1);
    const auto encoder_bytes =
        4 * (2 * lookback + 3 * calf_feed_forward + 14 * d + 3 * config.backbone.heads * channels);
    e.bytes_per_row = branches * branch + encoder_bytes + 4 * 6 * horizon;
    e.evaluation_bytes_per_row = 4 * (lookback + calf_feed_forward + 10 * d + horizon);

    const auto width = static_cast<double>(d);
    const auto m = static_cast<double>(channels);
    const double replaced = layer.forward_flop / std::max(m, 1.0);
    const double frozen = static_cast<double>(layers) * (24 * width * width + 4 * m * width);
    const double backbone = frozen + replaced;
    const double input = 2 * width * static_cast<double>(lookback) + 8 * width * width + 4 * m * width +
                         4 * width * static_cast<double>(calf_feed_forward);
    const double head = 2 * width * static_cast<double>(horizon);
    const double text = 4 * width * width + 4 * width * static_cast<double>(calf_words) +
                        2 * 2 * static_cast<double>(states) * width * width;
    e.evaluation_flop_per_row = input + backbone + head;
    const double forward = input + branches * (backbone + head) + (branches == 2 ? text : 0);
    // Frozen matrices need no gradient.
    e.step_flop = static_cast<double>(batch.rows) * (3 * forward - static_cast<double>(branches) * frozen);
    return e;
}

bool without_effect_in_calf(const config::Config& config, std::string_view key) {
    if (key == "backbone.heads") return false;  // of the input layer, too
    const bool of_lora = key == "calf.r" || key.starts_with("calf.lora_");
    return (of_lora && !has_gpt2(config)) || without_effect_in_backbone(config, key, has_text_branch(config));
}

}  // namespace

Descriptor describe_calf() {
    return {.capabilities = capabilities_of_calf,
            .estimate = estimate_calf,
            .check = check_calf,
            .reads = {"backbone."},
            .terms = {{"task", "L_task", "task_w"},
                      {"output", "L_output", "output_w"},
                      {"feature", "L_feature", "feature_w"}},
            .without_effect = without_effect_in_calf};
}

}  // namespace casp::model
