#pragma once
// --verify: recomputation of every number of finished runs and their tables.

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "batch/command_line.h"
#include "evidence/verify.h"
#include "train/stop.h"

namespace casp::batch {

/// Adds what is found about the figures of a batch folder.
using VerifyFigures = std::function<void(const std::filesystem::path& batch, evidence::Verification& result)>;

struct VerifyResult {
    std::string text;  ///< a line per finding ("FILE: CELL: FOUND; expected EXPECTED"), what was not checked
                       ///< and why, notes, and a summary
    bool equal = false;  ///< no finding
};

/// Verifies the runs and tables below line.target (evidence/verify.h), the paper's tables and the figures
/// among them, and repeats line.repeat percent of the forecasts (inspect/repeated_forecasts.h). An archive is
/// unpacked into a temporary folder that is removed; files are then named by their paths in it. Progress goes
/// to standard error. Throws an input Error without any run or for an archive that cannot be unpacked, and
/// Cancelled.
[[nodiscard]] VerifyResult verify(const CommandLine& line, const VerifyFigures& figures,
                                  const train::StopControl& stop, const std::stop_token& stopped);

}  // namespace casp::batch
