#pragma once
// Capabilities, checks and cost of forecasts without parameters.

#include "model/descriptor.h"

namespace casp::model {

[[nodiscard]] Capabilities capabilities_of_naive(const config::Config& config);
[[nodiscard]] std::vector<config::Contradiction> check_naive(const config::Config& config);
[[nodiscard]] Estimate estimate_naive(const config::Config& config, const BatchShape& batch);

}  // namespace casp::model
