#pragma once
// Weights stored with snapshots (run.store_embeddings), for embeddings of any split, channels and windows at
// earlier training steps. See docs/decisions/0008-embeddings.md.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "model/forecaster.h"
#include "store/run_record.h"

namespace casp::inspect {

/// Steps in `record` with a stored snapshot including weights, ascending; from snapshots/ during the run,
/// from arrays.h5 afterwards. Throws an input Error if arrays.h5 cannot be read.
[[nodiscard]] std::vector<std::int64_t> snapshot_steps(const std::filesystem::path& run,
                                                       const store::RunRecord& record);

/// Loads the anchors, and the layers before the retrieval, of the snapshot of `step` into `model`. look()
/// then gives the results of that step; forward() does not, since the forecast head is not stored. Throws an
/// input Error if the snapshot does not exist (listing those that do), has no weights (older version), has
/// other shapes, or is damaged.
void load_snapshot(const std::filesystem::path& run, const store::RunRecord& record, std::int64_t step,
                   model::Forecaster& model);

}  // namespace casp::inspect
