#pragma once
// Embedding snapshots during training (run.store_embeddings): anchors, series and prompts of a few validation
// windows over time. See docs/decisions/0008-embeddings.md.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "data/windows.h"
#include "inspect/probe.h"
#include "model/forecaster.h"
#include "store/run_file.h"
#include "store/run_record.h"

namespace casp::inspect {

/// Takes snapshots of a model during training. The windows are those of probe_windows() (about 128 rows);
/// other windows can be embedded later with the stored weights (load_snapshot()). The model is
/// used in evaluation mode without gradients and random numbers, and restored afterwards. One thread.
///
/// Each snapshot is a separate file, <run>/snapshots/<step>.safetensors, so that a kill or resume cannot
/// damage earlier ones. A resumed run repeats snapshots after its checkpoint, bit for bit.
class EmbeddingSnapshots {
public:
    /// `rows_per_batch`: rows computed at once. `model` and `validation` must outlive this object.
    EmbeddingSnapshots(std::filesystem::path run, model::Forecaster& model, const data::WindowSet& validation,
                       std::int64_t rows_per_batch);

    /// Computes a snapshot with the current weights and writes its file; no effect for a model without
    /// anchors. Throws a run Error if the file cannot be written.
    void take(std::int64_t step);

    /// Whether `run` has any snapshot file.
    [[nodiscard]] static bool any(const std::filesystem::path& run);
    /// Whether `run` has a snapshot file of that step.
    [[nodiscard]] static bool has(const std::filesystem::path& run, std::int64_t step);
    /// Copies the existing snapshots of `steps`, in that order, to /embedding/val/<step>.
    static void gather(const std::filesystem::path& run, const std::vector<std::int64_t>& steps,
                       store::ArraysWriter& arrays);
    /// Removes the files after they were copied to arrays.h5. Never throws.
    static void remove(const std::filesystem::path& run) noexcept;

private:
    std::filesystem::path run_;
    model::Forecaster& model_;
    ProbeInput input_;
};

// Weights stored with snapshots (run.store_embeddings), for embeddings of any split, channels and windows at
// earlier training steps. See docs/decisions/0008-embeddings.md.

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
