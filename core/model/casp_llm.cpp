#include "model/casp_llm.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include <torch/torch.h>

#include "model/casp_llm_shape.h"
#include "model/cuda/fused.h"
#include "model/decomposition.h"
#include "model/factory.h"
#include "model/patching.h"
#include "util/random.h"

namespace casp::model {

namespace {

constexpr double smallest = 1e-30;  // keeps 1/Σu and ln p finite where the value does not count

at::Tensor negative_entropy(const at::Tensor& usage) {
    return (usage * usage.clamp_min(smallest).log()).sum();
}

constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15ULL;

/// 64 bits as the int64 that LibTorch has; its arithmetic wraps around like uint64's.
std::int64_t signed_bits(std::uint64_t x) { return static_cast<std::int64_t>(x); }

/// x ^ (x >> bits), in place, with zeros shifted in: LibTorch's shift repeats the sign.
void fold(at::Tensor& x, int bits) {
    x.bitwise_xor_(at::bitwise_right_shift(x, bits).bitwise_and_(signed_bits(~std::uint64_t{0} >> bits)));
}

/// casp::mix64 of every element.
at::Tensor mixed(at::Tensor x) {
    fold(x, 30);
    x.mul_(signed_bits(0xbf58476d1ce4e5b9ULL));
    fold(x, 27);
    x.mul_(signed_bits(0x94d049bb133111ebULL));
    fold(x, 31);
    return x;
}

/// golden_ratio · (1, 2, …, n), modulo 2^64.
at::Tensor counters(std::int64_t n, const at::Device& device) {
    return at::arange(1, n + 1, at::TensorOptions(at::kLong).device(device)).mul_(signed_bits(golden_ratio));
}

constexpr const char* anchor_map = "prompt_pool.text_prototype_linear";
constexpr const char* free_anchors = "prompt_pool.anchors";
constexpr double free_deviation = 0.02;  // of GPT-2's embeddings before training

}  // namespace

at::Tensor soft_usage(const at::Tensor& similarity, const BatchShare* share) {
    // In double from here on: ln V' + Σ p ln p is a small difference near uniform usage.
    const auto mean = batch_mean(at::relu(similarity).mean(0).to(at::kDouble), share);
    const auto total = mean.sum();
    const auto uniform = at::full_like(mean, 1.0 / static_cast<double>(mean.numel()));
    return at::where(total > 0, mean / total.clamp_min(smallest), uniform);
}

at::Tensor entropy_loss(const at::Tensor& usage) { return negative_entropy(usage).to(at::kFloat); }

at::Tensor kl_uniform_loss(const at::Tensor& usage) {
    return (negative_entropy(usage) + std::log(static_cast<double>(usage.numel()))).to(at::kFloat);
}

at::Tensor switch_loss(const at::Tensor& usage, const at::Tensor& index) {
    const auto counts = at::zeros({usage.numel()}, index.options());
    count_retrievals(counts, index);
    const double scale = static_cast<double>(usage.numel()) / static_cast<double>(index.numel());
    return ((counts.to(at::kDouble) * usage).sum() * scale).to(at::kFloat);
}

at::Tensor anchor_permutation(std::int64_t pool_size, std::uint64_t seed) {
    const auto key = signed_bits(derive_seed(seed, "shuffled anchors"));
    return at::argsort(mixed(counters(pool_size, at::kCPU).add_(key)), 0, /*descending=*/true);
}

at::Tensor random_anchors(const at::Tensor& rows, std::int64_t k, std::int64_t pool_size, std::uint64_t seed,
                          std::optional<std::int64_t> step) {
    const torch::NoGradGuard no_gradient;
    const auto key =
        derive_seed(seed, "random anchors", step ? static_cast<std::uint64_t>(*step) + 1 : std::uint64_t{0});
    const auto bits =
        rows.detach().contiguous().view(at::kInt).to(at::kLong).bitwise_and_(signed_bits(0xffffffffULL));
    const auto content = mixed(bits + counters(rows.size(1), rows.device())).sum(1, true);
    const auto row_keys = mixed(content.bitwise_xor(signed_bits(key)));
    // mix64 is a bijection, so a row's hashes differ and their order has no ties.
    const auto hashes = mixed(row_keys + counters(pool_size, rows.device()));
    return std::get<1>(at::topk(hashes, k, 1, /*largest=*/true, /*sorted=*/true));
}

std::unique_ptr<Forecaster> make_casp_llm(const config::Config& config, const DataShape& data) {
    return std::make_unique<CaspLlm>(config, data.channels);
}

CaspLlm::CaspLlm(const config::Config& config, std::int64_t channels)
    : config_(config),
      layers_(static_cast<std::uint64_t>(config.train.seed)),
      backbone_(config, /*token_table=*/config.model.prompt && !has_free_anchors(config)) {
    const auto& s = config.model;
    if (s.instance_norm_affine) layers_.add_norm("instance_norm", channels);
    layers_.add_linear("in_layer", 3 * s.patch_length, config.backbone.width);
    if (s.prompt && has_free_anchors(config))
        layers_.add_normal(free_anchors, {s.pool_size, config.backbone.width}, free_deviation);
    else if (s.prompt)
        layers_.add_linear(anchor_map, config.backbone.vocabulary, s.pool_size);
    layers_.add_linear("out_layer", token_count(config) * config.backbone.width / s.head_ways,
                       config.data.horizon);
    if (s.prompt && s.anchors == "shuffled") permutation_ = anchor_permutation(s.pool_size, layers_.seed());
    if (!s.prompt || !config.coverage.enabled) return;
    auto coverage = config.coverage;
    if (coverage.term != "coverage") coverage.stop_gradient = true;  // no gate reads c̃
    coverage_.emplace(s.pool_size, coverage);
}

InstanceNorm CaspLlm::instance_norm() const {
    if (!config_.model.instance_norm_affine) return {};
    return {layers_.get("instance_norm.weight"), layers_.get("instance_norm.bias")};
}

Forecast CaspLlm::forward(const ModelInput& input, const TrainingStep* step, bool trace) {
    Forecast out;
    InstanceStatistics statistics;
    const auto tokens = prompted_tokens(input.lookback, step, trace, statistics, out);

    // Prompt-augmented forecasting.
    StepDropout dropout(step);
    const bool evaluates = step == nullptr && !at::GradMode::is_enabled();
    const auto hidden = evaluates && out.retrieved.defined()
                            ? backbone_.forward_prompted(tokens, out.retrieved, half())
                            : backbone_.forward(tokens, dropout.stream(), half());
    const auto rows = forecast_head(layers_, hidden, config_.model.head_ways);
    out.prediction = instance_norm().denormalised_rows(rows, statistics);
    return out;
}

Forecast CaspLlm::look(const ModelInput& input) {
    Forecast out;
    InstanceStatistics statistics;
    (void)prompted_tokens(input.lookback, nullptr, true, statistics, out);
    return out;
}

Tokens CaspLlm::prompted_tokens(const at::Tensor& lookback, const TrainingStep* step, bool trace,
                                InstanceStatistics& statistics, Forecast& out) {
    // Semantic alignment, time-series branch: one row per (window, channel).
    const auto embedding = embed(lookback, statistics);

    // Coverage-aware retrieval: the retrieved anchors become a prefix of the patches.
    if (!config_.model.prompt) {
        if (trace) out.trace = trace_of_patches(embedding);
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
    return layers_.linear("in_layer", patches(instance_norm().normalise(lookback, statistics)));
}

at::Tensor CaspLlm::patches(const at::Tensor& normalised) const {
    const auto& s = config_.model;
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
    if (has_free_anchors(config_)) {
        const auto& values = layers_.get(free_anchors);
        return {values, l2_normalise(values)};
    }
    return make_anchors(layers_.get(std::string(anchor_map) + ".weight"),
                        layers_.get(std::string(anchor_map) + ".bias"),
                        half() ? backbone_.half_token_table() : backbone_.token_table(), share);
}

at::Tensor CaspLlm::anchor_values() const {
    const torch::NoGradGuard no_gradient;
    return config_.model.prompt ? compute_anchors().values : at::Tensor();
}

CaspLlm::Prompted CaspLlm::retrieve(const at::Tensor& lookback, const at::Tensor& embedding,
                                    const TrainingStep* step, Forecast& out) {
    Prompted result;
    result.anchors = compute_anchors(step != nullptr ? step->share : nullptr);
    result.query = embedding.mean(1);
    result.similarity = anchor_similarity(result.query, result.anchors.keys);
    const auto retrieval = config_.selection.rule == "mmr"
                               ? retrieve_mmr(result.similarity, result.anchors.keys, config_.model.top_k,
                                              config_.selection.alpha)
                               : retrieve_top_k(result.similarity, config_.model.top_k);
    out.retrieved = in_prefix(retrieval.index, lookback, step);
    result.prefix = look_up(result.anchors.values, out.retrieved);
    if (step == nullptr) {
        if (config_.model.top_k > 1)
            out.key_cosine = mean_pairwise_cosine(result.anchors.keys, out.retrieved);
        return result;
    }
    // Of the rule's own choices: replaced anchors change the prefix only.
    out.terms.push_back({"similarity", similarity_loss(retrieval), config_.loss.lambda_sim});
    if (coverage_) {
        coverage_->update(result.similarity, step->step, step->share);
        out.terms.push_back(usage_term(result.similarity, retrieval, step->share, out));
    }
    return result;
}

at::Tensor CaspLlm::in_prefix(const at::Tensor& retrieved, const at::Tensor& lookback,
                              const TrainingStep* step) const {
    if (config_.model.anchors == "shuffled") return permutation_.take(retrieved);
    if (config_.model.anchors == "random")
        return random_anchors(lookback.transpose(1, 2).flatten(0, 1), config_.model.top_k,
                              config_.model.pool_size, layers_.seed(),
                              step != nullptr ? std::optional(step->step) : std::nullopt);
    return retrieved;
}

LossTerm CaspLlm::usage_term(const at::Tensor& similarity, const Retrieval& retrieval,
                             const BatchShare* share, Forecast& out) {
    const auto& term = config_.coverage.term;
    if (term == "coverage") {
        auto gate = coverage_->gate(similarity);
        out.active_pairs = gate.active_pairs;
        return {"coverage", gate.loss, config_.loss.lambda_cov};
    }
    const auto usage = soft_usage(similarity, share);
    if (term == "entropy") return {"entropy", entropy_loss(usage), config_.loss.lambda_cov};
    if (term == "kl-uniform") return {"kl_uniform", kl_uniform_loss(usage), config_.loss.lambda_cov};
    return {"switch", switch_loss(usage, retrieval.index), config_.loss.lambda_cov};
}

void CaspLlm::begin_evaluation() {
    const torch::NoGradGuard no_gradient;
    if (config_.model.prompt) kept_anchors_ = compute_anchors();
}

void CaspLlm::end_evaluation() { kept_anchors_.reset(); }

NamedTensors CaspLlm::trainable() const { return joined(backbone_.trainable(), layers_.all()); }

NamedTensors CaspLlm::frozen() const { return backbone_.frozen(); }

NamedTensors CaspLlm::state() const {
    if (!coverage_) return {};
    return {{"coverage_statistic", coverage_->statistic}};
}

NamedTensors CaspLlm::embedding_weights() const {
    if (!config_.model.prompt) return {};
    const auto& all = layers_.all();
    return {all.begin(), all.begin() + (config_.model.instance_norm_affine ? 4 : 2)};
}

void CaspLlm::weights_replaced() {
    backbone_.forget_copies();
    kept_anchors_.reset();
    held_anchors_.reset();
}

void CaspLlm::hold_anchors(const at::Tensor& values) {
    if (!config_.model.prompt ||
        values.sizes() != at::IntArrayRef({config_.model.pool_size, config_.backbone.width}))
        throw std::invalid_argument("hold_anchors: not this model's anchors");
    held_anchors_ = Anchors{values, l2_normalise(values)};
    kept_anchors_.reset();
}

void CaspLlm::to(const at::Device& device) {
    backbone_.to(device);
    layers_.to(device);
    if (coverage_) coverage_->statistic = coverage_->statistic.to(device);
    if (permutation_.defined()) permutation_ = permutation_.to(device);
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

std::unique_ptr<Forecaster> make_s2ip_llm(const config::Config& config, const DataShape& data) {
    return std::make_unique<CaspLlm>(as_s2ip_llm(config), data.channels);
}

}  // namespace casp::model
