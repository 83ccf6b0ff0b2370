#pragma once
// Embeddings that a run keeps while it trains: snapshots/<step>.safetensors (docs/run-file.md).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "store/run_record.h"

namespace casp::store {

[[nodiscard]] std::filesystem::path snapshots_folder(const std::filesystem::path& run);

/// The step that a moment under /embedding is named by ("120"); nothing for a word ("best").
[[nodiscard]] std::optional<std::int64_t> step_of(std::string_view moment);

/// Of one step. Says nothing about whether it is there.
[[nodiscard]] std::filesystem::path snapshot_file(const std::filesystem::path& run, std::int64_t step);

/// What such a file holds: anchors, series, prompts, of which windows and channels they are, and the weights
/// of that moment that embeddings depend on (older files
/// have none). Throws an
/// input Error where it cannot be read or is none of that kind.
[[nodiscard]] EmbeddingArrays read_snapshot(const std::filesystem::path& file);

/// Whether such weights are in it, by its header alone. Input Errors likewise.
[[nodiscard]] bool snapshot_has_weights(const std::filesystem::path& file);

}  // namespace casp::store
