#pragma once
// A model from a file of weights, without training.

#include <filesystem>

#include "config/config.h"
#include "train/session.h"

namespace casp::train {

/// The model of `config` with the weights of `file` (best.safetensors, last/model.safetensors or one of the
/// public S2IP-LLM model), on `device`. Where the file has no frozen weights (run.frozen_weights = "omit",
/// checkpoints to resume from) they come from where backbone.path says. Tensors that the model
/// does not have are reported in a warning. Throws
/// input Errors (file, tensor, found, expected) and Cancelled.
[[nodiscard]] SessionModel open_weights(const std::filesystem::path& file, const config::Config& config,
                                        const model::DataShape& data, const at::Device& device,
                                        TrainObserver& observer, const StopControl& stop);

}  // namespace casp::train
