#pragma once
// A run in progress, in the order of its life: run_open.cpp opens data and model, run_start.cpp continues,
// forks or begins, run.cpp trains and evaluates; RunFiles writes what is kept of it.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "config/config.h"
#include "model/descriptor.h"
#include "run/run.h"
#include "store/run_folder.h"
#include "train/checkpoint.h"
#include "train/device_queue.h"
#include "train/optimizer.h"
#include "train/process_group.h"
#include "train/run_log.h"
#include "train/session.h"

namespace casp::run {

/// What a run is made of.
struct ActiveRun {
    const RunRequest& request;
    train::RunLog& log;
    train::StopControl& stop;
    config::Config config = request.config;  ///< run.precision settled
    store::RunFolder folder{request.folder};

    std::optional<store::RunLock> lock = {};
    std::optional<std::filesystem::path> checkpoint = {};  ///< to resume from
    train::ProcessGroup* group = nullptr;                  ///< processes that train together; null: one
    at::Device device{at::kCPU};
    train::SessionData data = {};
    train::SessionModel model = {};
    std::optional<train::AdamW> optimizer = {};
    train::TrainState state = {};
    std::int64_t memory_before = 0;  ///< of the process, or of a GPU's allocator
    train::CheckpointIdentity identity = {};
    model::Estimate estimate = {};
    std::optional<train::DeviceQueue> queue = {};  ///< the last member: destroyed before the tensors

    [[nodiscard]] const store::RunRecord& record() const { return log.record(); }
    [[nodiscard]] std::int64_t processes() const { return group != nullptr ? group->size() : 1; }
    /// Windows of a batch that this process computes, at most.
    [[nodiscard]] std::int64_t windows_here() const {
        return (std::min(config.train.batch_size, data.train->size()) + processes() - 1) / processes();
    }
};

class RunFiles;

// run_open.cpp

/// run.precision "auto" becomes what the run has so far, or what this device computes fastest: it never
/// changes.
void settle_precision(ActiveRun& run);
/// Opens data, model and optimiser on the device. Throws input Errors, and OutOfMemory.
void open(ActiveRun& run);

// run_start.cpp

/// Locks the folder and finds the checkpoint to resume from. Returns false if another process has finished
/// the run.
[[nodiscard]] bool take_folder(ActiveRun& run);
/// Weights, state and curves of train.continue_from.
void fork(ActiveRun& run);
/// Continues from the run's checkpoint, or begins; the run's files exist then.
void start(ActiveRun& run, RunFiles& files, bool forked);

}  // namespace casp::run
