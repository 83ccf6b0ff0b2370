#pragma once
// Runs that were thrown away and can be had back: DIR/.wastebasket/<time>-<batch>-<run>/.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "util/progress.h"

namespace casp::store {

/// A run in the wastebasket.
struct DiscardedRun {
    std::filesystem::path entry;   ///< its folder in the wastebasket
    std::filesystem::path folder;  ///< where it was, absolute
    std::string discarded;         ///< when, ISO 8601 UTC
};

/// The wastebasket of an output folder DIR. Moving is renaming: nothing is copied, whatever its size, and at
/// any moment, also after a kill, a run is either where it was or whole in the wastebasket. Holds no state;
/// any thread, several processes.
class Wastebasket {
public:
    explicit Wastebasket(const std::filesystem::path& dir);

    /// Moves the run folder DIR/<batch>/<run> here (or DIR/<run>, where DIR is itself the folder of a batch);
    /// the batch's folder goes with its last run if nothing else is in it. Input Errors: it is not such a
    /// folder, it is not there, some process writes it right now (who). A run Error where the file system
    /// refuses.
    DiscardedRun discard(const std::filesystem::path& run_folder) const;

    /// What is in it, newest first; what is left of an interrupted emptying is not listed.
    [[nodiscard]] std::vector<DiscardedRun> list() const;

    /// Moves a run back to where it was. An input Error where something stands there by now (it is left
    /// alone), or where the run is no longer in the wastebasket.
    void restore(const DiscardedRun& run) const;

    /// Deletes everything in it for good; returns how many runs. Links are removed, never followed. A run
    /// Error names the first thing that could not be deleted, after all the rest was.
    std::size_t empty(const ProgressFn& progress = {}) const;

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

private:
    std::filesystem::path dir_, folder_;
};

/// The newest run in a wastebasket that was called `run_folder` (DIR/<batch>/<run> or DIR/<run>); nothing
/// where there is none or the wastebasket cannot be read.
[[nodiscard]] std::optional<DiscardedRun> find_in_wastebasket(const std::filesystem::path& run_folder);

}  // namespace casp::store
