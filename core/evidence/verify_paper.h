#pragma once
// Verification of the paper's tables in batch folders.

#include <filesystem>
#include <stop_token>

#include "evidence/verify.h"

namespace casp::evidence {

/// Regenerates NAME.csv, .md and .tex of each table of the paper in the folder from the finished runs of this
/// batch, and from those of all batches beside it: a table follows from either. Adds a finding for each cell
/// that differs from the nearer one. Throws Cancelled.
void verify_paper_tables(const std::filesystem::path& batch_folder, Verification& result,
                         const std::stop_token& stop = {});

}  // namespace casp::evidence
