// Cost of forecasts without parameters: they have no arithmetic either. Also of forecasts made by other code,
// which have no model here (model/factory.cpp refuses to make one; the settings of an imported run are
// valid).

#include "model/descriptor.h"

namespace casp::model {

namespace {

Capabilities capabilities_of_naive(const config::Config& /*config*/) {
    return {.trains = false, .forecast_loss = false};
}

Estimate estimate_naive(const config::Config& config, const BatchShape& /*batch*/) {
    Estimate e;
    e.bytes_per_row = e.evaluation_bytes_per_row = 4 * (config.data.lookback + 2 * config.data.horizon);
    return e;
}

Capabilities capabilities_of_imported(const config::Config& /*config*/) {
    return {.trains = false, .forecast_loss = false, .imported = true};
}

Estimate estimate_of_imported(const config::Config& /*config*/, const BatchShape& /*batch*/) { return {}; }

}  // namespace

Descriptor describe_naive() { return {.capabilities = capabilities_of_naive, .estimate = estimate_naive}; }

Descriptor describe_seasonal_naive() { return describe_naive(); }

Descriptor describe_imported() {
    return {.name = config::imported_model,
            .title = "Imported",
            .capabilities = capabilities_of_imported,
            .estimate = estimate_of_imported};
}

}  // namespace casp::model
