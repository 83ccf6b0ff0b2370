#include "model/patchtst.h"

#include <cmath>
#include <optional>

#include <torch/torch.h>

#include "model/factory.h"
#include "model/initialisation.h"
#include "model/patching.h"

namespace casp::model {

namespace {

constexpr const char* value_embedding_name = "patch_embedding.value_embedding.weight";
constexpr const char* head_name = "head.linear";

/// [count, width]: sin(t·ω_i) at features 2i and cos(t·ω_i) at 2i + 1, with ω_i = 10000^(-2i/width).
at::Tensor sinusoidal_positions(std::int64_t count, std::int64_t width) {
    const auto feature = at::arange(width, at::kLong);
    const auto pair = at::floor_divide(feature, 2).mul(2).to(at::kFloat);
    const auto frequency = at::exp(pair * (-std::log(10000.0) / static_cast<double>(width)));
    const auto angle = at::arange(count, at::kFloat).unsqueeze(1) * frequency;
    return at::where(feature.remainder(2).eq(0), angle.sin(), angle.cos());
}

}  // namespace

PatchTst::PatchTst(const PatchTstSettings& s)
    : settings_(s),
      value_embedding_(
          uniform_parameter({s.encoder.width, s.patch_len}, s.patch_len, s.seed, value_embedding_name)),
      positions_(sinusoidal_positions(patch_count(s.lookback, s.patch_len, s.stride), s.encoder.width)),
      encoder_(s.encoder, s.seed),
      norm_(make_norm(s.encoder.width)),
      running_mean_(at::zeros({s.encoder.width})),
      running_var_(at::ones({s.encoder.width})),
      head_(make_affine({s.horizon, positions_.numel()}, s.seed, head_name)) {}

at::Tensor PatchTst::cut_rows(const at::Tensor& rows) const {
    const auto padded = at::cat({rows, rows.slice(1, -1).expand({-1, settings_.stride})}, 1);
    return padded.unfold(1, settings_.patch_len, settings_.stride).contiguous();
}

at::Tensor PatchTst::first_qkv(const at::Tensor& patches) const {
    const auto projection = encoder_.first_projection();
    const auto of_positions = at::linear(positions_, projection.weight, projection.bias);
    return at::linear(patches, at::mm(projection.weight, value_embedding_)) + of_positions;
}

at::Tensor PatchTst::batch_norm(const at::Tensor& tokens, const TrainingStep* step) const {
    constexpr double momentum = 0.1, epsilon = 1e-5;
    const auto features = tokens.flatten(0, 1);
    if (step != nullptr && step->share != nullptr) {
        const auto& share = *step->share;
        const auto mean = batch_mean(features.mean(0), &share);
        const auto centred = features - mean;
        const auto variance = batch_mean(centred.square().mean(0), &share);
        const auto rows = static_cast<double>(features.size(0) / share.windows * share.whole);
        running_mean_.mul_(1.0 - momentum).add_(mean.detach(), momentum);
        running_var_.mul_(1.0 - momentum).add_(variance.detach(), momentum * rows / (rows - 1.0));
        return at::addcmul(norm_.bias, centred * (variance + epsilon).rsqrt(), norm_.weight).view_as(tokens);
    }
    return at::batch_norm(features, norm_.weight, norm_.bias, running_mean_, running_var_,
                          step != nullptr && features.size(0) > 1, momentum, epsilon, /*cudnn_enabled=*/true)
        .view_as(tokens);
}

Forecast PatchTst::forward(const ModelInput& input, const TrainingStep* step, bool /*trace*/) {
    std::optional<DropoutStream> stream;
    if (step != nullptr) stream.emplace(*step);
    const auto drop = [&](const at::Tensor& x) {
        return stream ? dropout(x, settings_.encoder.dropout, stream->next()) : x;
    };
    InstanceStatistics statistics;
    const auto window = instance_norm_.normalise(input.lookback, statistics);
    const auto rows = window.transpose(1, 2).flatten(0, 1);
    const auto patches = cut_rows(rows);
    const auto embedded = drop(at::linear(patches, value_embedding_) + positions_);
    const auto tokens =
        encoder_.forward(embedded, stream ? &*stream : nullptr, stream ? at::Tensor() : first_qkv(patches));
    const auto flat = batch_norm(tokens, step).transpose(1, 2).flatten(1);
    const auto values = drop(at::linear(flat, head_.weight, head_.bias));
    Forecast forecast;
    forecast.prediction = instance_norm_.denormalise(
        values.unflatten(0, {input.lookback.size(0), input.lookback.size(2)}).transpose(1, 2), statistics);
    return forecast;
}

NamedTensors PatchTst::trainable() const {
    NamedTensors tensors{{value_embedding_name, value_embedding_}};
    for (auto& tensor : encoder_.trainable()) tensors.push_back(std::move(tensor));
    append(tensors, "encoder.norm.1", norm_);
    append(tensors, head_name, head_);
    return tensors;
}

NamedTensors PatchTst::state() const {
    return {{"encoder.norm.1.running_mean", running_mean_}, {"encoder.norm.1.running_var", running_var_}};
}

void PatchTst::to(const at::Device& device) {
    value_embedding_ = value_embedding_.detach().to(device).set_requires_grad(true);
    encoder_.to(device);
    for (auto* layer : {&norm_, &head_}) move_to(*layer, device);
    for (auto* tensor : {&positions_, &running_mean_, &running_var_}) *tensor = tensor->to(device);
}

std::unique_ptr<Forecaster> make_patchtst(const config::Config& config, const DataShape& /*data*/) {
    const auto& c = config.patchtst;
    PatchTstSettings settings;
    settings.lookback = config.data.lookback;
    settings.horizon = config.data.horizon;
    settings.patch_len = c.patch_len;
    settings.stride = c.stride;
    settings.encoder = {c.e_layers, c.d_model, c.n_heads, c.d_ff, c.dropout};
    settings.seed = static_cast<std::uint64_t>(config.train.seed);
    return std::make_unique<PatchTst>(settings);
}

}  // namespace casp::model
