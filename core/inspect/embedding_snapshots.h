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

namespace casp::inspect {

/// Takes snapshots of a model during training. The windows are those of probe_windows() (about 128 rows);
/// other windows can be embedded later with the stored weights (inspect/snapshot_weights.h). The model is
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

}  // namespace casp::inspect
