#include "model/ofa_points.h"

#include <torch/torch.h>

#include "model/data_embedding.h"

namespace casp::model {

namespace {

constexpr const char* points_embedding = "enc_embedding";
constexpr const char* points_time_map = "predict_linear_pre";
constexpr const char* points_head = "out_layer";

}  // namespace

OfaPoints::OfaPoints(const config::Config& config)
    : config_(config),
      backbone_(config, /*token_table=*/false),
      parameters_(static_cast<std::uint64_t>(config.train.seed)) {
    const auto lookback = config.data.lookback;
    add_value_embedding(parameters_, points_embedding, /*channels=*/1, config.ofa.d_model);
    parameters_.add_linear(points_time_map, lookback, lookback + config.data.horizon);
    parameters_.add_linear(points_head, config.ofa.d_ff, 1);
}

at::Tensor OfaPoints::embed(const at::Tensor& lookback, InstanceStatistics& statistics,
                            DropoutStream* stream) const {
    const auto rows = instance_norm_.normalised_rows(lookback, statistics);
    // The dropout of the backbone is also that of the embedding.
    const auto points =
        drop(data_embedding(parameters_, points_embedding, rows.unsqueeze(2), /*time=*/{}) +
                 sinusoidal_positions(config_.data.lookback, config_.ofa.d_model, rows.device()),
             config_.backbone.dropout, stream);
    const auto tokens = parameters_.linear(points_time_map, points.transpose(1, 2)).transpose(1, 2);
    return at::constant_pad_nd(tokens, {0, config_.backbone.width - config_.ofa.d_model}).contiguous();
}

Forecast OfaPoints::forward(const ModelInput& input, const TrainingStep* step, bool trace) {
    StepDropout dropout(step);
    InstanceStatistics statistics;
    const auto embedding = embed(input.lookback, statistics, dropout.stream());
    const auto hidden = backbone_.forward(embedding, dropout.stream(), config_.run.precision == "bf16");
    const auto read =
        hidden.narrow(1, config_.data.lookback, config_.data.horizon).narrow(2, 0, config_.ofa.d_ff);
    Forecast out;
    out.prediction =
        instance_norm_.denormalised_rows(parameters_.linear(points_head, read).squeeze(2), statistics);
    if (trace) out.trace = trace_of_patches(embedding);
    return out;
}

Forecast OfaPoints::look(const ModelInput& input) {
    InstanceStatistics statistics;
    Forecast out;
    out.trace = trace_of_patches(embed(input.lookback, statistics, nullptr));
    return out;
}

NamedTensors OfaPoints::trainable() const { return joined(backbone_.trainable(), parameters_.all()); }

void OfaPoints::to(const at::Device& device) {
    backbone_.to(device);
    parameters_.to(device);
}

}  // namespace casp::model
