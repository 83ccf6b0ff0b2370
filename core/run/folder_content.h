#pragma once
// State of a run's folder before a start: empty, complete, resumable or started.

#include <filesystem>

namespace casp::run {

enum class FolderContent {
    empty,      ///< nothing, or a run that is only queued
    complete,   ///< evaluated; will be skipped
    resumable,  ///< unfinished, with a checkpoint
    started     ///< unfinished, without a checkpoint
};

/// Reads run.json and, if that is missing, run.h5: a finished run without run.json still counts as complete
/// (finished_row() rewrites it). Throws an input Error if a needed file is damaged or of a newer version, or
/// if only weights are left, since nothing may be started there. Thread-safe.
[[nodiscard]] FolderContent folder_content(const std::filesystem::path& folder);

}  // namespace casp::run
