#pragma once
// --batch paper:tuning: the search of the paper's hyperparameters, one batch after another.

#include "batch/batch_runner.h"

namespace casp::batch {

/// Whether the line starts the search.
[[nodiscard]] bool is_tuning(const CommandLine& line);

/// Runs the paper's settings of all cells, then for each cell the loss weights at S2IP-LLM's lengths, and the
/// lengths at the weights with the lowest validation MSE: batches "NAME", "NAME-weights-PRESET" and
/// "NAME-lengths-PRESET" in line.out. A --set sweep.KEY belongs to the batches that sweep KEY. A second stage
/// begins when the first is complete, also for workers. Throws as run_batch(), and input Errors for settings
/// of the search without "sweep.", for run.devices and for run.processes.
BatchEnd run_tuning(const CommandLine& line, train::StopControl& stop);

}  // namespace casp::batch
