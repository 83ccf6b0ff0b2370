// Settings and cost of the ridge regression.

#include "model/descriptor.h"

namespace casp::model {

namespace {

/// It is not trained in epochs: see ClosedForm, model/forecaster.h.
Capabilities capabilities_of_ridge(const config::Config& /*config*/) {
    return {.trains = false, .forecast_loss = false};
}

Estimate estimate_ridge(const config::Config& config, const BatchShape& /*batch*/) {
    const auto lookback = config.data.lookback, horizon = config.data.horizon;
    Estimate e;
    e.parameters_trainable = lookback * horizon + horizon;
    e.parameters_total = e.parameters_trainable;
    // Weights and two unused moments; in float64: sums, matrix and factor, right-hand sides.
    e.fixed_bytes = 4 * 3 * e.parameters_trainable + 8 * (lookback + 1) * (3 * lookback + 3 * horizon);
    e.evaluation_bytes_per_row = 4 * (2 * lookback + 3 * horizon);
    e.bytes_per_row = 8 * (3 * lookback + 2 * horizon);
    e.evaluation_flop_per_row = 2.0 * static_cast<double>(lookback * horizon);
    return e;
}

}  // namespace

Descriptor describe_ridge() { return {.capabilities = capabilities_of_ridge, .estimate = estimate_ridge}; }

}  // namespace casp::model
