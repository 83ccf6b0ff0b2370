#pragma once
// What is checked of models whose code is not ours (model::OwnProcess): whether runs can be repeated, and
// whether a window's forecast depends on that window alone.

#include <filesystem>

#include "config/config.h"
#include "data/windows.h"
#include "model/forecaster.h"
#include "train/observer.h"

namespace casp::inspect {

/// Makes one training step twice from the same weights, then restores them, and warns if the weights after it
/// differ: the run can then be neither repeated nor resumed to the bit. For a model on a CPU that trains in
/// steps, before its first step; nothing for others. Files in `folder` are used and removed.
void check_repeatable(const config::Config& config, model::Forecaster& model, const data::WindowSet& train,
                      const std::filesystem::path& folder, train::TrainObserver& observer);

/// Forecasts up to 64 windows twice, and again in another order and in batches of 7 and 1. Warns, with the
/// size of the effect, if forecasts cannot be repeated, or depend on the other windows of their batch
/// (normalisation over the batch, BatchNorm in training mode, the order), or if it fails for some size of
/// batch.
void check_independence(const config::Config& config, model::Forecaster& model,
                        const data::WindowSet& windows, train::TrainObserver& observer);

}  // namespace casp::inspect
