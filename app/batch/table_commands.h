#pragma once
// --table: the paper's tables from finished runs.

#include <stop_token>
#include <string>
#include <vector>

#include "batch/command_line.h"
#include "config/experiment.h"

namespace casp::batch {

/// The table as Markdown. With line.out, also writes NAME.csv, NAME.md and NAME.tex there. Without folders,
/// the paper's values only. Throws input Errors, and Cancelled.
[[nodiscard]] std::string table_text(const CommandLine& line, const std::stop_token& stop = {});

/// Of an experiment of the paper without figures: removes the plans whose runs other batches of line.out have
/// finished, and returns a message for each. Other experiments stay as they are.
std::vector<std::string> leave_out_finished(std::vector<config::RunPlan>& plans, const CommandLine& line);

}  // namespace casp::batch
