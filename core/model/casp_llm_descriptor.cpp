// CASP-LLM's settings: which go together, what they cost, what they switch on. Also S2IP-LLM's, whose
// architecture it shares.

#include "config/experiment.h"
#include "model/backbone_descriptor.h"
#include "model/casp_llm_shape.h"
#include "model/descriptor.h"
#include "util/phrase.h"

namespace casp::model {

namespace {

Capabilities capabilities_of_s2ip_llm(const config::Config& config) {
    return {.backbone = true,
            .token_table = true,
            .anchors = true,
            .embeddings = true,
            .retrieved = config.model.top_k};
}

std::vector<config::Contradiction> check_s2ip_llm(const config::Config& config) {
    return check_casp_llm(as_s2ip_llm(config));
}

bool reads_words(const config::Config& config) { return config.model.prompt && !has_free_anchors(config); }

/// Those of CaspLlm without the backbone's, in the order of the data.
std::vector<ParameterPart> own_parts(const config::Config& config) {
    const auto d = config.backbone.width, horizon = config.data.horizon;
    std::vector<ParameterPart> parts{{"patch embedding", 3 * config.model.patch_length * d + d}};
    if (reads_words(config))
        parts.push_back({"anchor projection", config.model.pool_size * (config.backbone.vocabulary + 1)});
    else if (config.model.prompt)
        parts.push_back({"anchors", config.model.pool_size * d});
    parts.push_back({"head", token_count(config) * d / config.model.head_ways * horizon + horizon});
    return parts;
}

std::vector<ParameterPart> parts_of_casp_llm(const config::Config& config) {
    auto parts = own_parts(config);
    const auto backbone =
        backbone_cost(config, token_count(config), /*on_gpu=*/false, reads_words(config)).parts;
    parts.insert(parts.end(), backbone.begin(), backbone.end());
    return parts;
}

std::vector<ParameterPart> parts_of_s2ip_llm(const config::Config& config) {
    return parts_of_casp_llm(as_s2ip_llm(config));
}

Estimate estimate_s2ip_llm(const config::Config& config, const BatchShape& batch) {
    return estimate_casp_llm(as_s2ip_llm(config), batch);
}

bool without_effect_in_s2ip_llm(const config::Config& config, std::string_view key) {
    return without_effect_in_backbone(config, key, /*token_table=*/true);
}

/// Anchors are made from the backbone's token table, also where GPT-2's blocks are replaced.
Capabilities capabilities_of_casp_llm(const config::Config& config) {
    const bool words = reads_words(config);
    return {.backbone = has_gpt2(config) || words,
            .token_table = words,
            .anchors = config.model.prompt,
            .coverage = config.model.prompt && config.coverage.enabled,
            .embeddings = true,
            .mixes_channels = config.model.instance_norm_affine,
            .trains = true,
            .retrieved = config.model.prompt ? config.model.top_k : 0};
}

bool without_effect_in_casp_llm(const config::Config& config, std::string_view key) {
    if (key == "selection.alpha" && config.selection.rule != "mmr") return true;
    if (without_effect_in_backbone(config, key, reads_words(config))) return true;
    if (key == "coverage.gate" || key == "coverage.stop_gradient") {
        if (config.coverage.term != "coverage") return true;
        if (key == "coverage.stop_gradient" && !gate_reads_statistic(config)) return true;
    }
    const bool of_coverage = key.starts_with("coverage.") || key == "loss.lambda_cov";
    if (!config.model.prompt)
        return of_coverage || key.starts_with("selection.") || key == "loss.lambda_sim" ||
               key == "model.pool_size" || key == "model.top_k" || key == "model.anchors";
    return of_coverage && key != "coverage.enabled" && !config.coverage.enabled;
}

}  // namespace

std::vector<config::Contradiction> check_casp_llm(const config::Config& config) {
    std::vector<config::Contradiction> found;
    const config::Shown shown{config};
    check_at_most(config, "model.patch_length", "data.lookback", "is longer than", found);
    if (config.model.decomposition) {
        check_at_most(config, "model.trend_length", "data.lookback", "is longer than", found);
        check_at_most(config, "model.seasonal_length", "data.lookback", "is longer than", found);
    }
    if (config.model.prompt) check_at_most(config, "model.top_k", "model.pool_size", "is more than", found);
    const auto width = config.backbone.width;
    check_backbone_heads(config, found);

    if (config.model.patch_length <= config.data.lookback) {
        const auto tokens = token_count(config);
        std::vector<std::string> keys{"data.lookback", "model.patch_length", "model.patch_stride"};
        if (config.model.prompt) keys.emplace_back("model.top_k");
        const auto sum =
            config.model.prompt
                ? Phrase("%1 tokens (%2 patches from %3, %4 and %5; %6)", tokens, patch_count(config),
                         shown(keys[0]), shown(keys[1]), shown(keys[2]), shown("model.top_k"))
                : Phrase("%1 tokens (%2 patches from %3, %4 and %5)", tokens, patch_count(config),
                         shown(keys[0]), shown(keys[1]), shown(keys[2]));
        if (has_gpt2(config) && tokens > config.backbone.positions) {
            auto all = keys;
            all.emplace_back("backbone.positions");
            found.push_back({std::move(all), Phrase("%1 are more than %2", sum, shown("backbone.positions")),
                             "at most that many tokens"});
        }
        if (tokens * width % config.model.head_ways != 0) {
            auto all = keys;
            all.insert(all.end(), {"backbone.width", "model.head_ways"});
            found.push_back({std::move(all),
                             Phrase("%1 times %2 cannot be cut into %3 equal parts", sum,
                                    shown("backbone.width"), shown("model.head_ways")),
                             "tokens times width divisible by model.head_ways"});
        }
    }
    return found;
}

Estimate estimate_casp_llm(const config::Config& config, const BatchShape& batch) {
    const auto d = config.backbone.width;
    const auto tokens = token_count(config);
    const auto patches = patch_count(config);
    const auto pool = config.model.prompt ? config.model.pool_size : 0;
    const auto words = reads_words(config) ? config.backbone.vocabulary : 0;  // that an anchor combines
    const auto horizon = config.data.horizon;
    const auto backbone = backbone_cost(config, tokens, batch.on_gpu, reads_words(config));

    Estimate e;
    e.patches = patches;
    e.tokens = backbone.tokens;
    e.parameters_trainable = backbone.trainable + sum_of_parts(own_parts(config), true);
    e.parameters_total = backbone.frozen + e.parameters_trainable;
    // Weights, gradient and two moments of what is learnt; the frozen once; anchors, keys and their
    // gradients.
    e.fixed_bytes = 4 * (4 * e.parameters_trainable + backbone.frozen + 6 * pool * d);

    // Copies in bf16, the step's product with W and its gradient among them.
    if (config.run.precision == "bf16") e.fixed_bytes += 2 * backbone.frozen + 4 * pool * words;

    // Beside the backbone: input of the head, patches, components, similarities.
    e.bytes_per_row =
        backbone.bytes_per_row + 4 * (tokens * d * 4 + patches * 3 * config.model.patch_length * 3 +
                                      config.data.lookback * 8 * 2 + 4 * pool);
    e.evaluation_bytes_per_row = backbone.evaluation_bytes_per_row;

    const auto n = static_cast<double>(batch.rows);
    const auto width = static_cast<double>(d);
    const auto t = static_cast<double>(tokens);
    const double anchors = 2.0 * static_cast<double>(pool) * static_cast<double>(words) * width;
    const double head_flop =
        2.0 * t * width / static_cast<double>(config.model.head_ways) * static_cast<double>(horizon);
    const double embed =
        2.0 * static_cast<double>(patches) * 3.0 * static_cast<double>(config.model.patch_length) * width;
    // mmr: the cosine to every anchor of the pool, again for each anchor retrieved but the last.
    const auto products = pool > 0 && config.selection.rule == "mmr" ? config.model.top_k : 1;
    const double similarity = 2.0 * width * static_cast<double>(pool * products);
    const double row_forward = backbone.forward_flop + head_flop + embed + similarity;
    e.step_flop =
        n * (row_forward + backbone.backward_flop + 2 * (head_flop + embed + similarity)) + 2 * anchors;
    e.evaluation_flop_per_row = row_forward;
    return e;
}

Descriptor describe_casp_llm() {
    return {.capabilities = capabilities_of_casp_llm,
            .estimate = estimate_casp_llm,
            .parts = parts_of_casp_llm,
            .check = check_casp_llm,
            .reads = {"model.", "backbone.", "selection.", "coverage.", "loss.lambda_"},
            .terms = {{"similarity", "L_sim", "λ_sim"},
                      {"coverage", "L_cov", "λ_cov"},
                      {"entropy", "L_entropy", "λ_cov"},
                      {"kl_uniform", "L_KL", "λ_cov"},
                      {"switch", "L_switch", "λ_cov"}},
            .without_effect = without_effect_in_casp_llm};
}

Descriptor describe_s2ip_llm() {
    return {.capabilities = capabilities_of_s2ip_llm,
            .estimate = estimate_s2ip_llm,
            .parts = parts_of_s2ip_llm,
            .check = check_s2ip_llm,
            .reads = {"backbone.", "model.patch_length", "model.patch_stride", "model.trend_length",
                      "model.seasonal_length", "model.pool_size", "model.top_k", "loss.lambda_sim"},
            .terms = {{"similarity", "L_sim", "λ_sim"}},
            .without_effect = without_effect_in_s2ip_llm};
}

}  // namespace casp::model
