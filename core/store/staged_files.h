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
    /// kill in between leaves a folder without one, never new arrays beside former numbers. Throws a run
    /// Error where a file cannot be renamed; the former files are then back.
    void commit();

private:
    struct Move {
        std::filesystem::path from, to;
    };
    void put(const std::filesystem::path& from, const std::filesystem::path& to);

    std::filesystem::path run_, staged_;
    std::vector<Move> moves_;
};

}  // namespace casp::store
