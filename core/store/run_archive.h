#pragma once
// Packing of a run into one archive file, NAME.tar.gz.

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "util/progress.h"

namespace casp::store {

struct ArchiveOptions {
    bool weights = true;     ///< best.safetensors, initial.safetensors and last/model.safetensors
    bool checkpoint = true;  ///< last/gen-…, required to resume an unfinished run
};

struct ArchiveResult {
    std::int64_t files = 0;
    std::int64_t bytes = 0;             ///< of the files, before compression
    std::int64_t archive_bytes = 0;     ///< of the archive
    std::vector<std::string> left_out;  ///< paths in the run: links and special files, and files that
                                        ///< vanished or could not be read
};

/// Total size of the files that write_archive() would pack, in bytes; for display beforehand.
[[nodiscard]] std::int64_t archive_input_bytes(const std::filesystem::path& run_folder,
                                               const ArchiveOptions& options = {});

/// Packs a run folder into `destination` (…/name.tar.gz), which appears only when complete. Equal files give
/// equal archives: one folder named after the run, files sorted by name, no owners.
///
/// Links are never followed; `left_out` lists them and other special files. Lock and temporary files are
/// omitted. The run may be running: each file is complete (log.txt up to its current end) and the checkpoint
/// is consistent, but run.h5 may be newer than best.safetensors.
///
/// Thread-safe. Progress in bytes, at most 20 reports per second. Throws Cancelled (checked every 1 MiB), an
/// input Error if the folder is not a run or contains `destination`, and a run Error if a file cannot be read
/// or the archive cannot be written.
ArchiveResult write_archive(const std::filesystem::path& run_folder, const std::filesystem::path& destination,
                            const ArchiveOptions& options = {}, const ProgressFn& progress = {},
                            const std::stop_token& stop = {});

}  // namespace casp::store
