#pragma once
// Runs that were thrown away and can be had back: DIR/.wastebasket/<time>-<batch>-<run>/.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
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

/// What became of several runs. Those that a stop came before are in neither list: they are where they were.
struct MovedRuns {
    struct Failure {
        std::filesystem::path folder;  ///< as it was given
        std::string why;               ///< an Error's words
    };
    std::vector<std::filesystem::path> moved;  ///< as they were given
    std::vector<Failure> failed;
};

/// The wastebasket of an output folder DIR. Moving is renaming: nothing is copied, whatever its size, and at
/// any moment, also after a kill, a run is either where it was or whole in the wastebasket. Holds no state;
/// any thread, several processes.
///
/// Links are never followed: a wastebasket that is one is refused with an input Error (and lists nothing),
/// and so is a run or its batch; an entry that is one is none.
class Wastebasket {
public:
    explicit Wastebasket(const std::filesystem::path& dir);

    /// Moves the run folder DIR/<batch>/<run> here (or DIR/<run>, where DIR is itself the folder of a batch);
    /// the batch's folder goes with its last run if nothing else is in it. Input Errors: it is not such a
    /// folder, it is not there, some process writes it right now (who). A run Error where the file system
    /// refuses.
    DiscardedRun discard(const std::filesystem::path& run_folder) const;

    /// discard() of many runs that flushes the disk a few times in all, not a few times for each. Does not
    /// throw: what is refused is told with its reason, and the others are moved. A stop is heeded between two
    /// runs.
    [[nodiscard]] MovedRuns discard_all(std::span<const std::filesystem::path> run_folders,
                                        const ProgressFn& progress = {},
                                        const std::stop_token& stop = {}) const;

    /// What is in it, newest first; what is left of an interrupted emptying is not listed.
    [[nodiscard]] std::vector<DiscardedRun> list() const;

    /// Moves a run back to where it was. An input Error where something stands there by now (it is left
    /// alone), or where the run is no longer in the wastebasket.
    void restore(const DiscardedRun& run) const;

    /// restore() of the newest run that was called so, for many: the wastebasket is read once, whatever their
    /// number. Throws nothing and heeds a stop as discard_all().
    [[nodiscard]] MovedRuns restore_all(std::span<const std::filesystem::path> run_folders,
                                        const ProgressFn& progress = {},
                                        const std::stop_token& stop = {}) const;

    /// Deletes for good every run in it and what is left of interrupted moves; returns how many runs. What
    /// discard() did not put there stays. A run Error names the first thing that could not be deleted, after
    /// all the rest was.
    std::size_t empty(const ProgressFn& progress = {}) const;

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

private:
    void refuse_link() const;
    [[nodiscard]] std::filesystem::path place_of(const std::filesystem::path& run) const;
    [[nodiscard]] DiscardedRun new_entry(const std::filesystem::path& run) const;
    void move_in(const DiscardedRun& run) const;
    void move_back(const DiscardedRun& run) const;
    [[nodiscard]] std::vector<std::filesystem::path> paths() const;

    std::filesystem::path dir_, folder_;
};

/// The newest run in a wastebasket that was called `run_folder` (DIR/<batch>/<run> or DIR/<run>); nothing
/// where there is none or the wastebasket cannot be read.
[[nodiscard]] std::optional<DiscardedRun> find_in_wastebasket(const std::filesystem::path& run_folder);

}  // namespace casp::store
