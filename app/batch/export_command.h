#pragma once
// --export: stored forecasts of a run as files for other programs.

#include <stop_token>
#include <string>

#include "batch/command_line.h"

namespace casp::batch {

/// Writes the test forecasts of the run line.target to the folder line.out. Returns a line
/// that names the files. Progress goes to standard error. Throws as inspect::export_arrays().
[[nodiscard]] std::string export_text(const CommandLine& line, const std::stop_token& stop);

}  // namespace casp::batch
