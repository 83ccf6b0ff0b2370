#pragma once
// Batch mode (--batch, --evaluate): the runs of an experiment or a sweep.

#include "batch/command_line.h"
#include "batch/program.h"
#include "train/stop.h"

namespace casp::batch {

struct BatchEnd {
    int status = exit_done;
    bool complete = false;  ///< every run of this process' share is finished
};

/// Runs the experiment in `line.target` and writes to line.out/<name>/. Finished runs are skipped. Unfinished
/// runs are resumed with --resume; without it they are an error, reported before anything starts. If a run
/// fails, the others still run. Writes and prints the tables. Throws Errors that concern the whole batch,
/// including bad input of its first run.
///
/// --worker: takes the runs that no process holds, also unfinished ones, until none is left; any number of
/// workers may share line.out, on any machines. Runs that fail meanwhile are left; those that had failed
/// before are tried once. --runs: only its share. run.devices: by a worker on each (device_workers.h).
BatchEnd run_batch(const CommandLine& line, train::StopControl& stop);
/// The same for one batch, where paper:tuning is only its first (batch/tuning.h).
BatchEnd run_one_batch(const CommandLine& line, train::StopControl& stop);

/// caspstudio --evaluate: evaluates a checkpoint on another CSV or split, without training.
int run_evaluation(const CommandLine& line, train::StopControl& stop);

}  // namespace casp::batch
