#pragma once
// From a configuration to a model.

#include <memory>

#include "config/config.h"
#include "model/casp_llm.h"

namespace casp::model {

/// The settings of CASP-LLM as [backbone], [model], [coverage], [loss], train.seed and run.precision give
/// them. `channels`: of a training batch (1 with single-channel batches).
[[nodiscard]] CaspLlmSettings casp_llm_settings(const config::Config& config, std::int64_t channels);

/// The configured model on the CPU with an untrained backbone (Hugging Face's initialisation).
[[nodiscard]] std::unique_ptr<CaspLlm> make_model(const config::Config& config, std::int64_t channels);

}  // namespace casp::model
