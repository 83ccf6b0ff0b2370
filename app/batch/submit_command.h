#pragma once
// --submit: an experiment as a job array on a cluster.

#include <stop_token>
#include <string>

#include "batch/command_line.h"

namespace casp::batch {

/// Checks the experiment, then writes and submits its script, or with line.print returns the script. Returns
/// what was submitted, and how to watch it. Throws input and run Errors, and Cancelled.
[[nodiscard]] std::string submit_text(const CommandLine& line, const std::stop_token& stop = {});

}  // namespace casp::batch
