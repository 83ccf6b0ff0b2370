// The persistence forecast's settings and cost: it has neither parameters nor arithmetic.

#include "model/naive_descriptor.h"

namespace casp::model {

Capabilities capabilities_of_naive(const config::Config& /*config*/) {
    return {.trains = false, .forecast_loss = false};
}

std::vector<config::Contradiction> check_naive(const config::Config& /*config*/) { return {}; }

Estimate estimate_naive(const config::Config& config, const BatchShape& /*batch*/) {
    Estimate e;
    e.bytes_per_row = e.evaluation_bytes_per_row = 4 * (config.data.lookback + 2 * config.data.horizon);
    return e;
}

Descriptor describe_naive() { return {{}, {}, capabilities_of_naive, check_naive, estimate_naive, {}}; }

}  // namespace casp::model
