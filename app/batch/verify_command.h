#pragma once
// --verify: recomputation of every number of finished runs and their tables.

#include <stop_token>
#include <string>

#include "batch/command_line.h"
#include "evidence/verify.h"

namespace casp::batch {

/// Verifies the runs and tables below line.target (evidence/verify.h), and the paper's tables among them,
/// with progress on standard error. Throws an input Error without any run, and Cancelled.
[[nodiscard]] evidence::Verification verify_runs(const CommandLine& line, const std::stop_token& stop = {});

/// A line per finding ("FILE: CELL: FOUND; expected EXPECTED"), what was not checked and why, and a summary.
/// Files are relative to `top` if they are below it.
[[nodiscard]] std::string verification_text(const evidence::Verification& result, const std::string& top);

}  // namespace casp::batch
