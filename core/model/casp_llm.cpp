#include "model/casp_llm.h"

#include <stdexcept>

#include <torch/torch.h>

#include "model/anchor_replacement.h"
#include "model/cuda/glue.h"
#include "model/decomposition.h"
#include "model/factory.h"
#include "model/initialisation.h"
#include "model/patching.h"
#include "model/usage_balance.h"

namespace casp::model {

std::int64_t CaspLlmSettings::patches() const { return patch_count(lookback, patch_length, patch_stride); }
std::int64_t CaspLlmSettings::tokens() const { return patches() + (prompt ? top_k : 0); }

CaspLlmSettings casp_llm_settings(const config::Config& config, std::int64_t channels) {
    CaspLlmSettings s;
    s.lookback = config.data.lookback;
    s.horizon = config.data.horizon;
    s.channels = channels;
    s.patch_length = config.model.patch_length;
    s.patch_stride = config.model.patch_stride;
    s.trend_length = config.model.trend_length;
    s.seasonal_length = config.model.seasonal_length;
    s.pool_size = config.model.pool_size;
    s.top_k = config.model.top_k;
    s.head_ways = config.model.head_ways;
    s.decomposition = config.model.decomposition;
    s.prompt = config.model.prompt;
    s.instance_norm_affine = config.model.instance_norm_affine;
    s.anchors = config.model.anchors;
    s.rule = config.selection.rule;
    s.alpha = config.selection.alpha;
    s.coverage = config.coverage.enabled;
    s.term = config.coverage.term;
    s.decay = config.coverage.decay;
    s.warmup = config.coverage.warmup;
    s.lambda_sim = config.loss.lambda_sim;
    s.lambda_cov = config.loss.lambda_cov;
    s.half = config.run.precision == "bf16";
    const auto backbone = backbone_settings(config, config.model.prompt);
    s.backbone = backbone.shape;
    s.backbone_kind = backbone.kind;
    s.backbone_seed = backbone.gpt2_seed;
    s.seed = backbone.seed;
    return s;
}

std::unique_ptr<Forecaster> make_casp_llm(const config::Config& config, const DataShape& data) {
    return std::make_unique<CaspLlm>(casp_llm_settings(config, data.channels));
}

CaspLlm::CaspLlm(const CaspLlmSettings& s)
    : settings_(s),
      in_weight_(uniform_parameter({s.backbone.width, 3 * s.patch_length}, 3 * s.patch_length, s.seed,
                                   "in_layer.weight")),
      in_bias_(uniform_parameter({s.backbone.width}, 3 * s.patch_length, s.seed, "in_layer.bias")),
      backbone_({s.backbone_kind, s.backbone, s.seed, s.backbone_seed, s.prompt}),
      head_(s.tokens(), s.backbone.width, s.horizon, s.head_ways, s.seed) {
    if (s.instance_norm_affine)
        instance_norm_ = InstanceNorm(at::ones({s.channels}).set_requires_grad(true),
                                      at::zeros({s.channels}).set_requires_grad(true));
    if (s.prompt) pool_.emplace(s.pool_size, s.backbone.vocabulary, s.seed);
    if (s.prompt && s.anchors == "shuffled") permutation_ = anchor_permutation(s.pool_size, s.seed);
    if (s.prompt && s.coverage) coverage_.emplace(s.pool_size, s.decay, s.warmup);
}

Forecast CaspLlm::forward(const ModelInput& input, const TrainingStep* step, bool trace) {
    const auto& lookback = input.lookback;
    const auto batch = lookback.size(0);
    const auto channels = lookback.size(2);
    Forecast out;
    InstanceStatistics statistics;
    const auto tokens = prompted_tokens(lookback, step, trace, statistics, out);

    // Prompt-augmented forecasting.
    std::optional<DropoutStream> dropout;
    if (step != nullptr) dropout.emplace(*step);
    const bool evaluates = step == nullptr && !at::GradMode::is_enabled();
    const auto hidden = evaluates && out.retrieved.defined()
                            ? backbone_.forward_prompted(tokens, out.retrieved, settings_.half)
                            : backbone_.forward(tokens, dropout ? &*dropout : nullptr, settings_.half);
    const auto rows = head_.forward(hidden);
    const auto forecast = rows.view({batch, channels, settings_.horizon}).transpose(1, 2);
    out.prediction = instance_norm_.denormalise(forecast, statistics);
    return out;
}

Forecast CaspLlm::look(const ModelInput& input) {
    const auto& lookback = input.lookback;
    Forecast out;
    InstanceStatistics statistics;
    (void)prompted_tokens(lookback, nullptr, true, statistics, out);
    return out;
}

Tokens CaspLlm::prompted_tokens(const at::Tensor& lookback, const TrainingStep* step, bool trace,
                                InstanceStatistics& statistics, Forecast& out) {
    // Semantic alignment, time-series branch: one row per (window, channel).
    const auto embedding = embed(lookback, statistics);

    // Coverage-aware retrieval: the retrieved anchors become a prefix of the patches.
    if (!pool_) {
        if (trace) out.trace = Trace{{}, embedding.detach().mean(1), {}, embedding.detach(), {}};
        return embedding;
    }
    auto prompted = retrieve(lookback, embedding, step, out);
    Tokens tokens(std::move(prompted.prefix), embedding);
    if (trace)
        out.trace = Trace{prompted.similarity.detach(), prompted.query.detach(),
                          tokens.joined().detach().mean(1), embedding.detach(), tokens.prefix.detach()};
    return tokens;
}

at::Tensor CaspLlm::embed(const at::Tensor& lookback, InstanceStatistics& statistics) const {
    return at::linear(patches(instance_norm_.normalise(lookback, statistics)), in_weight_, in_bias_);
}

at::Tensor CaspLlm::patches(const at::Tensor& normalised) const {
    const auto& s = settings_;
    if (s.decomposition)
        if (auto fused = cuda::decomposed_patches(normalised, s.trend_length, s.seasonal_length,
                                                  s.patch_length, s.patch_stride))
            return *fused;
    const auto rows = normalised.transpose(1, 2).flatten(0, 1);
    if (s.decomposition)
        return make_patches(decompose(rows, s.trend_length, s.seasonal_length), s.patch_length,
                            s.patch_stride);
    const auto nothing = at::zeros_like(rows);
    return make_patches({rows, nothing, nothing}, s.patch_length, s.patch_stride);
}

Anchors CaspLlm::compute_anchors(const BatchShare* share) const {
    if (held_anchors_) return *held_anchors_;
    if (kept_anchors_) return *kept_anchors_;
    return pool_->compute(settings_.half ? backbone_.half_token_table() : backbone_.token_table(), share);
}

at::Tensor CaspLlm::anchor_values() const {
    const torch::NoGradGuard no_gradient;
    return pool_ ? compute_anchors().values : at::Tensor();
}

CaspLlm::Prompted CaspLlm::retrieve(const at::Tensor& lookback, const at::Tensor& embedding,
                                    const TrainingStep* step, Forecast& out) {
    Prompted result;
    result.anchors = compute_anchors(step != nullptr ? step->share : nullptr);
    result.query = embedding.mean(1);
    result.similarity = anchor_similarity(result.query, result.anchors.keys);
    const auto retrieval = settings_.rule == "mmr" ? retrieve_mmr(result.similarity, result.anchors.keys,
                                                                  settings_.top_k, settings_.alpha)
                                                   : retrieve_top_k(result.similarity, settings_.top_k);
    out.retrieved = in_prefix(retrieval.index, lookback, step);
    result.prefix = look_up(result.anchors.values, out.retrieved);
    if (step == nullptr) {
        if (settings_.top_k > 1) out.key_cosine = mean_pairwise_cosine(result.anchors.keys, out.retrieved);
        return result;
    }
    // Of the rule's own choices: replaced anchors change the prefix only.
    out.terms.push_back({"similarity", similarity_loss(retrieval), settings_.lambda_sim});
    if (coverage_) {
        coverage_->update(result.similarity, step->step, step->share);
        out.terms.push_back(usage_term(result.similarity, retrieval, step->share, out));
    }
    return result;
}

at::Tensor CaspLlm::in_prefix(const at::Tensor& retrieved, const at::Tensor& lookback,
                              const TrainingStep* step) const {
    if (settings_.anchors == "shuffled") return permutation_.take(retrieved);
    if (settings_.anchors == "random")
        return random_anchors(lookback.transpose(1, 2).flatten(0, 1), settings_.top_k, settings_.pool_size,
                              settings_.seed, step != nullptr ? std::optional(step->step) : std::nullopt);
    return retrieved;
}

LossTerm CaspLlm::usage_term(const at::Tensor& similarity, const Retrieval& retrieval,
                             const BatchShare* share, Forecast& out) const {
    const auto& term = settings_.term;
    if (term == "coverage") {
        auto gate = coverage_->gate(similarity);
        out.active_pairs = gate.active_pairs;
        return {"coverage", gate.loss, settings_.lambda_cov};
    }
    const auto usage = soft_usage(similarity, share);
    if (term == "entropy") return {"entropy", entropy_loss(usage), settings_.lambda_cov};
    if (term == "kl-uniform") return {"kl_uniform", kl_uniform_loss(usage), settings_.lambda_cov};
    return {"switch", switch_loss(usage, retrieval.index), settings_.lambda_cov};
}

void CaspLlm::begin_evaluation() {
    const torch::NoGradGuard no_gradient;
    if (pool_) kept_anchors_ = compute_anchors();
}

void CaspLlm::end_evaluation() { kept_anchors_.reset(); }

NamedTensors CaspLlm::layers_before_retrieval() const {
    NamedTensors tensors;
    if (instance_norm_.affine()) {
        auto& norm = const_cast<InstanceNorm&>(instance_norm_);
        tensors.push_back({"instance_norm.weight", norm.weight()});
        tensors.push_back({"instance_norm.bias", norm.bias()});
    }
    tensors.push_back({"in_layer.weight", in_weight_});
    tensors.push_back({"in_layer.bias", in_bias_});
    return tensors;
}

NamedTensors CaspLlm::trainable() const {
    NamedTensors tensors = backbone_.trainable();
    for (auto& tensor : layers_before_retrieval()) tensors.push_back(std::move(tensor));
    if (pool_) {
        tensors.push_back({"prompt_pool.text_prototype_linear.weight", pool_->weight});
        tensors.push_back({"prompt_pool.text_prototype_linear.bias", pool_->bias});
    }
    tensors.push_back({"out_layer.weight", head_.weight});
    tensors.push_back({"out_layer.bias", head_.bias});
    return tensors;
}

NamedTensors CaspLlm::frozen() const { return backbone_.frozen(); }

NamedTensors CaspLlm::state() const {
    if (!coverage_) return {};
    return {{"coverage_statistic", coverage_->statistic}};
}

NamedTensors CaspLlm::embedding_weights() const { return pool_ ? layers_before_retrieval() : NamedTensors(); }

void CaspLlm::weights_replaced() {
    backbone_.forget_copies();
    kept_anchors_.reset();
    held_anchors_.reset();
}

void CaspLlm::hold_anchors(const at::Tensor& values) {
    if (!pool_ || values.sizes() != at::IntArrayRef({settings_.pool_size, settings_.backbone.width}))
        throw std::invalid_argument("hold_anchors: not this model's anchors");
    held_anchors_ = Anchors{values, l2_normalise(values)};
    kept_anchors_.reset();
}

void CaspLlm::to(const at::Device& device) {
    const auto move = [&](at::Tensor& tensor) {
        const bool learns = tensor.requires_grad();
        tensor = tensor.detach().to(device).set_requires_grad(learns);
    };
    backbone_.to(device);
    move(in_weight_);
    move(in_bias_);
    move(head_.weight);
    move(head_.bias);
    if (instance_norm_.affine()) {
        move(instance_norm_.weight());
        move(instance_norm_.bias());
    }
    if (pool_) {
        move(pool_->weight);
        move(pool_->bias);
    }
    if (coverage_) move(coverage_->statistic);
    if (permutation_.defined()) move(permutation_);
    kept_anchors_.reset();
    held_anchors_.reset();
}

at::Tensor mean_pairwise_cosine(const at::Tensor& keys, const at::Tensor& index) {
    const auto n = index.size(0);
    const auto k = index.size(1);
    // Σ_{i≠j} k_i·k_j = |Σ k_i|² − Σ |k_i|²: no K×K products. In double, for the difference of near equals at
    // cos ≈ 1.
    const auto chosen = keys.index_select(0, index.flatten()).view({n, k, keys.size(1)}).to(at::kDouble);
    const auto total = chosen.sum(1).square().sum(1) - chosen.square().sum({1, 2});
    return (total / static_cast<double>(k * (k - 1))).to(at::kFloat);
}

}  // namespace casp::model
