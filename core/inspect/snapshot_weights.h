#pragma once
// The weights that a run keeps at its snapshots (run.store_embeddings): with them embeddings of any split,
// channel and number of windows can be computed for moments before the best checkpoint.
// See docs/decisions/0008-embeddings.md.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "model/forecaster.h"
#include "store/run_record.h"

namespace casp::inspect {

/// Steps of the run's history (`record`) at which it kept a snapshot with weights, ascending: in its folder
/// snapshots/ while it goes on, in arrays.h5 afterwards. Input Errors where arrays.h5 cannot be read.
[[nodiscard]] std::vector<std::int64_t> snapshot_steps(const std::filesystem::path& run,
                                                       const store::RunRecord& record);

/// Gives `model` the layers in front of the retrieval, and the anchors, of the snapshot of `step`: look()
/// then sees what it would have seen at that moment; forward() does not, since the forecast head is not kept.
/// Input Errors: no such snapshot (which there are), one without weights (of an older version), of another
/// shape, damaged.
void load_snapshot(const std::filesystem::path& run, const store::RunRecord& record, std::int64_t step,
                   model::Forecaster& model);

}  // namespace casp::inspect
