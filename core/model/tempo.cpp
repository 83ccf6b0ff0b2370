#include "model/tempo.h"

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <torch/torch.h>

#include "model/casp_llm.h"
#include "model/factory.h"
#include "model/instance_norm.h"
#include "model/moving_average.h"
#include "model/patching.h"
#include "model/tempo_shape.h"

namespace casp::model {

namespace {

constexpr std::int64_t tempo_components = 3;
constexpr std::array tempo_component_names{"trend", "season", "noise"};

std::string layer_of(const char* part, std::size_t component) {
    return std::string(part) + "_layer_" + tempo_component_names.at(component);
}

Gpt2Role tempo_role(const TempoSettings& s) {
    return {"gpt2_trend.base_model.model.", /*trains_norms=*/false,
            LoraSettings{s.r, s.lora_alpha, s.lora_dropout, s.seed}, /*trains_positions=*/false};
}

}  // namespace

std::vector<std::int64_t> tempo_sentence_tokens(std::size_t component) {
    constexpr std::array<std::int64_t, tempo_components> last{5182, 1622, 29598};
    return {47, 17407, 262, 2003, 640, 2239, 1813, 262, last.at(component)};
}

std::int64_t TempoSettings::patches() const { return patch_count(lookback, patch_size, stride); }

std::int64_t TempoSettings::prompt_tokens() const {
    if (!prompt) return 0;
    return pool ? top_k * prompt_len : tempo_sentence;
}

TempoSettings tempo_settings(const config::Config& config) {
    TempoSettings s;
    s.lookback = config.data.lookback;
    s.horizon = config.data.horizon;
    s.patch_size = config.tempo.patch_size;
    s.stride = config.tempo.stride;
    s.moving_avg = config.tempo.moving_avg;
    s.r = config.tempo.r;
    s.lora_alpha = config.tempo.lora_alpha;
    s.lora_dropout = config.tempo.lora_dropout;
    s.prompt = config.tempo.prompt;
    s.pool = config.tempo.pool;
    s.pool_size = config.tempo.pool_size;
    s.top_k = config.tempo.top_k;
    s.prompt_len = config.tempo.prompt_len;
    s.use_token = config.tempo.use_token;
    s.coverage = config.coverage.enabled;
    s.decay = config.coverage.decay;
    s.warmup = config.coverage.warmup;
    s.lambda_sim = config.loss.lambda_sim;
    s.lambda_cov = config.loss.lambda_cov;
    s.half = config.run.precision == "bf16";
    s.backbone = {config.backbone.layers,     config.backbone.width,     config.backbone.heads,
                  config.backbone.vocabulary, config.backbone.positions, config.backbone.dropout};
    s.seed = static_cast<std::uint64_t>(config.train.seed);
    s.backbone_seed = static_cast<std::uint64_t>(config.backbone.seed);
    return s;
}

std::unique_ptr<Forecaster> make_tempo(const config::Config& config, const DataShape& /*data*/) {
    return std::make_unique<Tempo>(tempo_settings(config));
}

Tempo::Tempo(const TempoSettings& s)
    : settings_(s), layers_(s.seed), backbone_(s.backbone, s.backbone_seed, tempo_role(s)) {
    const auto d = s.backbone.width, length = s.lookback;
    layers_.add("rev_in_trend.affine_weight", at::ones({1}));
    layers_.add("rev_in_trend.affine_bias", at::zeros({1}));
    layers_.add_linear("map_trend", length, length);
    layers_.add_linear("map_season.0", length, 4 * length);
    layers_.add_linear("map_season.2", 4 * length, length);
    if (has_pool()) {
        add_prompt_pool(layers_, pool_shape());
        if (s.coverage) coverage_.emplace(s.pool_size, s.decay, s.warmup);
    }
    const auto read = s.patches() + (s.use_token ? s.prompt_tokens() : 0);
    for (std::size_t c = 0; c < tempo_component_names.size(); ++c) {
        layers_.add_linear(layer_of("in", c), s.patch_size, d);
        if (s.prompt && !s.pool) layers_.add_linear(layer_of("prompt", c), d, d);
        layers_.add_linear(layer_of("out", c), d * read, s.horizon);
    }
}

PromptPoolShape Tempo::pool_shape() const {
    const auto& s = settings_;
    return {s.pool_size, s.top_k, s.prompt_len, s.patches(), s.backbone.width};
}

std::int64_t Tempo::top_k() const { return tempo_components * settings_.top_k; }

Forecast Tempo::forward(const ModelInput& input, const TrainingStep* step, bool trace) {
    Forecast out;
    InstanceStatistics statistics;
    const InstanceNorm norm(layers_.get("rev_in_trend.affine_weight"),
                            layers_.get("rev_in_trend.affine_bias"));
    const auto rows = norm.normalise(input.lookback, statistics).transpose(1, 2).flatten(0, 1);
    const auto patches = embed(rows);
    auto sequence = patches;  // [N, 3, tokens, d]
    if (settings_.prompt) {
        const auto prompts = has_pool() ? pooled(patches, step, trace, out) : sentences(rows.size(0));
        sequence = at::cat({prompts, patches}, 2);
    }

    std::optional<DropoutStream> dropout;
    if (step != nullptr) dropout.emplace(*step);
    auto hidden = backbone_.forward(sequence.flatten(1, 2), dropout ? &*dropout : nullptr, settings_.half)
                      .view(sequence.sizes());
    if (!settings_.use_token) hidden = hidden.slice(2, settings_.prompt_tokens());
    at::Tensor forecast;  // [N, H]
    for (std::size_t c = 0; c < tempo_component_names.size(); ++c) {
        const auto part =
            layers_.linear(layer_of("out", c), hidden.select(1, static_cast<std::int64_t>(c)).flatten(1));
        forecast = forecast.defined() ? forecast + part : part;
    }
    out.prediction = norm.denormalise(
        forecast.view({input.lookback.size(0), input.lookback.size(2), settings_.horizon}).transpose(1, 2),
        statistics);
    return out;
}

at::Tensor Tempo::embed(const at::Tensor& rows) const {
    const auto trend = layers_.linear("map_trend", moving_average_parts(rows, settings_.moving_avg).trend);
    const auto season =
        layers_.linear("map_season.2", at::relu(layers_.linear("map_season.0", rows - trend)));
    const std::array parts{trend, season, rows - trend - season};
    std::vector<at::Tensor> embedded;
    for (std::size_t c = 0; c < parts.size(); ++c)
        embedded.push_back(layers_.linear(layer_of("in", c),
                                          make_patches(parts.at(c), settings_.patch_size, settings_.stride)));
    return at::stack(embedded, 1);
}

at::Tensor Tempo::sentences(std::int64_t rows) const {
    const auto& table = backbone_.token_table();
    std::vector<at::Tensor> prompts;
    for (std::size_t c = 0; c < tempo_component_names.size(); ++c) {
        const auto tokens =
            at::tensor(tempo_sentence_tokens(c), at::kLong).remainder(settings_.backbone.vocabulary);
        prompts.push_back(
            layers_.linear(layer_of("prompt", c), table.index_select(0, tokens.to(table.device()))));
    }
    return at::stack(prompts).unsqueeze(0).expand({rows, -1, -1, -1});
}

at::Tensor Tempo::pooled(const at::Tensor& patches, const TrainingStep* step, bool trace, Forecast& out) {
    const auto rows = patches.size(0);
    const auto keys = held_keys_.defined() ? held_keys_ : prompt_keys(layers_, pool_shape());
    const auto found = retrieve_prompts(layers_, pool_shape(), patches.flatten(0, 1), keys);
    out.retrieved = found.retrieval.index.view({rows, top_k()});
    if (trace) {
        out.trace.emplace();
        out.trace->similarity = found.similarity.detach().view({rows, tempo_components, -1}).mean(1);
    }
    if (step == nullptr) {
        if (settings_.top_k > 1)
            out.key_cosine = mean_pairwise_cosine(l2_normalise(keys), found.retrieval.index)
                                 .view({rows, tempo_components})
                                 .mean(1);
    } else {
        out.terms.push_back({"similarity", similarity_loss(found.retrieval), settings_.lambda_sim});
        if (coverage_) {
            coverage_->update(found.similarity, step->step, step->share);
            const auto gate = coverage_->gate(found.similarity);
            out.terms.push_back({"coverage", gate.loss, settings_.lambda_cov});
            out.active_pairs = gate.active_pairs.to(at::kDouble) / static_cast<double>(tempo_components);
        }
    }
    return found.tokens.view({rows, tempo_components, settings_.prompt_tokens(), -1});
}

NamedTensors Tempo::trainable() const {
    auto tensors = backbone_.trainable();
    for (const auto& tensor : layers_.all()) tensors.push_back(tensor);
    return tensors;
}

NamedTensors Tempo::state() const {
    if (!coverage_) return {};
    return {{"coverage_statistic", coverage_->statistic}};
}

at::Tensor Tempo::anchor_values() const {
    const torch::NoGradGuard no_gradient;
    if (!has_pool()) return {};
    return held_keys_.defined() ? held_keys_ : prompt_keys(layers_, pool_shape());
}

void Tempo::hold_anchors(const at::Tensor& values) {
    if (!has_pool() || values.sizes() != at::IntArrayRef({settings_.pool_size, settings_.backbone.width}))
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
