// Descriptor of forecasts made by other code, which have no model here.

#include "model/descriptor.h"

namespace casp::model {

namespace {

Capabilities capabilities_of_imported(const config::Config& /*config*/) {
    return {.trains = false, .forecast_loss = false, .imported = true};
}

/// Refused where a model is made (model/factory.cpp): the settings of an imported run are valid.
std::vector<config::Contradiction> check_imported(const config::Config& /*config*/) { return {}; }

Estimate estimate_of_imported(const config::Config& /*config*/, const BatchShape& /*batch*/) { return {}; }

}  // namespace

Descriptor describe_imported() {
    return {config::imported_model, "Imported",           capabilities_of_imported,
            check_imported,         estimate_of_imported, {}};
}

}  // namespace casp::model
