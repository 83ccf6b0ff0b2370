#pragma once
// A checkpoint on other data, without training.

#include <filesystem>
#include <string>
#include <vector>

#include "store/results.h"
#include "train/observer.h"
#include "train/stop.h"

namespace casp::inspect {

struct EvaluationRequest {
    std::filesystem::path checkpoint;  ///< a run folder (its best.safetensors) or a .safetensors file
    std::string data;                  ///< a CSV file or "catalog:NAME"; empty: the data of the run
    std::filesystem::path out;         ///< results go to out/evaluations/<checkpoint>_<data>/
    std::vector<std::string> sets;     ///< KEY=VALUE over the checkpoint's own configuration
};

/// Evaluates with the configuration that the checkpoint carries (a foreign file, such as one of the public
/// S2IP-LLM model, carries none: defaults and `sets`, which must then say something of model or windows). The
/// scaler is fitted on the training rows of the given data. Writes config.toml, run.json, run.h5 and
/// arrays.h5; returns the row. Throws input Errors, also where model and batch would not fit into the free
/// memory, and a run Error with a batch size to try where memory runs out all the same: a former evaluation's
/// files then stay.
store::ResultRow evaluate_checkpoint(const EvaluationRequest& request, train::TrainObserver& observer,
                                     train::StopControl& stop);

}  // namespace casp::inspect
