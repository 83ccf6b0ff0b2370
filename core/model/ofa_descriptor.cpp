// OFA's settings and cost.

#include "config/experiment.h"
#include "model/backbone_descriptor.h"
#include "model/descriptor.h"

namespace casp::model {

namespace {

/// The one that the replicated right edge adds included.
std::int64_t patches_of_ofa(const config::Config& config) {
    return (config.data.lookback - config.ofa.patch_size) / config.ofa.stride + 2;
}

Capabilities capabilities_of_ofa(const config::Config& config) {
    return {.backbone = config.backbone.kind == "gpt2", .replaceable = true, .embeddings = true};
}

std::vector<config::Contradiction> check_ofa(const config::Config& config) {
    std::vector<config::Contradiction> found;
    const auto shown = [&](const std::string& key) {
        return key + " = " + config::to_toml(config::get(config, key));
    };
    if (auto heads = heads_contradiction(config)) found.push_back(std::move(*heads));
    if (config.ofa.patch_size > config.data.lookback) {
        found.push_back({{"ofa.patch_size", "data.lookback"},
                         shown("ofa.patch_size") + " is longer than " + shown("data.lookback"),
                         "ofa.patch_size of at most data.lookback"});
    } else if (const auto patches = patches_of_ofa(config);
               config.backbone.kind == "gpt2" && patches > config.backbone.positions) {
        found.push_back({{"data.lookback", "ofa.patch_size", "ofa.stride", "backbone.positions"},
                         std::to_string(patches) + " patches from " + shown("data.lookback") + ", " +
                             shown("ofa.patch_size") + " and " + shown("ofa.stride") + " are more than " +
                             shown("backbone.positions"),
                         "at most that many patches"});
    }
    return found;
}

Estimate estimate_ofa(const config::Config& config, const BatchShape& batch) {
    const auto d = config.backbone.width, length = config.ofa.patch_size, horizon = config.data.horizon;
    const auto patches = patches_of_ofa(config);
    const auto backbone = backbone_cost(config, patches, batch.on_gpu, /*token_table=*/false);
    Estimate e;
    e.patches = patches;
    e.tokens = backbone.tokens;
    e.parameters_trainable = backbone.trainable + (length + 1) * d + (patches * d + 1) * horizon;
    e.parameters_total = backbone.frozen + e.parameters_trainable;
    e.fixed_bytes = 4 * (4 * e.parameters_trainable + backbone.frozen);
    // Beside the backbone: input of the head, patches, windows and forecasts.
    e.bytes_per_row = backbone.bytes_per_row +
                      4 * (4 * patches * d + 3 * patches * length + 4 * config.data.lookback + 3 * horizon);
    e.evaluation_bytes_per_row = backbone.evaluation_bytes_per_row;
    const double products = 2.0 * static_cast<double>(patches * d) * static_cast<double>(length + horizon);
    e.evaluation_flop_per_row = backbone.forward_flop + products;
    e.step_flop =
        static_cast<double>(batch.rows) * (backbone.forward_flop + backbone.backward_flop + 3 * products);
    return e;
}

bool without_effect_in_ofa(const config::Config& config, std::string_view key) {
    return without_effect_in_backbone(config, key, /*token_table=*/false);
}

}  // namespace

Descriptor describe_ofa() {
    return {{}, {}, capabilities_of_ofa, check_ofa, estimate_ofa, {"backbone."}, {}, without_effect_in_ofa};
}

}  // namespace casp::model
