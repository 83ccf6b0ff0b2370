#pragma once
// Verification of the CSV files of a batch's figures.

#include <filesystem>
#include <stop_token>

#include "evidence/verify.h"
#include "util/progress.h"

namespace casp::figure_jobs {

/// Draws the figures again whose CSV files are in `batch_folder`/figures, and adds a finding for each cell
/// that differs. Figures that need the weights (FigureInfo::weights) are not checked. Writes nothing. Throws
/// Cancelled.
void verify_figures(const std::filesystem::path& batch_folder, evidence::Verification& result,
                    const ProgressFn& progress = {}, const std::stop_token& stop = {});

}  // namespace casp::figure_jobs
