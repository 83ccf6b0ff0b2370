#pragma once
// A run as one file to send or to keep: NAME.tar.gz.

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "util/progress.h"

namespace casp::store {

struct ArchiveOptions {
    bool weights = true;     ///< best.safetensors, initial.safetensors and last/model.safetensors
    bool checkpoint = true;  ///< last/gen-…, which a run that is not finished cannot go on without
};

struct ArchiveResult {
    std::int64_t files = 0;
    std::int64_t bytes = 0;          ///< of the files, before compression
    std::int64_t archive_bytes = 0;  ///< of the archive
    std::vector<std::string>
        left_out;  ///< by path in the run: links and other things that are no plain files, and what went or
                   ///< could not be looked into while it was packed
};

/// Bytes that write_archive() would pack; for a form that says how large it gets.
[[nodiscard]] std::int64_t archive_input_bytes(const std::filesystem::path& run_folder,
                                               const ArchiveOptions& options = {});

/// Packs a run folder into `destination` (…/name.tar.gz). Everything in it lies below one folder named like
/// the run; names sorted, owners left out, so that the same files give the same bytes.
///
/// Links are never followed, whatever they lead to, and are named in `left_out`; so are sockets and the like.
/// Lock and temporary files are not packed. The run may be going on: files are replaced whole, so each is
/// complete (log.txt as far as it was), though run.h5 may be newer than best.safetensors. Of the checkpoint
/// the generation that counts is packed, whole, and the pointer to it: its files are held open from the
/// beginning, so that it does not matter if the next one takes its place meanwhile. `destination`
/// appears only when complete. Progress in bytes, at most 20 times per second. Any thread.
///
/// Errors: Cancelled within a piece of 1 MiB; an input Error for a folder that is no run, or a destination
/// inside it; a run Error where a file cannot be read or the archive not be written (disk full).
ArchiveResult write_archive(const std::filesystem::path& run_folder, const std::filesystem::path& destination,
                            const ArchiveOptions& options = {}, const ProgressFn& progress = {},
                            const std::stop_token& stop = {});

}  // namespace casp::store
