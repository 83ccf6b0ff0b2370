#include "model/s2ip_llm.h"

#include "model/factory.h"
#include "model/s2ip_llm_shape.h"

namespace casp::model {

CaspLlmSettings s2ip_llm_settings(const config::Config& config, std::int64_t channels) {
    return casp_llm_settings(as_s2ip_llm(config), channels);
}

std::unique_ptr<Forecaster> make_s2ip_llm(const config::Config& config, const DataShape& data) {
    return std::make_unique<CaspLlm>(s2ip_llm_settings(config, data.channels));
}

}  // namespace casp::model
