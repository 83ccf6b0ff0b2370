// The seasonal naive forecast, with the season that the data's frequency gives.

#include <string>

#include "model/factory.h"
#include "model/naive.h"
#include "util/error.h"

namespace casp::model {

std::unique_ptr<Forecaster> make_seasonal_naive(const config::Config& config, const DataShape& data) {
    const auto season = season_of(data);
    if (season == 0)
        throw input_error(
            "model.name",
            data.step.is_known()
                ? "the time between rows (" + data::frequency_name(data.step) + ") has no usual season"
                : std::string("the season is not known: the file has no time column"),
            "rows at a regular step, such as 15 minutes, an hour, a day or a month",
            "Use model.name = \"naive\", or name the time column of the file.");
    if (season > config.data.lookback)
        throw input_error(
            "data.lookback",
            "a season of " + std::to_string(season) +
                " rows does not fit into data.lookback = " + std::to_string(config.data.lookback),
            "a look-back of at least " + std::to_string(season) + " rows");
    return std::make_unique<SeasonalNaive>(config.data.lookback, config.data.horizon, season);
}

}  // namespace casp::model
