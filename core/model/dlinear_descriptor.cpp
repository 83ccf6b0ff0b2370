// DLinear's settings and cost.

#include "model/descriptor.h"

namespace casp::model {

namespace {

Capabilities capabilities_of_dlinear(const config::Config& config) {
    return {.mixes_channels = config.dlinear.individual};
}

Estimate estimate_dlinear(const config::Config& config, const BatchShape& batch) {
    const auto lookback = config.data.lookback, horizon = config.data.horizon;
    Estimate e;
    e.parameters_trainable =
        2 * (lookback * horizon + horizon) * (config.dlinear.individual ? batch.channels : 1);
    e.parameters_total = e.parameters_trainable;
    e.fixed_bytes = 4 * 4 * e.parameters_trainable;  // weights, gradients, two moments
    e.evaluation_bytes_per_row =
        4 * (4 * lookback + 3 * horizon);  // window, padded window, trend, rest; forecasts
    e.bytes_per_row = 2 * e.evaluation_bytes_per_row;
    const double products = 4.0 * static_cast<double>(lookback * horizon);
    e.evaluation_flop_per_row = products;
    e.step_flop = 2 * products * static_cast<double>(batch.rows);  // the input needs no gradient
    return e;
}

}  // namespace

Descriptor describe_dlinear() {
    return {.capabilities = capabilities_of_dlinear, .estimate = estimate_dlinear};
}

}  // namespace casp::model
