#pragma once
// Training state and checkpoints: everything a bit-exact resume needs.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "model/forecaster.h"
#include "store/run_folder.h"
#include "train/optimizer.h"

namespace casp::train {

// Early stopping: the best epoch, and when to stop.

/// Keeps the lowest validation MSE; `patience` epochs in a row that are worse end the training.
/// A tie counts as an improvement (A.8). Plain data, so that a checkpoint can hold it.
struct EarlyStopping {
    double best = std::numeric_limits<double>::infinity();  ///< lowest validation MSE
    std::int64_t best_epoch = 0;                            ///< from 1; 0: none yet
    std::int64_t best_step = -1;                            ///< steps done when it was reached; -1: none yet
    std::int64_t waited = 0;                                ///< epochs without improvement

    /// Takes an epoch's validation MSE; true where it is the best so far.
    bool improves(double validation_mse, std::int64_t epoch, std::int64_t step) {
        if (!(validation_mse <= best)) {
            ++waited;
            return false;
        }
        best = validation_mse;
        best_epoch = epoch;
        best_step = step;
        waited = 0;
        return true;
    }

    [[nodiscard]] bool exhausted(std::int64_t patience) const { return waited >= patience; }
};

/// Training state between two steps. With weights, moments and c̃ it is complete: random numbers depend on
/// seed, step and epoch only.
struct TrainState {
    std::int64_t step = 0;      ///< steps done
    std::int64_t epoch = 1;     ///< the current one
    std::int64_t position = 0;  ///< steps done in it; 1 after a fit in another process (Trainer::fit())
    double epoch_loss = 0;      ///< Σ forecast loss × items of this epoch's steps
    std::int64_t epoch_items = 0;
    double epoch_seconds = 0;
    double seconds = 0;              ///< wall time of the whole run so far
    std::int64_t peak_memory = 0;    ///< bytes, as ResultRow::peak_memory
    bool ended_early = false;        ///< finish early was requested: only the evaluation remains
    std::int64_t snapshot_step = 0;  ///< step of the last anchor snapshot
    /// First step and epoch of a fork of a finished run: train.epochs, train.max_steps and the learning-rate
    /// schedule count from here. Zero otherwise.
    std::int64_t fork_step = 0, fork_epoch = 0;
    std::int64_t parent_steps = 0;  ///< of any fork: steps made by its parent
    EarlyStopping stopping;
    std::string best_sha256;  ///< of best.safetensors
    at::Tensor usage;         ///< [V'] int64 on the model's device: retrievals since the last snapshot

    /// A whole number of the state, by its name in state.json.
    struct Number {
        const char* name;
        std::int64_t* value;
        std::int64_t lowest = 0;
        bool may_be_missing = false;  ///< in checkpoints of earlier versions
    };
    [[nodiscard]] std::vector<Number> numbers();
};

/// Properties of a run that a checkpoint must match.
struct CheckpointIdentity {
    std::string dataset_sha256;
    std::string backbone_digest;  ///< of the backbone's frozen tensors
    std::string config;           ///< resolved TOML
};

/// Throws a run Error where a weight is not finite: such a state is no checkpoint.
/// Writes one generation (model, moments, best weights where there are any, state.json), fsynced, and makes
/// it the current one; the one before is there until then.
void write_checkpoint(const store::RunFolder& folder, const TrainState& state, const model::Forecaster& model,
                      const AdamW& optimizer, const CheckpointIdentity& identity,
                      const std::map<std::string, std::string>& metadata);

/// Reads the state of a generation without touching weights; verifies digests and format: throws
/// store::DamagedCheckpoint, and another input Error for a newer format. `usage` stays undefined.
struct StoredCheckpoint {
    TrainState state;
    CheckpointIdentity identity;
    std::filesystem::path folder;
    std::int64_t optimizer_steps = 0;
    bool has_best = false;  ///< the generation has best.safetensors
};
[[nodiscard]] StoredCheckpoint read_checkpoint(const std::filesystem::path& generation);

/// Writes a model's weights: these tensors of it, or what its own process has. The file's SHA-256.
std::string write_weights(const std::filesystem::path& file, const model::Forecaster& model,
                          const model::NamedTensors& tensors,
                          const std::map<std::string, std::string>& metadata);

/// Links the weights of an own process, a file of weights and the bytes beside it, to another name.
void link_weights(const std::filesystem::path& from, const std::filesystem::path& to);

/// Copies trainable weights and c̃ from a file into the model. Where the file has no c̃, as of a run without
/// coverage that a fork switches it on for, the model's stays as it is. Throws as read_tensors().
void restore_weights(const std::filesystem::path& path, model::Forecaster& model);

/// Copies weights, c̃, moments and usage of a verified generation into model, optimiser and state.usage.
void restore_checkpoint(const StoredCheckpoint& checkpoint, model::Forecaster& model, AdamW& optimizer,
                        TrainState& state);

}  // namespace casp::train
