#pragma once
// Runs, batches and folders of batches as one archive file, NAME.tar.gz: packing, and unpacking of archives
// of unknown origin.

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
    std::int64_t runs = 0;
    std::int64_t files = 0;
    std::int64_t bytes = 0;             ///< of the files, before compression
    std::int64_t archive_bytes = 0;     ///< of the archive
    std::vector<std::string> left_out;  ///< paths in the archive: links and special files, and files that
                                        ///< vanished
};

/// Packs a folder into `destination` (…/name.tar.gz), which appears only when complete: a run; a batch, with
/// everything in it (tables, figures) except hidden files; or a folder of batches, of which only the batches
/// are packed. Runs of batches beside the folder that its tables list ("../other/run") are packed beside it,
/// so that the tables still name them after unpacking. Equal files give equal archives: one folder of the
/// same name, sorted, no owners.
///
/// Links are never followed; `left_out` lists them and other special files. Lock and temporary files are
/// omitted. Runs may be running: each file is complete (log.txt up to its current end), and run.json is not
/// newer than the others, but their checkpoint is omitted, run.h5 may be newer than best.safetensors, and the
/// tables older than run.json.
///
/// Thread-safe. Progress in bytes. Throws Cancelled (checked every 1 MiB), an input Error if the folder has
/// no run or contains `destination`, and a run Error if a file cannot be read or the archive cannot be
/// written.
ArchiveResult write_archive(const std::filesystem::path& folder, const std::filesystem::path& destination,
                            const ArchiveOptions& options = {}, const ProgressFn& progress = {},
                            const std::stop_token& stop = {});

/// The files of an archive in a new folder that only this user can read, in $TMPDIR, else /tmp.
class UnpackedArchive {
public:
    /// Unpacks what write_archive() wrote, or any tar file, compressed with gzip or not.
    ///
    /// Only files and folders below the folder are written: an archive with an absolute path, "..", a link, a
    /// special file or two files of one path is rejected. Owners, modes and times are ignored.
    ///
    /// Progress in bytes of the archive. Throws Cancelled, an input Error that names the archive and the path
    /// in it (damaged or truncated archives included), and a run Error if the folder cannot be written.
    explicit UnpackedArchive(const std::filesystem::path& archive, const ProgressFn& progress = {},
                             const std::stop_token& stop = {});
    UnpackedArchive(const UnpackedArchive&) = delete;
    UnpackedArchive& operator=(const UnpackedArchive&) = delete;
    /// Removes the folder.
    ~UnpackedArchive();

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

private:
    std::filesystem::path folder_;
};

}  // namespace casp::store
