#pragma once
// Evaluation at the end of a run: metrics, forecasts, embeddings and similarities.

#include <filesystem>

#include "config/config.h"
#include "model/forecaster.h"
#include "train/evaluation.h"
#include "train/run_log.h"
#include "train/session.h"
#include "train/stop.h"

namespace casp::inspect {

/// Evaluates validation, test and the splits of run.store_forecasts with the model's current weights. Writes
/// arrays.h5 as selected by run.store_*; puts val, test and anchors.usage_test into the log's record.
/// `known_validation`: result for the validation split if already computed. Throws Cancelled on a stop
/// request.
void evaluate_and_store(const config::Config& config, const train::SessionData& data,
                        model::Forecaster& model, const std::filesystem::path& folder, train::RunLog& log,
                        const train::StopControl& stop, const train::Evaluation* known_validation = nullptr);

}  // namespace casp::inspect
