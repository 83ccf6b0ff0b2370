#include "model/itransformer.h"

#include <torch/torch.h>

#include "model/factory.h"

namespace casp::model {

namespace {

constexpr const char* embedding_name = "enc_embedding.value_embedding";

}  // namespace

ITransformer::ITransformer(const config::Config& config)
    : lookback_(config.data.lookback),
      shape_(encoder_shape(config.itransformer)),
      parameters_(static_cast<std::uint64_t>(config.train.seed)) {
    parameters_.add_linear(embedding_name, lookback_, shape_.width);
    add_encoder(parameters_, shape_);
    parameters_.add_norm("encoder.norm", shape_.width);
    parameters_.add_linear("projection", shape_.width, config.data.horizon);
}

Forecast ITransformer::forward(const ModelInput& input, const TrainingStep* step, bool /*trace*/) {
    StepDropout dropout(step);
    InstanceStatistics statistics;
    auto series = instance_norm_.normalise(input.lookback, statistics).transpose(1, 2);
    if (input.time.defined())
        series = at::cat({series, input.time.slice(1, 0, lookback_).transpose(1, 2)}, 1);
    const auto tokens =
        drop(parameters_.linear(embedding_name, series.contiguous()), shape_.dropout, dropout.stream());
    const auto channels =
        encode(parameters_, shape_, tokens, dropout.stream()).slice(1, 0, input.lookback.size(2));
    const auto features = parameters_.norm("encoder.norm", channels);
    Forecast forecast;
    forecast.prediction =
        instance_norm_.denormalise(parameters_.linear("projection", features).transpose(1, 2), statistics);
    return forecast;
}

std::unique_ptr<Forecaster> make_itransformer(const config::Config& config, const DataShape& data) {
    require_all_channels(config, data);
    return std::make_unique<ITransformer>(config);
}

}  // namespace casp::model
