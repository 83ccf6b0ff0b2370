#pragma once
// Verification of stored forecasts: some of them are computed again with the run's weights. Does not include
// LibTorch's headers.

#include <filesystem>

#include "evidence/verify.h"
#include "train/observer.h"
#include "train/stop.h"

namespace casp::inspect {

/// Largest difference of a repeated forecast from the stored one, relative to max(1, |stored|) in standard
/// deviations, where processor, LibTorch, threads or program version are not those of the run
/// (docs/verification.md states the measurements).
inline constexpr double repeated_tolerance = 1e-4;
inline constexpr double repeated_tolerance_tf32 = 0.02;
inline constexpr double repeated_tolerance_bf16 = 0.1;

/// Computes `percent` (0 < percent ≤ 100) of the batches of each stored split again, at least one and evenly
/// spaced, for all finished runs in and below `folder` whose weights and data are there, and compares them
/// with /forecast/<split>/prediction. Whole batches, since the sizes of matrix products decide about the last
/// bits: on the run's processor, with its LibTorch, threads and program version, all bits must be equal. Else
/// the tolerances above apply, and rows that retrieve other anchors than the run are not compared.
///
/// Adds findings about arrays.h5, a note of how many windows were compared and how, and what was not compared
/// and why. Changes LibTorch's number of threads to that of the runs. Throws Cancelled, and a run Error if
/// memory runs out.
void verify_repeated(const std::filesystem::path& folder, double percent, evidence::Verification& result,
                     train::TrainObserver& observer, const train::StopControl& stop);

}  // namespace casp::inspect
