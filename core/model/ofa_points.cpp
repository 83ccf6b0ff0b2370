#include "model/ofa_points.h"

#include <torch/torch.h>

#include "model/data_embedding.h"

namespace casp::model {

namespace {

constexpr const char* points_embedding = "enc_embedding";
constexpr const char* points_time_map = "predict_linear_pre";
constexpr const char* points_head = "out_layer";

Trace trace_of_points(const at::Tensor& embedding) {
    return {{}, embedding.detach().mean(1), {}, embedding.detach(), {}};
}

}  // namespace

OfaPoints::OfaPoints(const OfaPointsSettings& s) : settings_(s), backbone_(s.backbone), parameters_(s.seed) {
    add_value_embedding(parameters_, points_embedding, /*channels=*/1, s.d_model);
    parameters_.add_linear(points_time_map, s.lookback, s.lookback + s.horizon);
    parameters_.add_linear(points_head, s.d_ff, 1);
}

at::Tensor OfaPoints::embed(const at::Tensor& lookback, InstanceStatistics& statistics,
                            DropoutStream* dropout_stream) const {
    const auto rows = instance_norm_.normalise(lookback, statistics).transpose(1, 2).flatten(0, 1);
    auto points = data_embedding(parameters_, points_embedding, rows.unsqueeze(2), /*time=*/{}) +
                  sinusoidal_positions(settings_.lookback, settings_.d_model, rows.device());
    const auto p = settings_.backbone.shape.dropout;
    if (dropout_stream != nullptr && p > 0) points = dropout(points, p, dropout_stream->next());
    const auto tokens = parameters_.linear(points_time_map, points.transpose(1, 2)).transpose(1, 2);
    return at::constant_pad_nd(tokens, {0, settings_.backbone.shape.width - settings_.d_model}).contiguous();
}

Forecast OfaPoints::forward(const ModelInput& input, const TrainingStep* step, bool trace) {
    const auto& lookback = input.lookback;
    std::optional<DropoutStream> dropout_stream;
    if (step != nullptr) dropout_stream.emplace(*step);
    auto* const stream = dropout_stream ? &*dropout_stream : nullptr;
    InstanceStatistics statistics;
    const auto embedding = embed(lookback, statistics, stream);
    const auto hidden = backbone_.forward(embedding, stream, settings_.half);
    const auto read = hidden.narrow(1, settings_.lookback, settings_.horizon).narrow(2, 0, settings_.d_ff);
    const auto rows = parameters_.linear(points_head, read).squeeze(2);
    Forecast out;
    out.prediction = instance_norm_.denormalise(
        rows.view({lookback.size(0), lookback.size(2), settings_.horizon}).transpose(1, 2), statistics);
    if (trace) out.trace = trace_of_points(embedding);
    return out;
}

Forecast OfaPoints::look(const ModelInput& input) {
    InstanceStatistics statistics;
    Forecast out;
    out.trace = trace_of_points(embed(input.lookback, statistics, nullptr));
    return out;
}

NamedTensors OfaPoints::trainable() const {
    auto tensors = backbone_.trainable();
    for (const auto& tensor : parameters_.all()) tensors.push_back(tensor);
    return tensors;
}

void OfaPoints::to(const at::Device& device) {
    backbone_.to(device);
    parameters_.to(device);
}

}  // namespace casp::model
