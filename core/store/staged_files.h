#pragma once
// Files of a run folder that are made anew while the former ones stay, and take their place together.

#include <filesystem>
#include <vector>

#include "store/run_folder.h"

namespace casp::store {

/// A folder within a run's folder for the new files. Destruction removes it, and with it what was not
/// committed; after a kill the next RunLock does. Only for who holds the run's lock. One thread.
class StagedFiles {
public:
    /// Throws a run Error where the folder cannot be made.
    explicit StagedFiles(const RunFolder& run);
    StagedFiles(const StagedFiles&) = delete;
    StagedFiles& operator=(const StagedFiles&) = delete;
    ~StagedFiles();

    /// Write complete, flushed files here, under their final names.
    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return staged_; }

    /// Replaces the run's config.toml, arrays.h5, run.h5 and run.json by what was staged; those that were not
    /// are removed. Renames only: it takes a moment and no room. run.json goes first and comes last, so a
    /// kill in between leaves a folder without one, never new arrays beside former numbers.
    ///
    /// The folder's own rename to `.replacing` decides: a kill or a power cut before it leaves the former
    /// files, one after it lets the next RunLock finish what was begun (finish_replacing()). Throws a run
    /// Error where a file cannot be renamed; the former files are then back, or, where nothing can be renamed
    /// any more, the next RunLock puts the new ones in place.
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

/// Whether a commit was begun in this folder and not ended: by a process that was killed, or at this moment.
[[nodiscard]] bool is_replacing(const RunFolder& run);

/// Ends a commit that a kill interrupted, with all of the new files in place; may itself be interrupted and
/// repeated. Only for who holds the run's lock, which RunLock does for everybody. Throws a run Error where a
/// file cannot be put in its place; an input Error where `.replacing` is a link.
void finish_replacing(const RunFolder& run);

}  // namespace casp::store
