#pragma once
// The evaluation at the end of a run: metrics of every split, forecasts, embeddings and similarities.

#include <filesystem>

#include "config/config.h"
#include "model/forecaster.h"
#include "store/run_record.h"
#include "train/evaluation.h"
#include "train/observer.h"
#include "train/session.h"
#include "train/stop.h"

namespace casp::inspect {

/// Evaluates validation, test and what run.store_forecasts names with the model as it is, writes arrays.h5
/// for run.store_*, fills record.val, record.test and record.anchors.usage_test. Throws Cancelled on a stop
/// request.
void evaluate_and_store(const config::Config& config, const train::SessionData& data,
                        model::Forecaster& model, const std::filesystem::path& folder,
                        store::RunRecord& record, train::TrainObserver& observer,
                        const train::StopControl& stop, const train::Evaluation* known_validation = nullptr);

}  // namespace casp::inspect
