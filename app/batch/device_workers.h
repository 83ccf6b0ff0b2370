#pragma once
// Several devices: one worker process (--batch … --worker) per entry of run.devices.

#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "batch/command_line.h"
#include "config/config.h"
#include "train/observer.h"
#include "train/stop.h"

namespace casp::batch {

/// Called when a worker was killed: its process id, and what happened ("the worker on cuda:1 was ended by
/// …").
using WorkerDied = std::function<void(pid_t pid, const std::string& what)>;

/// Starts a worker of this program for each device and waits for all. Their messages are passed on, with the
/// device in front (text) or as member "device" (JSON). Stop requests are passed on to them. A process of its
/// own per device: after an error of CUDA, a process cannot use it any more.
///
/// A worker on "cuda:N" sees only that GPU (CUDA_VISIBLE_DEVICES), one on "cpu" none; the CPU's threads are
/// shared out. Returns exit_bad_input if all workers ended with it, exit_run_failed if one did not end with 0
/// or 130, else exit_done. Throws an input Error if a setting of run.device contradicts `config.run.devices`.
int work_on_devices(const CommandLine& line, const config::Config& config, train::TrainObserver& console,
                    train::StopControl& stop, const WorkerDied& died);

/// The environment variables that restrict a worker to its device: "NAME=value" each. `visible`: this
/// process's CUDA_VISIBLE_DEVICES, null if it has none; `threads`: OMP_NUM_THREADS, 0: left alone. Throws an
/// input Error if the device is not visible to this process.
[[nodiscard]] std::vector<std::string> environment_of_device(const std::string& device, const char* visible,
                                                             int threads);

}  // namespace casp::batch
