#pragma once
// --audit and --import: forecasts made elsewhere.

#include <stop_token>
#include <string>

#include "batch/command_line.h"

namespace casp::batch {

struct AuditResult {
    std::string text;  ///< a line per finding, code first
    bool clean = false;
};

/// Audits the forecasts in line.target against the data set line.data with the settings data.* of line.sets.
/// Progress goes to standard error; with line.out, writes audit.json there. Throws input Errors and
/// Cancelled.
[[nodiscard]] AuditResult audit(const CommandLine& line, const std::stop_token& stop);

/// Imports the forecasts in line.target into line.out/line.name/; the run is `single`, or `seed-N`.
/// Returns the text of the audit and the run's folder. Throws as audit::import_forecasts().
[[nodiscard]] std::string import_run(const CommandLine& line, const std::stop_token& stop);

}  // namespace casp::batch
