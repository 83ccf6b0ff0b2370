#include "model/ofa.h"

#include <optional>

#include <torch/torch.h>

#include "model/factory.h"
#include "model/initialisation.h"
#include "model/ofa_points.h"
#include "model/patching.h"

namespace casp::model {

namespace {

Trace trace_of_patches(const at::Tensor& embedding) {
    return {{}, embedding.detach().mean(1), {}, embedding.detach(), {}};
}

}  // namespace

Ofa::Ofa(const OfaSettings& s)
    : settings_(s),
      in_weight_(
          uniform_parameter({s.backbone.shape.width, s.patch_size}, s.patch_size, s.seed, "in_layer.weight")),
      in_bias_(uniform_parameter({s.backbone.shape.width}, s.patch_size, s.seed, "in_layer.bias")),
      backbone_(s.backbone),
      head_(patch_count(s.lookback, s.patch_size, s.stride), s.backbone.shape.width, s.horizon, /*ways=*/1,
            s.seed) {}

at::Tensor Ofa::embed(const at::Tensor& lookback, InstanceStatistics& statistics) const {
    const auto rows = instance_norm_.normalise(lookback, statistics).transpose(1, 2).flatten(0, 1);
    return at::linear(make_patches(rows, settings_.patch_size, settings_.stride), in_weight_, in_bias_);
}

Forecast Ofa::forward(const ModelInput& input, const TrainingStep* step, bool trace) {
    const auto& lookback = input.lookback;
    InstanceStatistics statistics;
    const auto embedding = embed(lookback, statistics);
    std::optional<DropoutStream> dropout;
    if (step != nullptr) dropout.emplace(*step);
    const auto hidden = backbone_.forward(embedding, dropout ? &*dropout : nullptr, settings_.half);
    const auto rows = head_.forward(hidden);
    Forecast out;
    out.prediction = instance_norm_.denormalise(
        rows.view({lookback.size(0), lookback.size(2), settings_.horizon}).transpose(1, 2), statistics);
    if (trace) out.trace = trace_of_patches(embedding);
    return out;
}

Forecast Ofa::look(const ModelInput& input) {
    InstanceStatistics statistics;
    Forecast out;
    out.trace = trace_of_patches(embed(input.lookback, statistics));
    return out;
}

NamedTensors Ofa::trainable() const {
    auto tensors = backbone_.trainable();
    tensors.push_back({"in_layer.weight", in_weight_});
    tensors.push_back({"in_layer.bias", in_bias_});
    tensors.push_back({"out_layer.weight", head_.weight});
    tensors.push_back({"out_layer.bias", head_.bias});
    return tensors;
}

void Ofa::to(const at::Device& device) {
    backbone_.to(device);
    for (auto* tensor : {&in_weight_, &in_bias_, &head_.weight, &head_.bias})
        *tensor = tensor->detach().to(device).set_requires_grad(true);
}

namespace {

/// The settings that both networks have.
template <class Settings>
Settings common_settings(const config::Config& config) {
    Settings settings;
    settings.lookback = config.data.lookback;
    settings.horizon = config.data.horizon;
    settings.half = config.run.precision == "bf16";
    settings.backbone = backbone_settings(config, /*token_table=*/false);
    settings.seed = static_cast<std::uint64_t>(config.train.seed);
    return settings;
}

std::unique_ptr<Forecaster> make_ofa_points(const config::Config& config) {
    auto settings = common_settings<OfaPointsSettings>(config);
    settings.d_model = config.ofa.d_model;
    settings.d_ff = config.ofa.d_ff;
    return std::make_unique<OfaPoints>(settings);
}

}  // namespace

std::unique_ptr<Forecaster> make_ofa(const config::Config& config, const DataShape& /*data*/) {
    if (config.ofa.network == "points") return make_ofa_points(config);
    auto settings = common_settings<OfaSettings>(config);
    settings.patch_size = config.ofa.patch_size;
    settings.stride = config.ofa.stride;
    return std::make_unique<Ofa>(settings);
}

}  // namespace casp::model
