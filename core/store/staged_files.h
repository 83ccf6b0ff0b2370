#pragma once
// Joint replacement of several files of a run folder.

#include <filesystem>
#include <vector>

#include "store/run_folder.h"
#include "util/new_folders.h"

namespace casp::store {

/// A run's folder, created where it is missing and locked. One that was created and has no files in the end,
/// because of a failure or a cancellation, is removed again with its parents.
class LockedFolder {
public:
    /// Throws as NewFolders and RunLock do.
    explicit LockedFolder(const RunFolder& run);
    ~LockedFolder();

private:
    RunFolder run_;
    bool is_new_;
    NewFolders made_;
    RunLock lock_;
};

/// Temporary folder, within a run's folder, for the new files. Destruction removes it with everything not
/// committed; after a kill, the next RunLock does. The caller holds the run's lock. One thread.
class StagedFiles {
public:
    /// Throws a run Error if the folder cannot be created.
    explicit StagedFiles(const RunFolder& run);
    StagedFiles(const StagedFiles&) = delete;
    StagedFiles& operator=(const StagedFiles&) = delete;
    ~StagedFiles();

    /// Folder for complete, flushed files under their final names.
    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return staged_; }

    /// Replaces the run's config.toml, audit.json, arrays.h5, run.h5 and run.json by the staged files and
    /// removes those that were not staged. Uses renames only: fast, and without disk space. run.json is
    /// removed first and added last, so that new arrays never appear with old numbers.
    ///
    /// The rename of the folder to `.replacing` is the commit point. Interrupted before it, the previous
    /// files remain; after it, the next RunLock completes the replacement (finish_replacing()). Throws a run
    /// Error if a file cannot be renamed; the previous files are then restored, or else completed likewise.
    void commit();

private:
    struct Move {
        std::filesystem::path from, to;
    };
    void prepare() const;
    void put(const std::filesystem::path& from, const std::filesystem::path& to);
    void undo() noexcept;

    std::filesystem::path run_, staged_, replacing_;
    std::vector<Move> moves_;
};

/// Whether a commit in this folder has begun and not ended (in progress, or interrupted by a kill).
[[nodiscard]] bool is_replacing(const RunFolder& run);

/// Completes an interrupted commit; can itself be interrupted and repeated. Called by RunLock; the caller
/// holds the run's lock. Throws a run Error if a file cannot be moved into place, and an input Error if
/// `.replacing` is a link.
void finish_replacing(const RunFolder& run);

}  // namespace casp::store
