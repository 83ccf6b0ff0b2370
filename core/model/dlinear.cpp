#include "model/dlinear.h"

#include <string>
#include <utility>

#include <torch/torch.h>

#include "model/factory.h"
#include "model/initialisation.h"
#include "model/moving_average.h"
#include "util/error.h"

namespace casp::model {

namespace {

constexpr const char* seasonal_name = "Linear_Seasonal";
constexpr const char* trend_name = "Linear_Trend";

std::string prefix(const char* part, bool individual, std::size_t channel) {
    return std::string(part) + "." + (individual ? std::to_string(channel) + "." : "");
}

}  // namespace

DLinear::DLinear(const DLinearSettings& settings) : settings_(settings) {
    const auto layers = static_cast<std::size_t>(settings.individual ? settings.channels : 1);
    const auto make = [&](const char* part, std::size_t channel) {
        return Layer{
            at::full({settings.horizon, settings.lookback}, 1.0 / static_cast<double>(settings.lookback))
                .set_requires_grad(true),
            uniform_parameter({settings.horizon}, settings.lookback, settings.seed,
                              prefix(part, settings.individual, channel) + "bias")};
    };
    for (std::size_t channel = 0; channel < layers; ++channel) {
        seasonal_.push_back(make(seasonal_name, channel));
        trend_.push_back(make(trend_name, channel));
    }
}

at::Tensor DLinear::apply(std::size_t layer, const at::Tensor& rows) const {
    const auto& seasonal = seasonal_[layer];
    const auto& trend = trend_[layer];
    const auto weight =
        seasonal.weight + weights_before_moving_average(trend.weight - seasonal.weight, settings_.moving_avg);
    return at::linear(rows, weight, seasonal.bias + trend.bias);
}

Forecast DLinear::forward(const ModelInput& input, const TrainingStep* /*step*/, bool /*trace*/) {
    const auto rows = input.lookback.transpose(1, 2);  // [B, M, L]
    Forecast forecast;
    if (!settings_.individual) {
        forecast.prediction = apply(0, rows).transpose(1, 2);
        return forecast;
    }
    std::vector<at::Tensor> channels;
    for (std::size_t m = 0; m < seasonal_.size(); ++m)
        channels.push_back(apply(m, rows.select(1, static_cast<std::int64_t>(m))));
    forecast.prediction = at::stack(channels, 2);
    return forecast;
}

NamedTensors DLinear::trainable() const {
    NamedTensors tensors;
    const auto add = [&](const char* part, const std::vector<Layer>& layers) {
        for (std::size_t channel = 0; channel < layers.size(); ++channel) {
            const auto name = prefix(part, settings_.individual, channel);
            tensors.push_back({name + "weight", layers[channel].weight});
            tensors.push_back({name + "bias", layers[channel].bias});
        }
    };
    add(seasonal_name, seasonal_);
    add(trend_name, trend_);
    return tensors;
}

void DLinear::to(const at::Device& device) {
    for (auto* layers : {&seasonal_, &trend_})
        for (auto& layer : *layers)
            for (auto* tensor : {&layer.weight, &layer.bias})
                *tensor = tensor->detach().to(device).set_requires_grad(true);
}

std::unique_ptr<Forecaster> make_dlinear(const config::Config& config, const DataShape& data) {
    if (config.dlinear.individual && data.single_channel)
        throw input_error("dlinear.individual",
                          "layers for each channel cannot be trained on batches of single channels",
                          "data.batching = \"multi-channel\", or dlinear.individual = false");
    DLinearSettings settings;
    settings.lookback = config.data.lookback;
    settings.horizon = config.data.horizon;
    settings.channels = data.channels;
    settings.moving_avg = config.dlinear.moving_avg;
    settings.individual = config.dlinear.individual;
    settings.seed = static_cast<std::uint64_t>(config.train.seed);
    return std::make_unique<DLinear>(settings);
}

}  // namespace casp::model
