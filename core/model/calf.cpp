#include "model/calf.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <torch/torch.h>

#include "model/factory.h"
#include "model/forecast_losses.h"
#include "model/instance_norm.h"
#include "model/target_channels.h"
#include "model/word_components.h"
#include "util/error.h"

namespace casp::model {

namespace {

constexpr double projection_rate = 1e-4;
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

std::unique_ptr<Forecaster> make_calf(const config::Config& config, const DataShape& data) {
    require_all_channels(config, data);
    if (data.channels > config.backbone.positions)
        throw input_error("backbone.positions",
                          std::to_string(data.channels) + " channels are more tokens than " +
                              std::to_string(config.backbone.positions) + " positions",
                          "a backbone with at least as many positions as there are channels",
                          "Select fewer channels with data.columns.");
    const auto season = std::max<std::int64_t>(1, season_of(data));
    const bool scales = config.calf.task_loss == "mase" || config.calf.output_loss == "mase";
    if (scales && season >= config.data.lookback)
        throw input_error(
            "data.lookback",
            "the MASE loss compares values one season of " + std::to_string(season) +
                " apart, which data.lookback = " + std::to_string(config.data.lookback) + " does not contain",
            "a look-back of more than " + std::to_string(season) + " values",
            "Use another distance in calf.task_loss and calf.output_loss, or a longer look-back.");
    return std::make_unique<Calf>(config, CalfConstants{.season = season});
}

Calf::Calf(const config::Config& config, const CalfConstants& constants)
    : config_(config),
      constants_(constants),
      encoder_{config.data.lookback, config.backbone.width, config.backbone.heads, constants.feed_forward,
               constants.encoder_dropout},
      time_{
          Gpt2(config.backbone, {"gpt2.base_model.model.", true,
                                 LoraSettings{config.calf.r, config.calf.lora_alpha, config.calf.lora_dropout,
                                              static_cast<std::uint64_t>(config.train.seed)}}),
          "time_proj."},
      text_{Gpt2(config.backbone, {"gpt2_text.", false, {}}), "text_proj."},
      layers_(static_cast<std::uint64_t>(config.train.seed)) {
    const auto d = config.backbone.width;
    add_calf_encoder(layers_, encoder_);
    for (const auto* branch : {&time_, &text_})
        for (std::int64_t i = 0; i <= config.backbone.layers; ++i)
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
    const bool aligned = step != nullptr && (settings.feature_w != 0 || settings.output_w != 0);
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
    return name.find("_proj") != std::string::npos ? std::optional(projection_rate) : std::nullopt;
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
