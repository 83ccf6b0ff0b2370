#include "model/naive.h"

#include <torch/torch.h>

#include "model/factory.h"

namespace casp::model {

SeasonalNaive::SeasonalNaive(std::int64_t lookback, std::int64_t horizon, std::int64_t season)
    : rows_(at::arange(horizon, at::kLong).remainder(season) + (lookback - season)) {}

Forecast SeasonalNaive::forward(const ModelInput& input, const TrainingStep* /*step*/, bool /*trace*/) {
    const auto& lookback = input.lookback;
    Forecast forecast;
    forecast.prediction = lookback.index_select(1, rows_);
    return forecast;
}

void SeasonalNaive::to(const at::Device& device) { rows_ = rows_.to(device); }

std::unique_ptr<Forecaster> make_naive(const config::Config& config, const DataShape& /*data*/) {
    return std::make_unique<SeasonalNaive>(config.data.lookback, config.data.horizon, 1);
}

}  // namespace casp::model
