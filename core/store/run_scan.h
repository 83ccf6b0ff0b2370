#pragma once
// Scanner for the runs in an output folder and their changes.

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

/// Summary of a run, for lists.
struct ScannedRun {
    std::filesystem::path folder;  ///< absolute
    std::string batch;             ///< name of the folder above
    std::string name;
    RunStatus status;  ///< row.run is `name` if run.json could not be read
    RunMarks marks;
    /// RunStatus::created; if run.json could not be read, when the folder was created. ISO 8601 UTC; empty:
    /// unknown
    std::string created;
    std::string
        parent;  ///< run folder of the run this one was forked from (train.continue_from); empty: not a fork
    /// Settings besides data, horizon and model in which validation errors that are compared must agree, as
    /// lines of config.toml without those of default value: the task's, and the budget of training (epochs,
    /// steps, percentage of the training rows). Empty without config.toml.
    std::string terms;
    bool live = false;    ///< a process holds its lock
    std::string problem;  ///< why run.json or marks.json could not be read; empty: no error
};

/// Result of a scan.
struct ScanChanges {
    std::vector<ScannedRun> added;    ///< sorted by folder
    std::vector<ScannedRun> changed;  ///< complete entries, sorted by folder
    std::vector<std::filesystem::path> removed;
    std::size_t runs = 0;  ///< current number of runs
};

/// Repeated scan of DIR/<batch>/<run>/run.json, and of DIR/<run>/run.json if DIR is the folder of a batch.
/// Folders whose names begin with a dot are ignored.
///
/// The first scan reads all runs on a few threads (10,000 runs: less than a second); later ones read only
/// those whose run.json, marks.json or lock changed (size, time, inode), in tens of milliseconds. Scanning
/// writes nothing, and unreadable folders are not errors. One thread at a time, typically a worker.
class RunScanner {
public:
    /// threads = 0: one per hardware thread, at most 8.
    explicit RunScanner(const std::filesystem::path& dir, int threads = 0);

    /// Changes since the previous call; the first call reports every run as `added`. Throws Cancelled on a
    /// stop request (the next call then reports all changes) and an input Error if DIR cannot be read.
    /// `progress` is called on several threads, one at a time, about every 200 runs.
    [[nodiscard]] ScanChanges scan(const ProgressFn& progress = {}, const std::stop_token& stop = {});

    [[nodiscard]] const std::filesystem::path& dir() const noexcept { return dir_; }

private:
    /// Identity of a file's content.
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

/// Reads one run. Errors in its files are reported in the result, not thrown.
[[nodiscard]] ScannedRun scan_run(const std::filesystem::path& folder);

/// `train.continue_from` of a run's config.toml as an absolute path. If that does not exist but the same
/// <batch>/<run> does beside this run's batch (the output folder was moved), that path. Empty: not a fork.
[[nodiscard]] std::string parent_of(const std::filesystem::path& run_folder);

}  // namespace casp::store
