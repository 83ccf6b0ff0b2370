#pragma once
// Forecasts without parameters: persistence, and the values of one season before.

#include <cstdint>

#include "model/forecaster.h"

namespace casp::model {

/// Repeats the last `season` values of the look-back: the forecast of step h (from 0) is the value of row
/// L - season + h mod season. With a season of 1 it is the persistence forecast.
class SeasonalNaive : public Forecaster {
public:
    /// 1 <= season <= lookback; all in rows.
    SeasonalNaive(std::int64_t lookback, std::int64_t horizon, std::int64_t season);

    [[nodiscard]] Forecast forward(const ModelInput& input, const TrainingStep* step, bool trace) override;
    [[nodiscard]] NamedTensors trainable() const override { return {}; }
    void to(const at::Device& device) override;

private:
    at::Tensor rows_;  ///< [H] rows of the look-back
};

}  // namespace casp::model
