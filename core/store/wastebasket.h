#pragma once
// Wastebasket for discarded runs: DIR/.wastebasket/<time>-<batch>-<run>/.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace casp::store {

/// A run in the wastebasket.
struct DiscardedRun {
    std::filesystem::path entry;   ///< its folder in the wastebasket
    std::filesystem::path folder;  ///< original folder, absolute
    std::string discarded;         ///< time of discarding, ISO 8601 UTC
};

/// Wastebasket of an output folder DIR. Runs are moved by renaming, without copying: at any time, even after
/// a kill, a run is completely in its original place or in the wastebasket. Stateless; usable from any thread
/// and several processes.
///
/// Links are never followed: a wastebasket, run or batch folder that is a link is rejected with an input
/// Error (list() then returns nothing), and entries that are links are ignored.
class Wastebasket {
public:
    explicit Wastebasket(const std::filesystem::path& dir);

    /// Moves the run folder DIR/<batch>/<run> (or DIR/<run>, if DIR is the folder of a batch) to the
    /// wastebasket. An otherwise empty batch folder is removed. Throws an input Error if the folder is not
    /// such a run, does not exist, or is locked by a process (named in the message), and a run Error if the
    /// file system refuses.
    DiscardedRun discard(const std::filesystem::path& run_folder) const;

    /// Discarded runs, newest first; remains of an interrupted empty() are not listed.
    [[nodiscard]] std::vector<DiscardedRun> list() const;

    /// Moves a run back to its original folder. Throws an input Error if that path exists by now (it is not
    /// touched) or the run is no longer in the wastebasket.
    void restore(const DiscardedRun& run) const;

    /// Permanently deletes all discarded runs and the remains of interrupted moves; returns the number of
    /// runs. Other files in the folder are kept. Throws a run Error that names the first path it could not
    /// delete, after deleting the others.
    std::size_t empty() const;

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_; }

private:
    void refuse_link() const;
    [[nodiscard]] std::filesystem::path place_of(const std::filesystem::path& run) const;
    [[nodiscard]] DiscardedRun new_entry(const std::filesystem::path& run) const;
    [[nodiscard]] std::vector<std::filesystem::path> paths() const;

    std::filesystem::path dir_, folder_;
};

/// Newest run in a wastebasket discarded from `run_folder` (DIR/<batch>/<run> or DIR/<run>); nothing if there
/// is none or the wastebasket cannot be read.
[[nodiscard]] std::optional<DiscardedRun> find_in_wastebasket(const std::filesystem::path& run_folder);

}  // namespace casp::store
