#pragma once
// Evaluation of a checkpoint on any data set, without training.

#include <filesystem>
#include <string>
#include <vector>

#include "store/results.h"
#include "train/observer.h"
#include "train/stop.h"

namespace casp::inspect {

struct EvaluationRequest {
    std::filesystem::path checkpoint;  ///< a run folder (its best.safetensors) or a .safetensors file
    std::string data;                  ///< CSV file or "catalog:NAME"; empty: the run's data set
    std::filesystem::path out;         ///< results are written to out/evaluations/<checkpoint>_<data>/
    std::vector<std::string> sets;     ///< KEY=VALUE, applied to the checkpoint's configuration
};

/// Evaluates with the configuration stored in the checkpoint. A checkpoint without one, such as of the public
/// S2IP-LLM model, uses defaults and `sets`, which must then include model or window settings. On other data
/// than the run's, data.split and data.batching of a preset become "auto" unless `sets` give them. The scaler
/// is fitted on the training rows of the given data. Writes config.toml, run.json, run.h5 and arrays.h5;
/// returns the result row. Throws input Errors, also if model and batch do not fit into free memory, and a
/// run Error that suggests a batch size if memory runs out later; files of an earlier evaluation are then
/// kept.
store::ResultRow evaluate_checkpoint(const EvaluationRequest& request, train::TrainObserver& observer,
                                     train::StopControl& stop);

}  // namespace casp::inspect
