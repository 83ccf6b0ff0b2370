#pragma once
// All runs below an output folder, and what changed since one looked last.

#include <cstdint>
#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "store/run_folder.h"
#include "store/run_marks.h"
#include "util/progress.h"

namespace casp::store {

/// A run as a list shows it.
struct ScannedRun {
    std::filesystem::path folder;  ///< absolute
    std::string batch;             ///< name of the folder above
    std::string name;
    RunStatus status;  ///< row.run is `name` where run.json could not be read
    RunMarks marks;
    std::string created;  ///< ISO 8601 UTC with milliseconds, when the folder was made; empty: not known
    std::string parent;   ///< run folder of which it is a fork (train.continue_from); empty: none
    bool live = false;    ///< some process holds its lock
    std::string problem;  ///< why run.json or marks.json could not be read; empty: they could
};

/// What a look at the files brought.
struct ScanChanges {
    std::vector<ScannedRun> added;    ///< by folder
    std::vector<ScannedRun> changed;  ///< whole, by folder
    std::vector<std::filesystem::path> removed;
    std::size_t runs = 0;  ///< all there are now
};

/// Looks at DIR/<batch>/<run>/run.json again and again, and at DIR/<run>/run.json, where DIR is itself the
/// folder of a batch. Folders whose name begins with a dot are left out.
///
/// The first look reads all of them on a few threads (10,000 runs: below a second), later ones only those
/// whose run.json, marks.json or lock changed (size, time, inode): some tens of milliseconds. Nothing is ever
/// written, and a folder that cannot be read is no failure. One thread at a time; for a worker.
class RunScanner {
public:
    /// threads = 0: as many as the machine has, at most 8.
    explicit RunScanner(const std::filesystem::path& dir, int threads = 0);

    /// What changed since the last call; at the first, everything is `added`. Throws Cancelled on a stop
    /// request (the next call then tells everything that this one would have told) and an input Error where
    /// DIR itself cannot be read. `progress` comes from several threads, one at a time, about every 200 runs.
    [[nodiscard]] ScanChanges scan(const ProgressFn& progress = {}, const std::stop_token& stop = {});

    [[nodiscard]] const std::filesystem::path& dir() const noexcept { return dir_; }

private:
    /// What tells that a file was replaced.
    struct Stamp {
        std::int64_t time = 0, size = -1;
        std::uint64_t inode = 0;
        bool operator==(const Stamp&) const = default;
    };
    struct Seen {
        Stamp status, marks;
        bool live = false;
        bool operator==(const Seen&) const = default;
    };
    static Stamp stamp_of(const std::filesystem::path& file);
    static Seen look(const std::filesystem::path& folder);
    [[nodiscard]] std::vector<std::filesystem::path> folders(const std::stop_token& stop) const;

    std::filesystem::path dir_;
    int threads_;
    std::map<std::filesystem::path, Seen> seen_;
};

/// One run, read now. Never throws for what is in the files.
[[nodiscard]] ScannedRun scan_run(const std::filesystem::path& folder);

/// `train.continue_from` of a run's config.toml, as an absolute path; where that is not there but the same
/// <batch>/<run> stands beside this run's batch (the output folder was moved), that one. Empty: no fork.
[[nodiscard]] std::string parent_of(const std::filesystem::path& run_folder);

}  // namespace casp::store
