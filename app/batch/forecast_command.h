#pragma once
// --forecast: the horizon after the last rows of a data file.

#include <string>

#include "batch/command_line.h"
#include "train/stop.h"

namespace casp::batch {

/// Forecasts with the model of line.target after each of the last line.origins rows of line.data. Returns the
/// CSV; with line.out, writes it there and returns an empty text. Messages and progress go to standard error.
/// Throws input Errors and Cancelled.
[[nodiscard]] std::string forecast_text(const CommandLine& line, const train::StopControl& stop);

}  // namespace casp::batch
