#include "model/calf.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <torch/torch.h>

#include "model/backbone_descriptor.h"
#include "model/calf_shape.h"
#include "model/factory.h"
#include "model/forecast_losses.h"
#include "model/instance_norm.h"
#include "model/target_channels.h"
#include "util/error.h"

namespace casp::model {

namespace {

constexpr std::int64_t words_per_slice = 4096;  // 25 MB in double at d = 768

constexpr const char* word_attention = "in_layer.cross_attention.";

/// Name in the transformer layer.
std::string in_calf_layer(const char* part) {
    return std::string("in_layer.transformer_encoder.layers.0.") + part;
}

void add_packed_attention(ParameterSet& parameters, const std::string& name, std::int64_t width) {
    const auto in = name + "in_proj_weight";
    parameters.add(in, bounded_parameter({3 * width, width}, std::sqrt(6.0 / static_cast<double>(4 * width)),
                                         parameters.seed(), in));
    parameters.add(name + "in_proj_bias", at::zeros({3 * width}));
    parameters.add_uniform(name + "out_proj.weight", {width, width}, width);
    parameters.add(name + "out_proj.bias", at::zeros({width}));
}

/// softmax(q kᵀ / √d_h) v of several heads, then an output projection; no mask. query [B, T, d], memory [B or
/// 1, S, d] (keys and values) -> [B, T, d]. `stream`: of the dropout of the probabilities; null outside
/// training.
at::Tensor attend(const ParameterSet& parameters, const std::string& name, std::int64_t heads,
                  const at::Tensor& query, const at::Tensor& memory, double p, DropoutStream* stream) {
    const auto width = query.size(2);
    const auto split = [&](const at::Tensor& x) { return x.unflatten(2, {heads, -1}).transpose(1, 2); };
    const auto part = [&](const at::Tensor& x, std::int64_t first, std::int64_t last) {
        return at::linear(x, parameters.get(name + "in_proj_weight").slice(0, first * width, last * width),
                          parameters.get(name + "in_proj_bias").slice(0, first * width, last * width));
    };
    const auto q = split(part(query, 0, 1));
    const auto kv = part(memory, 1, 3).chunk(2, 2);
    const auto k = split(kv[0]).expand({q.size(0), -1, -1, -1});
    const auto v = split(kv[1]).expand({q.size(0), -1, -1, -1});
    at::Tensor attended;
    if (stream != nullptr && p > 0.0) {
        const auto scores =
            at::matmul(q * (1.0 / std::sqrt(static_cast<double>(q.size(3)))), k.transpose(2, 3));
        attended = at::matmul(dropout(at::softmax(scores, -1), p, stream->next()), v);
    } else {
        attended = at::scaled_dot_product_attention(q, k, v);
    }
    return parameters.linear(name + "out_proj", attended.transpose(1, 2).flatten(2));
}

constexpr double projection_rate = 1e-4;

Gpt2Role time_role(const config::Config& config) {
    const auto& own = config.calf;
    return {.prefix = "gpt2.base_model.model.",
            .lora = LoraSettings{own.r, own.lora_alpha, own.lora_dropout,
                                 static_cast<std::uint64_t>(config.train.seed)}};
}

constexpr double feature_decay = 0.8;  // γ of the public code

at::Tensor distance(const std::string& kind, const at::Tensor& a, const at::Tensor& b) {
    if (kind == "l1") return at::l1_loss(a, b);
    if (kind == "smooth_l1") return at::smooth_l1_loss(a, b);  // β = 1
    return at::mse_loss(a, b);
}

/// The same between forecasts [B, H, M], of which the step may mask elements.
at::Tensor forecast_distance(const std::string& kind, const at::Tensor& a, const at::Tensor& b,
                             const at::Tensor& lookback, std::int64_t season, const at::Tensor& mask) {
    if (kind == "smape") return smape_loss(a, b, mask);
    if (kind == "mase") return mase_loss(a, b, lookback, season, mask);
    return mask.defined() ? distance(kind, a * mask, b * mask) : distance(kind, a, b);
}

}  // namespace

at::Tensor word_components(const at::Tensor& table, std::int64_t count) {
    const torch::NoGradGuard no_gradient;
    const auto host = table.detach().to(at::kCPU);
    const auto words = host.size(0), width = host.size(1);
    auto products = at::zeros({width, width}, at::kDouble);
    for (std::int64_t begin = 0; begin < words; begin += words_per_slice) {
        const auto slice = host.slice(0, begin, begin + words_per_slice).to(at::kDouble);
        const auto centred = slice - slice.mean(1, true);
        products.addmm_(centred.t(), centred);
    }
    const auto [values, vectors] = at::linalg_eigh(products);  // ascending
    const auto components = std::min({count, words, width - 1});
    const auto sigma = values.slice(0, width - components).clamp_min(0.0).sqrt();
    const auto rows = (vectors.slice(1, width - components) * sigma).t().flip({0}).contiguous();
    const auto largest = rows.abs().argmax(1, true);
    const auto sign = at::where(rows.gather(1, largest) < 0, -1.0, 1.0);
    return (rows * sign).to(at::kFloat);
}

void add_calf_encoder(ParameterSet& parameters, const CalfEncoderShape& shape) {
    parameters.add_linear("in_layer.linear", shape.lookback, shape.width);
    add_packed_attention(parameters, in_calf_layer("self_attn."), shape.width);
    parameters.add_linear(in_calf_layer("linear1"), shape.width, shape.feed_forward);
    parameters.add_linear(in_calf_layer("linear2"), shape.feed_forward, shape.width);
    parameters.add_norm(in_calf_layer("norm1"), shape.width);
    parameters.add_norm(in_calf_layer("norm2"), shape.width);
    add_packed_attention(parameters, word_attention, shape.width);
}

CalfTokens encode_variates(const ParameterSet& parameters, const CalfEncoderShape& shape,
                           const at::Tensor& series, const at::Tensor& words, bool with_text,
                           DropoutStream* stream) {
    const auto p = shape.dropout;
    auto x = parameters.linear("in_layer.linear", series);
    const auto attended = attend(parameters, in_calf_layer("self_attn."), shape.heads, x, x, p, stream);
    x = parameters.norm(in_calf_layer("norm1"), x + drop(attended, p, stream));
    const auto inner = drop(at::relu(parameters.linear(in_calf_layer("linear1"), x)), p, stream);
    x = parameters.norm(in_calf_layer("norm2"),
                        x + drop(parameters.linear(in_calf_layer("linear2"), inner), p, stream));
    CalfTokens tokens{x, {}};
    if (with_text)
        tokens.text = attend(parameters, word_attention, shape.heads, x, words.unsqueeze(0), 0.0, nullptr);
    return tokens;
}

std::unique_ptr<Forecaster> make_calf(const config::Config& config, const DataShape& data) {
    require_all_channels(config, data);
    if (has_gpt2(config) && data.channels > config.backbone.positions)
        throw input_error(
            "backbone.positions",
            Phrase("%1 channels are more tokens than %2 positions", data.channels, config.backbone.positions),
            "a backbone with at least as many positions as there are channels",
            "Select fewer channels with data.columns.");
    const auto season = std::max<std::int64_t>(1, season_of(data));
    const bool scales = config.calf.task_loss == "mase" || config.calf.output_loss == "mase";
    if (scales && season >= config.data.lookback)
        throw input_error(
            "data.lookback",
            Phrase("the MASE loss compares values one season of %1 apart, which data.lookback = %2 does not "
                   "contain",
                   season, config.data.lookback),
            Phrase("a look-back of more than %1 values", season),
            "Use another distance in calf.task_loss and calf.output_loss, or a longer look-back.");
    return std::make_unique<Calf>(config, CalfConstants{.season = season});
}

Calf::Calf(const config::Config& config, const CalfConstants& constants)
    : config_(config),
      constants_(constants),
      encoder_{config.data.lookback, config.backbone.width, config.backbone.heads, constants.feed_forward,
               constants.encoder_dropout},
      time_{Backbone(config, has_text_branch(config), time_role(config)), "time_proj."},
      text_{Backbone(config, false, {.prefix = "gpt2_text.", .trains_norms = false}, "backbone_text."),
            "text_proj."},
      layers_(static_cast<std::uint64_t>(config.train.seed)) {
    const auto d = config.backbone.width;
    add_calf_encoder(layers_, encoder_);
    for (const auto* branch : {&time_, &text_})
        for (std::int64_t i = 0; i < branch->backbone.states(); ++i)
            layers_.add_uniform(branch->projections + std::to_string(i) + ".weight", {d, d}, d);
    layers_.add_linear("out_layer", d, config.data.horizon);
    text_.backbone.share_frozen(time_.backbone);
}

const at::Tensor& Calf::words() {
    const auto& table = time_.backbone.token_table();
    if (!words_.defined()) words_ = word_components(table, constants_.word_components).to(table.device());
    return words_;
}

Calf::BranchOutput Calf::run(Branch& branch, const at::Tensor& tokens, DropoutStream* dropout,
                             bool with_features) {
    std::vector<at::Tensor> hidden;
    const auto last = branch.backbone.forward(tokens, dropout, config_.run.precision == "bf16",
                                              with_features ? &hidden : nullptr);
    BranchOutput out{layers_.linear("out_layer", last + tokens), {}};
    for (std::size_t i = 0; i < hidden.size(); ++i)
        out.features.push_back(
            at::linear(hidden[i], layers_.get(branch.projections + std::to_string(i) + ".weight")));
    return out;
}

at::Tensor Calf::feature_loss(const BranchOutput& time, const BranchOutput& text) const {
    at::Tensor sum;
    const auto last = time.features.size() - 1;
    for (std::size_t i = 0; i <= last; ++i) {
        const auto term =
            distance(config_.calf.feature_loss, time.features[last - i], text.features[last - i]) *
            std::pow(feature_decay, static_cast<double>(i));
        sum = sum.defined() ? sum + term : term;
    }
    return sum;
}

Forecast Calf::forward(const ModelInput& input, const TrainingStep* step, bool /*trace*/) {
    const auto& settings = config_.calf;
    const bool aligned = step != nullptr && has_text_branch(config_);
    const bool features = aligned && settings.feature_w != 0;
    if (step != nullptr && !step->target.defined())
        throw std::invalid_argument("CALF's training step needs the target");
    StepDropout dropout(step);
    auto* const stream = dropout.stream();

    const InstanceNorm norm{};
    InstanceStatistics statistics;
    const auto series = norm.normalise(input.lookback, statistics).transpose(1, 2);
    const auto tokens =
        encode_variates(layers_, encoder_, series, aligned ? words() : at::Tensor(), aligned, stream);
    const auto forecast_of = [&](const BranchOutput& branch) {
        return norm.denormalise(branch.rows.transpose(1, 2), statistics);
    };
    const auto time = run(time_, tokens.time, stream, features);
    Forecast out;
    out.prediction = forecast_of(time);
    if (step == nullptr) return out;

    const auto counting = [&](const at::Tensor& values) { return of_channels(values, 2, step->targets); };
    const auto distance_to = [&](const std::string& kind, const at::Tensor& target) {
        return forecast_distance(kind, counting(out.prediction), target, counting(input.lookback),
                                 constants_.season, step->mask);
    };
    out.forecast_weight = 0;  // the task term takes its place
    out.terms.push_back({"task", distance_to(settings.task_loss, step->target), settings.task_w});
    if (!aligned) return out;
    const auto text = run(text_, tokens.text, stream, features);
    if (settings.output_w != 0)
        out.terms.push_back(
            {"output", distance_to(settings.output_loss, counting(forecast_of(text))), settings.output_w});
    if (features) out.terms.push_back({"feature", feature_loss(time, text), settings.feature_w});
    return out;
}

void Calf::cancel_on(const std::stop_token& stop) {
    time_.backbone.cancel_on(stop);
    text_.backbone.cancel_on(stop);
}

NamedTensors Calf::trainable() const {
    return joined(joined(time_.backbone.trainable(), text_.backbone.trainable()), layers_.all());
}

NamedTensors Calf::frozen() const { return joined(time_.backbone.frozen(), text_.backbone.frozen()); }

std::optional<double> Calf::constant_rate(const std::string& name) const {
    const bool projects = name.find("_proj") != std::string::npos && !name.starts_with("backbone");
    return projects ? std::optional(projection_rate) : std::nullopt;
}

void Calf::weights_replaced() {
    time_.backbone.forget_copies();
    text_.backbone.forget_copies();
    words_ = at::Tensor();
}

void Calf::to(const at::Device& device) {
    time_.backbone.to(device);
    text_.backbone.share_frozen(time_.backbone);
    text_.backbone.to(device);
    layers_.to(device);
    words_ = at::Tensor();
}

}  // namespace casp::model
