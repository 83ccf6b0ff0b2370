#pragma once
// Embedding snapshots stored during training: snapshots/<step>.safetensors (docs/run-file.md).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "store/embeddings.h"

namespace casp::store {

[[nodiscard]] std::filesystem::path snapshots_folder(const std::filesystem::path& run);

/// Step in a set's name under /embedding ("120"); nothing for a word ("best").
[[nodiscard]] std::optional<std::int64_t> step_of(std::string_view moment);

/// Path of the snapshot of one step; the file need not exist.
[[nodiscard]] std::filesystem::path snapshot_file(const std::filesystem::path& run, std::int64_t step);

/// Content of a snapshot: anchors, series, prompts, their windows and channels, and the weights that
/// embeddings depend on (absent in older files). Throws an input Error if the file cannot be read or is not a
/// snapshot.
[[nodiscard]] Embeddings read_snapshot(const std::filesystem::path& file);

/// Writes anchors, series, prompts, their windows and channels, and the tensors. Atomic. Throws a run Error
/// if the file cannot be written.
void write_snapshot(const std::filesystem::path& file, const Embeddings& snapshot);

/// Whether the file contains weights, according to its header. Throws input Errors as read_snapshot().
[[nodiscard]] bool snapshot_has_weights(const std::filesystem::path& file);

}  // namespace casp::store
