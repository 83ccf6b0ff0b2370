#pragma once
// Evidence commands without a model: --compare.

#include <stop_token>
#include <string>

#include "batch/command_line.h"

namespace casp::batch {

/// --compare: paired tests between the values of line.by over the finished runs below the folders, as a table
/// with a verdict for each row. Writes comparisons.csv, .md and .tex to line.out unless it is empty. Throws
/// an input Error if there is nothing to compare, which names the settings that differ or the seeds, and
/// Cancelled on a stop request.
[[nodiscard]] std::string compare_text(const CommandLine& line, const std::stop_token& stop = {});

}  // namespace casp::batch
