#pragma once
// --table: the paper's tables from finished runs.

#include <stop_token>
#include <string>

#include "batch/command_line.h"

namespace casp::batch {

/// The table as Markdown. With line.out, also writes NAME.csv, NAME.md and NAME.tex there. Without folders,
/// the paper's values only. Throws input Errors, and Cancelled.
[[nodiscard]] std::string table_text(const CommandLine& line, const std::stop_token& stop = {});

}  // namespace casp::batch
