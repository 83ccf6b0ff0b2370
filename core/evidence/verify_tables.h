#pragma once
// Verification of a batch's tables against the rows of its runs. Without LibTorch.

#include <filesystem>
#include <map>
#include <stop_token>

#include "evidence/verify.h"
#include "evidence/verify_run.h"

namespace casp::evidence {

/// Verified runs by folder (absolute, normalised).
using VerifiedRuns = std::map<std::filesystem::path, VerifiedRun>;

/// Regenerates results.*, summary.*, comparisons.* and ranks.* of the batch from the rows of its runs, in the
/// order of results.csv, and adds a finding for each differing cell. What only run.json holds is compared
/// with results.csv; which of the two is wrong, the other tables decide. Throws Cancelled.
void verify_tables(const std::filesystem::path& batch_folder, const VerifiedRuns& runs, Verification& result,
                   const std::stop_token& stop);

}  // namespace casp::evidence
