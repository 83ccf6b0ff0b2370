#include "model/backbone_descriptor.h"

#include "util/phrase.h"

namespace casp::model {

namespace {

BackboneCost cost_of_gpt2(const config::Config& config, std::int64_t tokens, bool on_gpu) {
    const auto d = config.backbone.width;
    const auto layers = config.backbone.layers;
    BackboneCost c;
    c.tokens = tokens;
    c.parts = {{"positions", config.backbone.positions * d},
               {"layer norms", layers * 4 * d + 2 * d},
               {"token table", config.backbone.vocabulary * d, false},
               {"attention", layers * (4 * d * d + 4 * d), false},
               {"feed-forward", layers * (8 * d * d + 5 * d), false}};

    // Kept for the backward pass per token and block: inputs of both norms, q k v, the input of GELU. On top
    // the widest temporaries of one block (4d in and out of GELU and their gradients).
    const auto element = config.run.precision == "bf16" ? 2 : 4;
    const auto masks = on_gpu && config.backbone.dropout > 0 ? (2 * layers + 1) * tokens * d : 0;
    const auto kept = layers * tokens * (2 * d * 4 + 7 * d * element) + masks;
    const auto temporary = tokens * (4 * d * 3 + 4 * d) * 4;
    c.bytes_per_row = kept + temporary + config.backbone.heads * tokens * 4;
    // The residual stream, and in and out of GELU.
    c.evaluation_bytes_per_row = tokens * d * (4 + 2 * 4 * element);

    const auto width = static_cast<double>(d), t = static_cast<double>(tokens);
    c.forward_flop = t * static_cast<double>(layers) * (24 * width * width + 4 * t * width);
    c.backward_flop = t * static_cast<double>(layers) * (24 * width * width + 12 * t * width);
    return c;
}

/// One trainable layer (EncoderLayer, model/backbone.h).
BackboneCost cost_of_layer(const config::Config& config, std::int64_t tokens, bool feed_forward) {
    const auto d = config.backbone.width;
    BackboneCost c;
    c.tokens = tokens;
    c.parts = {{"attention", 4 * d * d + 2 * d}};
    if (feed_forward) c.parts.push_back({"feed-forward", 8 * d * d + 7 * d});
    const auto probabilities = config.backbone.heads * tokens * tokens;
    c.bytes_per_row = 4 * (tokens * d * (feed_forward ? 21 : 9) + 4 * probabilities);
    c.evaluation_bytes_per_row = 4 * (tokens * d * (feed_forward ? 9 : 5) + 2 * probabilities);
    const auto width = static_cast<double>(d), t = static_cast<double>(tokens);
    c.forward_flop = t * ((feed_forward ? 24 : 8) * width * width + 4 * t * width);
    c.backward_flop = 2 * c.forward_flop;
    return c;
}

}  // namespace

void check_heads(const config::Config& config, const std::string& width, const std::string& heads,
                 std::vector<config::Contradiction>& found) {
    const auto value = [&](const std::string& key) {
        return std::get<std::int64_t>(config::get(config, key));
    };
    if (value(width) % value(heads) == 0) return;
    const config::Shown shown{config};
    found.push_back({{width, heads},
                     Phrase("%1 is no multiple of %2", shown(width), shown(heads)),
                     "a width that the number of heads divides"});
}

void check_backbone_heads(const config::Config& config, std::vector<config::Contradiction>& found) {
    if (config.backbone.kind != "none") check_heads(config, "backbone.width", "backbone.heads", found);
}

void check_at_most(const config::Config& config, const std::string& small, const std::string& large,
                   const std::string& verb, std::vector<config::Contradiction>& found) {
    if (std::get<std::int64_t>(config::get(config, small)) <=
        std::get<std::int64_t>(config::get(config, large)))
        return;
    const config::Shown shown{config};
    found.push_back({{small, large},
                     shown(small) + " " + verb + " " + shown(large),
                     Phrase("%1 of at most %2", small, large)});
}

bool without_effect_in_backbone(const config::Config& config, std::string_view key, bool token_table) {
    const auto& kind = config.backbone.kind;
    const bool of_table = key == "backbone.path" || key == "backbone.vocabulary" || key == "backbone.seed";
    if (kind == "gpt2" || (of_table && token_table)) return false;
    if (kind == "random") return of_table;
    if (key == "backbone.layers" || key == "backbone.positions") return true;
    if (key == "backbone.heads" || key == "backbone.dropout") return kind == "none";
    return of_table;
}

std::int64_t sum_of_parts(const std::vector<ParameterPart>& parts, bool trainable) {
    std::int64_t sum = 0;
    for (const auto& part : parts)
        if (part.trainable == trainable) sum += part.parameters;
    return sum;
}

BackboneCost backbone_cost(const config::Config& config, std::int64_t tokens, bool on_gpu, bool token_table) {
    const auto& kind = config.backbone.kind;
    const bool is_gpt2 = has_gpt2(config);
    auto cost = is_gpt2          ? cost_of_gpt2(config, tokens, on_gpu)
                : kind == "none" ? BackboneCost{}
                                 : cost_of_layer(config, tokens, kind == "block");
    if (kind == "none") cost.evaluation_bytes_per_row = tokens * config.backbone.width * 4;
    if (token_table && !is_gpt2)
        cost.parts.push_back({"token table", config.backbone.vocabulary * config.backbone.width, false});
    cost.trainable = sum_of_parts(cost.parts, true);
    cost.frozen = sum_of_parts(cost.parts, false);
    return cost;
}

}  // namespace casp::model
