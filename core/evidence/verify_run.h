#pragma once
// Verification of one run: arrays.h5, run.h5, best.safetensors, run.json, submission.csv. Without LibTorch.

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "evidence/verify.h"
#include "evidence/verify_forecasts.h"
#include "store/results.h"

namespace casp::evidence {

/// A run with the row that its files give.
struct VerifiedRun {
    std::filesystem::path folder;
    /// As recomputed; what only run.json has (data, seconds, peak_memory, swept) from there. Nothing: neither
    /// run.json nor run.h5 can be read.
    std::optional<store::ResultRow> row;
    bool has_status = false;  ///< run.json could be read
    std::string name = {};    ///< that run.json gives it
};

/// Adds findings about the run's files. Throws Cancelled.
[[nodiscard]] VerifiedRun verify_run(const std::filesystem::path& folder, DataOfRuns& data,
                                     Verification& result, const std::stop_token& stop);

}  // namespace casp::evidence
