// Forecasts without parameters: persistence, and the values of one season before.

#include <cstdint>
#include <string>

#include <torch/torch.h>

#include "model/factory.h"
#include "model/forecaster.h"
#include "util/error.h"

namespace casp::model {

namespace {

/// Repeats the last `season` values of the look-back: the forecast of step h (from 0) is the value of row
/// L - season + h mod season. With a season of 1 it is the persistence forecast.
class SeasonalNaive : public Forecaster {
public:
    /// 1 <= season <= lookback; all in rows.
    SeasonalNaive(std::int64_t lookback, std::int64_t horizon, std::int64_t season)
        : rows_(at::arange(horizon, at::kLong).remainder(season) + (lookback - season)) {}

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* /*step*/,
                                   bool /*trace*/) override {
        const auto& lookback = input.lookback;
        Forecast forecast;
        forecast.prediction = lookback.index_select(1, rows_);
        return forecast;
    }

    [[nodiscard]] NamedTensors trainable() const override { return {}; }
    void to(const at::Device& device) override { rows_ = rows_.to(device); }

private:
    at::Tensor rows_;  ///< [H] rows of the look-back
};

}  // namespace

std::unique_ptr<Forecaster> make_naive(const config::Config& config, const DataShape& /*data*/) {
    return std::make_unique<SeasonalNaive>(config.data.lookback, config.data.horizon, 1);
}

std::unique_ptr<Forecaster> make_seasonal_naive(const config::Config& config, const DataShape& data) {
    const auto season = season_of(data);
    if (season == 0)
        throw input_error(
            "model.name",
            data.step.is_known()
                ? Phrase("the time between rows (%1) has no usual season", data::frequency_name(data.step))
                : Phrase("the season is not known: the file has no time column"),
            "rows at a regular step, such as 15 minutes, an hour, a day or a month",
            "Use model.name = \"naive\", or name the time column of the file.");
    if (season > config.data.lookback)
        throw input_error(
            "data.lookback",
            Phrase("a season of %1 rows does not fit into data.lookback = %2", season, config.data.lookback),
            Phrase("a look-back of at least %1 rows", season));
    return std::make_unique<SeasonalNaive>(config.data.lookback, config.data.horizon, season);
}

}  // namespace casp::model
