#pragma once
// Evaluation of a checkpoint on any data set, without training.

#include <filesystem>
#include <string>
#include <vector>

#include "store/results.h"
#include "train/observer.h"
#include "train/stop.h"

namespace casp::inspect {

// The weights and the settings of a checkpoint: of a run folder, or of a .safetensors file.

struct CheckpointSettings {
    std::filesystem::path file;  ///< the weights
    std::string name;            ///< for folders and tables
    std::string text;            ///< the settings as TOML; empty: the file has none
    std::string where;           ///< names the settings in messages
};

/// `checkpoint`: a run folder (its best.safetensors and config.toml) or a .safetensors file. Throws an input
/// Error if the weights are missing, or if a file has no settings and `sets` (KEY=VALUE) do not describe its
/// model or windows either.
[[nodiscard]] CheckpointSettings read_checkpoint_settings(const std::filesystem::path& checkpoint,
                                                          const std::vector<std::string>& sets);

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
