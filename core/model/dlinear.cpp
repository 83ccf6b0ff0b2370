#include "model/dlinear.h"

#include <vector>

#include <torch/torch.h>

#include "model/decomposition.h"
#include "model/factory.h"
#include "util/error.h"

namespace casp::model {

namespace {

constexpr const char* seasonal_name = "Linear_Seasonal";
constexpr const char* trend_name = "Linear_Trend";

std::string suffix_of(std::int64_t channel) {
    std::string text = ".";  // GCC 12 warns of "." + a temporary
    return text += std::to_string(channel);
}

}  // namespace

DLinear::DLinear(const config::Config& config, std::int64_t channels)
    : moving_average_(config.dlinear.moving_avg),
      individual_(config.dlinear.individual),
      parameters_(static_cast<std::uint64_t>(config.train.seed)) {
    const auto lookback = config.data.lookback, horizon = config.data.horizon;
    for (const std::string part : {seasonal_name, trend_name})
        for (std::int64_t channel = 0; channel < (individual_ ? channels : 1); ++channel) {
            const auto name = part + (individual_ ? suffix_of(channel) : "");
            parameters_.add(name + ".weight",
                            at::full({horizon, lookback}, 1.0 / static_cast<double>(lookback)));
            parameters_.add_uniform(name + ".bias", {horizon}, lookback);
        }
}

at::Tensor DLinear::apply(const std::string& suffix, const at::Tensor& rows) const {
    const auto of = [&](const char* part, const char* kind) { return parameters_.get(part + suffix + kind); };
    const auto seasonal = of(seasonal_name, ".weight");
    const auto weight =
        seasonal + weights_before_moving_average(of(trend_name, ".weight") - seasonal, moving_average_);
    return at::linear(rows, weight, of(seasonal_name, ".bias") + of(trend_name, ".bias"));
}

Forecast DLinear::forward(const ModelInput& input, const TrainingStep* /*step*/, bool /*trace*/) {
    const auto rows = input.lookback.transpose(1, 2);  // [B, M, L]
    Forecast forecast;
    if (!individual_) {
        forecast.prediction = apply("", rows).transpose(1, 2);
        return forecast;
    }
    std::vector<at::Tensor> channels;
    for (std::int64_t m = 0; m < rows.size(1); ++m)
        channels.push_back(apply(suffix_of(m), rows.select(1, m)));
    forecast.prediction = at::stack(channels, 2);
    return forecast;
}

std::unique_ptr<Forecaster> make_dlinear(const config::Config& config, const DataShape& data) {
    if (config.dlinear.individual && data.single_channel)
        throw input_error("dlinear.individual",
                          "layers for each channel cannot be trained on batches of single channels",
                          "data.batching = \"multi-channel\", or dlinear.individual = false");
    return std::make_unique<DLinear>(config, data.channels);
}

}  // namespace casp::model
