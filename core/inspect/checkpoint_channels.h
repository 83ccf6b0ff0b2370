#pragma once
// The channels that a checkpoint was trained on, against those of other data.

#include <filesystem>
#include <optional>

#include "config/config.h"
#include "store/run_folder.h"
#include "store/run_record.h"
#include "train/observer.h"
#include "train/session.h"

namespace casp::inspect {

/// The run folder that the checkpoint is or is the best.safetensors of; nothing for another file.
[[nodiscard]] std::optional<store::RunFolder> run_of(const std::filesystem::path& checkpoint);

/// What that run's run.h5 says; nothing without a readable one.
[[nodiscard]] std::optional<store::RunRecord> record_of(const std::filesystem::path& checkpoint);

/// Throws an input Error if the weights are of a table and the data a collection of series, or if a model
/// that distinguishes channels would take one for another. Warns if a file does not say its channels, and if
/// `data` have other channels: none of the run's, or others besides.
void check_channels(const std::filesystem::path& checkpoint, const config::Config& config,
                    const train::SessionData& data, train::TrainObserver& observer);

}  // namespace casp::inspect
