// OFA's settings and cost.

#include <string>

#include "model/backbone_descriptor.h"
#include "model/descriptor.h"
#include "util/phrase.h"

namespace casp::model {

namespace {

bool reads_points(const config::Config& config) { return config.ofa.network == "points"; }

/// Patches, the one that the replicated right edge adds included; or time steps of look-back and horizon.
std::int64_t tokens_of_ofa(const config::Config& config) {
    if (reads_points(config)) return config.data.lookback + config.data.horizon;
    return (config.data.lookback - config.ofa.patch_size) / config.ofa.stride + 2;
}

Capabilities capabilities_of_ofa(const config::Config& config) {
    return {.backbone = has_gpt2(config), .embeddings = true};
}

void check_points(const config::Config& config, std::vector<config::Contradiction>& found) {
    const config::Shown shown{config};
    check_at_most(config, "ofa.d_model", "backbone.width", "is more than", found);
    check_at_most(config, "ofa.d_ff", "backbone.width", "is more than", found);
    if (const auto tokens = tokens_of_ofa(config); has_gpt2(config) && tokens > config.backbone.positions)
        found.push_back({{"data.lookback", "data.horizon", "backbone.positions"},
                         Phrase("%1 time steps from %2 and %3 are more than %4", tokens,
                                shown("data.lookback"), shown("data.horizon"), shown("backbone.positions")),
                         "at most that many time steps"});
}

void check_patches(const config::Config& config, std::vector<config::Contradiction>& found) {
    const config::Shown shown{config};
    check_at_most(config, "ofa.patch_size", "data.lookback", "is longer than", found);
    if (const auto patches = tokens_of_ofa(config); config.ofa.patch_size <= config.data.lookback &&
                                                    has_gpt2(config) && patches > config.backbone.positions)
        found.push_back(
            {{"data.lookback", "ofa.patch_size", "ofa.stride", "backbone.positions"},
             Phrase("%1 patches from %2, %3 and %4 are more than %5", patches, shown("data.lookback"),
                    shown("ofa.patch_size"), shown("ofa.stride"), shown("backbone.positions")),
             "at most that many patches"});
}

std::vector<config::Contradiction> check_ofa(const config::Config& config) {
    std::vector<config::Contradiction> found;
    check_backbone_heads(config, found);
    if (reads_points(config))
        check_points(config, found);
    else
        check_patches(config, found);
    return found;
}

/// What is not the backbone, per row.
struct OfaEnds {
    std::int64_t parameters = 0;
    std::int64_t floats = 0;    ///< kept for the backward pass
    std::int64_t products = 0;  ///< multiplications of a forward pass
};

OfaEnds ends_of_patches(const config::Config& config) {
    const auto d = config.backbone.width, length = config.ofa.patch_size, horizon = config.data.horizon;
    const auto patches = tokens_of_ofa(config);
    return {(length + 1) * d + (patches * d + 1) * horizon,
            // Input of the head, patches, windows and forecasts.
            4 * patches * d + 3 * patches * length + 4 * config.data.lookback + 3 * horizon,
            patches * d * (length + horizon)};
}

OfaEnds ends_of_points(const config::Config& config) {
    const auto m = config.ofa.d_model, read = config.ofa.d_ff;
    const auto lookback = config.data.lookback, horizon = config.data.horizon, tokens = tokens_of_ofa(config);
    return {3 * m + (lookback + 1) * tokens + read + 1,
            // Embedding before and after dropout, its transposed copy, tokens, input of the head, windows.
            4 * lookback * m + tokens * (m + 4 * config.backbone.width) + horizon * read + 4 * lookback +
                3 * horizon,
            3 * lookback * m + lookback * tokens * m + horizon * read};
}

Estimate estimate_ofa(const config::Config& config, const BatchShape& batch) {
    const auto tokens = tokens_of_ofa(config);
    const auto backbone = backbone_cost(config, tokens, batch.on_gpu, /*token_table=*/false);
    const auto ends = reads_points(config) ? ends_of_points(config) : ends_of_patches(config);
    Estimate e;
    e.patches = tokens;
    e.tokens = backbone.tokens;
    e.parameters_trainable = backbone.trainable + ends.parameters;
    e.parameters_total = backbone.frozen + e.parameters_trainable;
    e.fixed_bytes = 4 * (4 * e.parameters_trainable + backbone.frozen);
    e.bytes_per_row = backbone.bytes_per_row + 4 * ends.floats;
    e.evaluation_bytes_per_row = backbone.evaluation_bytes_per_row;
    const double products = 2.0 * static_cast<double>(ends.products);
    e.evaluation_flop_per_row = backbone.forward_flop + products;
    e.step_flop =
        static_cast<double>(batch.rows) * (backbone.forward_flop + backbone.backward_flop + 3 * products);
    return e;
}

/// The dropout of the backbone is also that of the embedding of points, which no kind replaces.
bool without_effect_in_ofa(const config::Config& config, std::string_view key) {
    const bool points = reads_points(config);
    if (key == "ofa.patch_size" || key == "ofa.stride") return points;
    if (key == "ofa.d_model" || key == "ofa.d_ff") return !points;
    if (key == "backbone.dropout" && points) return false;
    return without_effect_in_backbone(config, key, /*token_table=*/false);
}

}  // namespace

Descriptor describe_ofa() {
    return {.capabilities = capabilities_of_ofa,
            .estimate = estimate_ofa,
            .check = check_ofa,
            .reads = {"backbone."},
            .without_effect = without_effect_in_ofa};
}

}  // namespace casp::model
