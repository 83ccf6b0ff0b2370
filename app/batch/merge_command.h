#pragma once
// --merge: one batch folder from several.

#include <stop_token>
#include <string>

#include "batch/command_line.h"

namespace casp::batch {

/// Merges line.target and line.files into line.out. Returns the summary of the batch and what was merged.
/// Progress goes to standard error. Throws as run::merge_batches().
[[nodiscard]] std::string merge_text(const CommandLine& line, const std::stop_token& stop);

}  // namespace casp::batch
