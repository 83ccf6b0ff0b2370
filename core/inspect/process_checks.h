#pragma once
// What is checked of models whose code is not ours (model::OwnProcess): whether runs can be repeated, and
// whether a window's forecast depends on that window alone.

#include <filesystem>

#include "config/config.h"
#include "model/forecaster.h"
#include "train/observer.h"
#include "train/session.h"

namespace casp::inspect {

/// Checks of a trained model, each with a warning that gives the size of the effect. `fresh`: another process
/// of the same model with its stored weights; it may be changed. `folder`: for files that are removed again.
///
/// Up to 64 windows are forecast twice, with other random numbers, by the fresh process, and in another order
/// in batches of 7: forecasts that cannot be repeated, that are random, that the stored state does not give,
/// or that depend on the other windows of their batch (normalisation over the batch, BatchNorm in training
/// mode, the order). A training step on a CPU is made twice from equal weights: runs that cannot be repeated
/// or resumed to the bit.
void check_process(const config::Config& config, model::Forecaster& model, model::Forecaster& fresh,
                   const train::SessionData& data, const std::filesystem::path& folder,
                   train::TrainObserver& observer);

}  // namespace casp::inspect
