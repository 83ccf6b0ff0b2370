#include "model/tempo.h"

#include <array>
#include <stdexcept>
#include <string>

#include <torch/torch.h>

#include "model/anchor_pool.h"
#include "model/casp_llm.h"
#include "model/decomposition.h"
#include "model/factory.h"
#include "model/instance_norm.h"
#include "model/patching.h"
#include "model/tempo_shape.h"

namespace casp::model {

namespace {

std::string key_name(std::int64_t i) { return "prompt_key_dict.prompt_key_" + std::to_string(i); }
std::string value_name(std::int64_t i) { return "prompt_value_dict.prompt_value_" + std::to_string(i); }

at::Tensor stack_entries(const ParameterSet& set, std::int64_t count, std::string (*name)(std::int64_t)) {
    std::vector<at::Tensor> tensors;
    for (std::int64_t i = 0; i < count; ++i) tensors.push_back(set.get(name(i)));
    return at::stack(tensors);
}

constexpr std::int64_t tempo_components = 3;
constexpr std::array tempo_component_names{"trend", "season", "noise"};

std::string layer_of(const char* part, std::size_t component) {
    return std::string(part) + "_layer_" + tempo_component_names.at(component);
}

Gpt2Role tempo_role(const config::Config& config) {
    const auto& own = config.tempo;
    return {.prefix = "gpt2_trend.base_model.model.",
            .trains_norms = false,
            .lora = LoraSettings{own.r, own.lora_alpha, own.lora_dropout,
                                 static_cast<std::uint64_t>(config.train.seed)},
            .trains_positions = false};
}

}  // namespace

void add_prompt_pool(ParameterSet& set, const PromptPoolShape& shape) {
    for (std::int64_t i = 0; i < shape.size; ++i) set.add_normal(key_name(i), {shape.width}, 1);
    for (std::int64_t i = 0; i < shape.size; ++i)
        set.add_normal(value_name(i), {shape.length, shape.width}, 1);
    set.add_linear("summary_map", shape.patches, 1);
}

at::Tensor prompt_keys(const ParameterSet& set, const PromptPoolShape& shape) {
    return stack_entries(set, shape.size, key_name);
}

PooledPrompts retrieve_prompts(const ParameterSet& set, const PromptPoolShape& shape,
                               const at::Tensor& patches, const at::Tensor& keys) {
    const auto rows = patches.size(0);
    const auto query =
        set.linear("summary_map", patches.reshape({rows, shape.width, shape.patches})).squeeze(2);
    PooledPrompts out;
    out.similarity = anchor_similarity(query, l2_normalise(keys));
    out.retrieval = retrieve_top_k(out.similarity, shape.top_k);
    const auto values = stack_entries(set, shape.size, value_name).flatten(1);
    out.tokens = look_up(values, out.retrieval.index).view({rows, shape.tokens(), shape.width});
    return out;
}

std::vector<std::int64_t> tempo_sentence_tokens(std::size_t component) {
    constexpr std::array<std::int64_t, tempo_components> last{5182, 1622, 29598};
    return {47, 17407, 262, 2003, 640, 2239, 1813, 262, last.at(component)};
}

std::int64_t Tempo::patches() const {
    return patch_count(config_.data.lookback, config_.tempo.patch_size, config_.tempo.stride);
}

std::int64_t Tempo::prompt_tokens() const {
    const auto& own = config_.tempo;
    if (!own.prompt) return 0;
    return own.pool ? own.top_k * own.prompt_len : tempo_sentence;
}

std::unique_ptr<Forecaster> make_tempo(const config::Config& config, const DataShape& /*data*/) {
    return std::make_unique<Tempo>(config);
}

Tempo::Tempo(const config::Config& config)
    : config_(config),
      layers_(static_cast<std::uint64_t>(config.train.seed)),
      backbone_(config, /*token_table=*/config.tempo.prompt && !config.tempo.pool, tempo_role(config)) {
    const auto& s = config.tempo;
    const auto d = config.backbone.width, length = config.data.lookback;
    layers_.add("rev_in_trend.affine_weight", at::ones({1}));
    layers_.add("rev_in_trend.affine_bias", at::zeros({1}));
    layers_.add_linear("map_trend", length, length);
    layers_.add_linear("map_season.0", length, 4 * length);
    layers_.add_linear("map_season.2", 4 * length, length);
    if (has_pool()) {
        add_prompt_pool(layers_, pool_shape());
        if (config.coverage.enabled) coverage_.emplace(s.pool_size, config.coverage);
    }
    const auto read = patches() + (s.use_token ? prompt_tokens() : 0);
    for (std::size_t c = 0; c < tempo_component_names.size(); ++c) {
        layers_.add_linear(layer_of("in", c), s.patch_size, d);
        if (s.prompt && !s.pool) layers_.add_linear(layer_of("prompt", c), d, d);
        layers_.add_linear(layer_of("out", c), d * read, config.data.horizon);
    }
}

PromptPoolShape Tempo::pool_shape() const {
    const auto& s = config_.tempo;
    return {s.pool_size, s.top_k, s.prompt_len, patches(), config_.backbone.width};
}

std::int64_t Tempo::top_k() const { return tempo_components * config_.tempo.top_k; }

Forecast Tempo::forward(const ModelInput& input, const TrainingStep* step, bool trace) {
    Forecast out;
    InstanceStatistics statistics;
    const InstanceNorm norm(layers_.get("rev_in_trend.affine_weight"),
                            layers_.get("rev_in_trend.affine_bias"));
    const auto rows = norm.normalised_rows(input.lookback, statistics);
    const auto patches = embed(rows);
    auto sequence = patches;  // [N, 3, tokens, d]
    if (config_.tempo.prompt) {
        const auto prompts = has_pool() ? pooled(patches, step, trace, out) : sentences(rows.size(0));
        sequence = at::cat({prompts, patches}, 2);
    }

    StepDropout dropout(step);
    auto hidden = backbone_.forward(sequence.flatten(1, 2), dropout.stream(), config_.run.precision == "bf16")
                      .view(sequence.sizes());
    if (!config_.tempo.use_token) hidden = hidden.slice(2, prompt_tokens());
    at::Tensor forecast;  // [N, H]
    for (std::size_t c = 0; c < tempo_component_names.size(); ++c) {
        const auto part =
            layers_.linear(layer_of("out", c), hidden.select(1, static_cast<std::int64_t>(c)).flatten(1));
        forecast = forecast.defined() ? forecast + part : part;
    }
    out.prediction = norm.denormalised_rows(forecast, statistics);
    return out;
}

at::Tensor Tempo::embed(const at::Tensor& rows) const {
    const auto trend =
        layers_.linear("map_trend", moving_average_parts(rows, config_.tempo.moving_avg).trend);
    const auto season =
        layers_.linear("map_season.2", at::relu(layers_.linear("map_season.0", rows - trend)));
    const std::array parts{trend, season, rows - trend - season};
    std::vector<at::Tensor> embedded;
    for (std::size_t c = 0; c < parts.size(); ++c)
        embedded.push_back(layers_.linear(
            layer_of("in", c), make_patches(parts.at(c), config_.tempo.patch_size, config_.tempo.stride)));
    return at::stack(embedded, 1);
}

at::Tensor Tempo::sentences(std::int64_t rows) const {
    const auto& table = backbone_.token_table();
    std::vector<at::Tensor> prompts;
    for (std::size_t c = 0; c < tempo_component_names.size(); ++c) {
        const auto tokens =
            at::tensor(tempo_sentence_tokens(c), at::kLong).remainder(config_.backbone.vocabulary);
        prompts.push_back(
            layers_.linear(layer_of("prompt", c), table.index_select(0, tokens.to(table.device()))));
    }
    return at::stack(prompts).unsqueeze(0).expand({rows, -1, -1, -1});
}

at::Tensor Tempo::keys() const {
    return held_keys_.defined() ? held_keys_ : prompt_keys(layers_, pool_shape());
}

at::Tensor Tempo::pooled(const at::Tensor& patches, const TrainingStep* step, bool trace, Forecast& out) {
    const auto rows = patches.size(0);
    const auto keys = this->keys();
    const auto found = retrieve_prompts(layers_, pool_shape(), patches.flatten(0, 1), keys);
    out.retrieved = found.retrieval.index.view({rows, top_k()});
    if (trace) {
        out.trace.emplace();
        out.trace->similarity = found.similarity.detach().view({rows, tempo_components, -1}).mean(1);
    }
    if (step == nullptr) {
        if (config_.tempo.top_k > 1)
            out.key_cosine = mean_pairwise_cosine(l2_normalise(keys), found.retrieval.index)
                                 .view({rows, tempo_components})
                                 .mean(1);
    } else {
        out.terms.push_back({"similarity", similarity_loss(found.retrieval), config_.loss.lambda_sim});
        if (coverage_) {
            coverage_->update(found.similarity, step->step, step->share);
            const auto gate = coverage_->gate(found.similarity);
            out.terms.push_back({"coverage", gate.loss, config_.loss.lambda_cov});
            out.active_pairs = gate.active_pairs.to(at::kDouble) / static_cast<double>(tempo_components);
        }
    }
    return found.tokens.view({rows, tempo_components, prompt_tokens(), -1});
}

NamedTensors Tempo::trainable() const { return joined(backbone_.trainable(), layers_.all()); }

NamedTensors Tempo::state() const {
    if (!coverage_) return {};
    return {{"coverage_statistic", coverage_->statistic}};
}

at::Tensor Tempo::anchor_values() const {
    const torch::NoGradGuard no_gradient;
    return has_pool() ? keys() : at::Tensor();
}

void Tempo::hold_anchors(const at::Tensor& values) {
    if (!has_pool() || values.sizes() != at::IntArrayRef({config_.tempo.pool_size, config_.backbone.width}))
        throw std::invalid_argument("hold_anchors: not this model's anchors");
    held_keys_ = values;
}

void Tempo::weights_replaced() {
    backbone_.forget_copies();
    held_keys_ = at::Tensor();
}

void Tempo::to(const at::Device& device) {
    backbone_.to(device);
    layers_.to(device);
    if (coverage_) coverage_->statistic = coverage_->statistic.to(device);
    held_keys_ = at::Tensor();
}

}  // namespace casp::model
