#include "model/casp_llm.h"
#include "model/factory.h"
#include "model/s2ip_llm_shape.h"

namespace casp::model {

std::unique_ptr<Forecaster> make_s2ip_llm(const config::Config& config, const DataShape& data) {
    return std::make_unique<CaspLlm>(as_s2ip_llm(config), data.channels);
}

}  // namespace casp::model
