#include "model/factory.h"

#include <string_view>

#include "model/descriptor.h"

namespace casp::model {

#define CASP_MODEL(identifier, name, title) \
    std::unique_ptr<Forecaster> make_##identifier(const config::Config& config, const DataShape& data);
#include "config/models.def"
#undef CASP_MODEL

std::unique_ptr<Forecaster> make_model(const config::Config& config, const DataShape& data) {
    const auto wanted = descriptor(config).name;
#define CASP_MODEL(identifier, name, title) \
    if (wanted == name) return make_##identifier(config, data);
#include "config/models.def"
#undef CASP_MODEL
    return nullptr;  // descriptor() has thrown
}

}  // namespace casp::model
