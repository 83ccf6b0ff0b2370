#pragma once
// Embeddings of a few validation windows at every snapshot of a run (run.store_embeddings): how anchors,
// series and prompts moved while it trained. See docs/decisions/0008-embeddings.md.

#include <cstdint>
#include <filesystem>
#include <vector>

#include <ATen/core/Tensor.h>

#include "data/windows.h"
#include "model/forecaster.h"
#include "store/run_file.h"

namespace casp::inspect {

/// Takes snapshots of one model while it trains. The windows are the probe's (probe_windows(): about 128
/// rows); with the weights that are kept beside them, any others can be embedded later
/// (train/snapshot_weights.h). The model is as it was afterwards: evaluation mode, no gradients, no random
/// numbers. One thread.
///
/// Each is a file of its own, <run>/snapshots/<step>.safetensors, so that neither a kill nor a resume can
/// damage or lose another one: a resumed run takes those after its checkpoint anew, with the same bits.
class EmbeddingSnapshots {
public:
    /// `rows_per_batch`: rows computed at once. Model and windows must outlive it.
    EmbeddingSnapshots(std::filesystem::path run, model::Forecaster& model, const data::WindowSet& validation,
                       std::int64_t rows_per_batch);

    /// Looks with the present weights and writes the file; does nothing for a model without anchors. Throws a
    /// run Error where it cannot be written.
    void take(std::int64_t step);

    /// Whether there is a snapshot in `run`.
    [[nodiscard]] static bool any(const std::filesystem::path& run);
    /// Whether there is one of that step.
    [[nodiscard]] static bool has(const std::filesystem::path& run, std::int64_t step);
    /// Those of `steps` that are there to /embedding/val/<step>, in the order of `steps`.
    static void gather(const std::filesystem::path& run, const std::vector<std::int64_t>& steps,
                       store::ArraysWriter& arrays);
    /// Removes the files, once they are in arrays.h5 for good. Never throws.
    static void remove(const std::filesystem::path& run) noexcept;

private:
    std::filesystem::path run_;
    model::Forecaster& model_;
    std::vector<std::int64_t> windows_, start_;
    std::int64_t channels_, windows_per_batch_;
    at::Tensor lookback_;  ///< [n, L, M] on the device
};

}  // namespace casp::inspect
