#pragma once
// What an earlier start left in a run's folder: whether a run begins there, goes on, or is done.

#include <filesystem>

namespace casp::run {

enum class FolderContent {
    empty,      ///< nothing, or a run that only waits in a queue
    complete,   ///< evaluated; would be skipped
    resumable,  ///< unfinished, with a checkpoint
    started     ///< unfinished, without a checkpoint
};

/// Reads run.json and, where that is not there, run.h5: a finished run whose run.json was removed is complete
/// all the same (finished_row() writes it anew). Throws an input Error, since nothing may be started
/// there, where the file that it needs is damaged or of a newer version, or where only weights are left. Any
/// thread.
[[nodiscard]] FolderContent folder_content(const std::filesystem::path& folder);

}  // namespace casp::run
