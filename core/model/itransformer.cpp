#include "model/itransformer.h"

#include <optional>

#include <torch/torch.h>

#include "model/factory.h"

namespace casp::model {

namespace {

constexpr const char* embedding_name = "enc_embedding.value_embedding";
constexpr const char* norm_name = "encoder.norm";
constexpr const char* projection_name = "projection";

}  // namespace

ITransformer::ITransformer(const ITransformerSettings& s)
    : settings_(s),
      embedding_(make_affine({s.encoder.width, s.lookback}, s.seed, embedding_name)),
      encoder_(s.encoder, s.seed),
      norm_(make_norm(s.encoder.width)),
      projection_(make_affine({s.horizon, s.encoder.width}, s.seed, projection_name)) {}

Forecast ITransformer::forward(const ModelInput& input, const TrainingStep* step, bool /*trace*/) {
    std::optional<DropoutStream> stream;
    if (step != nullptr) stream.emplace(*step);
    InstanceStatistics statistics;
    auto series = instance_norm_.normalise(input.lookback, statistics).transpose(1, 2);
    if (input.time.defined())
        series = at::cat({series, input.time.slice(1, 0, settings_.lookback).transpose(1, 2)}, 1);
    auto tokens = at::linear(series.contiguous(), embedding_.weight, embedding_.bias);
    if (stream) tokens = dropout(tokens, settings_.encoder.dropout, stream->next());
    const auto channels =
        encoder_.forward(tokens, stream ? &*stream : nullptr).slice(1, 0, input.lookback.size(2));
    const auto features = at::layer_norm(channels, {settings_.encoder.width}, norm_.weight, norm_.bias);
    Forecast forecast;
    forecast.prediction = instance_norm_.denormalise(
        at::linear(features, projection_.weight, projection_.bias).transpose(1, 2), statistics);
    return forecast;
}

NamedTensors ITransformer::trainable() const {
    NamedTensors tensors;
    append(tensors, embedding_name, embedding_);
    for (auto& tensor : encoder_.trainable()) tensors.push_back(std::move(tensor));
    append(tensors, norm_name, norm_);
    append(tensors, projection_name, projection_);
    return tensors;
}

void ITransformer::to(const at::Device& device) {
    encoder_.to(device);
    for (auto* layer : {&embedding_, &norm_, &projection_}) move_to(*layer, device);
}

std::unique_ptr<Forecaster> make_itransformer(const config::Config& config, const DataShape& data) {
    require_all_channels(config, data);
    const auto& c = config.itransformer;
    ITransformerSettings settings;
    settings.lookback = config.data.lookback;
    settings.horizon = config.data.horizon;
    settings.encoder = {c.e_layers, c.d_model, c.n_heads, c.d_ff, c.dropout};
    settings.seed = static_cast<std::uint64_t>(config.train.seed);
    return std::make_unique<ITransformer>(settings);
}

}  // namespace casp::model
