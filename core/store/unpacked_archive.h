#pragma once
// Files of an archive (.tar.gz) of unknown origin, in a temporary folder.

#include <cstdint>
#include <filesystem>
#include <stop_token>

#include "util/progress.h"

namespace casp::store {

struct UnpackLimits {
    std::int64_t bytes = 0;  ///< of all files together; 0: the free space of the temporary folder
    std::int64_t files = 1'000'000;
};

/// Unpacks an archive (run_archive.h, or any tar file, compressed with gzip or not) into a new folder that
/// only this user can read, in $TMPDIR, else /tmp. The destructor removes it.
///
/// Only files and folders below it are written: an archive with an absolute path, "..", a link, a special
/// file or two files of one path is rejected, as is one beyond `limits`. Owners, modes and times are ignored.
///
/// Progress in bytes of the archive. Throws Cancelled, an input Error that names the archive and the path in
/// it (damaged or truncated archives included), and a run Error if the temporary folder cannot be written.
class UnpackedArchive {
public:
    explicit UnpackedArchive(const std::filesystem::path& archive, const ProgressFn& progress = {},
                             const std::stop_token& stop = {}, const UnpackLimits& limits = {});
    UnpackedArchive(const UnpackedArchive&) = delete;
    UnpackedArchive& operator=(const UnpackedArchive&) = delete;
    ~UnpackedArchive();

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

private:
    std::filesystem::path folder_;
};

}  // namespace casp::store
