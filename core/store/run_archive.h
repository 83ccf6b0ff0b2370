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

/// Packs a run folder into `destination` (…/name.tar.gz). All files are in one folder named after the run,
/// sorted by name and without owners, so that equal files produce equal archives.
///
/// Links, sockets and other special files are listed in `left_out`; links are never followed. Lock and
/// temporary files are omitted. The run may be running: its files are replaced atomically, so each is
/// complete (log.txt up to its current end), though run.h5 may be newer than best.safetensors. The current
/// checkpoint generation is packed completely, with last/current; its files are opened at the start, so a
/// newer generation may replace it meanwhile. `destination` appears only when complete. Progress in bytes, at
/// most 20 reports per second. Thread-safe.
///
/// Throws Cancelled (checked every 1 MiB), an input Error if the folder is not a run or contains
/// `destination`, and a run Error if a file cannot be read or the archive cannot be written (disk full).
/// inside it; a run Error where a file cannot be read or the archive not be written (disk full).
ArchiveResult write_archive(const std::filesystem::path& run_folder, const std::filesystem::path& destination,
                            const ArchiveOptions& options = {}, const ProgressFn& progress = {},
                            const std::stop_token& stop = {});

}  // namespace casp::store
