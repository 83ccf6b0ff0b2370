#include "model/ofa.h"

#include <torch/torch.h>

#include "model/factory.h"
#include "model/forecast_head.h"
#include "model/ofa_points.h"
#include "model/patching.h"

namespace casp::model {

Ofa::Ofa(const config::Config& config)
    : config_(config),
      backbone_(config, /*token_table=*/false),
      layers_(static_cast<std::uint64_t>(config.train.seed)) {
    const auto patches = patch_count(config.data.lookback, config.ofa.patch_size, config.ofa.stride);
    layers_.add_linear("in_layer", config.ofa.patch_size, config.backbone.width);
    layers_.add_linear("out_layer", patches * config.backbone.width, config.data.horizon);
}

at::Tensor Ofa::embed(const at::Tensor& lookback, InstanceStatistics& statistics) const {
    const auto rows = instance_norm_.normalised_rows(lookback, statistics);
    return layers_.linear("in_layer", make_patches(rows, config_.ofa.patch_size, config_.ofa.stride));
}

Forecast Ofa::forward(const ModelInput& input, const TrainingStep* step, bool trace) {
    InstanceStatistics statistics;
    const auto embedding = embed(input.lookback, statistics);
    StepDropout dropout(step);
    const auto hidden = backbone_.forward(embedding, dropout.stream(), config_.run.precision == "bf16");
    Forecast out;
    out.prediction = instance_norm_.denormalised_rows(forecast_head(layers_, hidden, /*ways=*/1), statistics);
    if (trace) out.trace = trace_of_patches(embedding);
    return out;
}

Forecast Ofa::look(const ModelInput& input) {
    InstanceStatistics statistics;
    Forecast out;
    out.trace = trace_of_patches(embed(input.lookback, statistics));
    return out;
}

NamedTensors Ofa::trainable() const { return joined(backbone_.trainable(), layers_.all()); }

void Ofa::to(const at::Device& device) {
    backbone_.to(device);
    layers_.to(device);
}

std::unique_ptr<Forecaster> make_ofa(const config::Config& config, const DataShape& /*data*/) {
    if (config.ofa.network == "points") return std::make_unique<OfaPoints>(config);
    return std::make_unique<Ofa>(config);
}

}  // namespace casp::model
