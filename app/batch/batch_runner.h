#pragma once
// caspstudio --batch: one experiment or a grid, one run after another.

#include "batch/command_line.h"
#include "train/stop.h"

namespace casp::batch {

/// Exit statuses of the program.
enum ExitStatus : int { exit_done = 0, exit_run_failed = 1, exit_bad_input = 2, exit_interrupted = 130 };

/// Runs the experiment of `line.target` into line.out/<name>/. Finished runs are skipped, unfinished ones
/// continued with --resume and refused without, before anything starts. A run that fails does not keep the
/// others from being tried. Writes and prints the tables. Returns the exit status; throws Errors that concern
/// the batch as a whole, among them bad input where no run of the batch had begun before.
int run_batch(const CommandLine& line, train::StopControl& stop);

/// caspstudio --evaluate: a checkpoint on another CSV or split, without training.
int run_evaluation(const CommandLine& line, train::StopControl& stop);

}  // namespace casp::batch
