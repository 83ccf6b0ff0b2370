#pragma once
// The runs in a folder: which there are, what their files show, and how they change.

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include "config/config.h"
#include "store/run_folder.h"
#include "store/run_marks.h"
#include "util/phrase.h"
#include "util/progress.h"

namespace casp::store {

/// A run as its files show it.
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
    bool live = false;          ///< a process holds its lock
    Phrase problem;             ///< why run.json or marks.json could not be read; empty: no error
    std::uint64_t version = 0;  ///< of what a RunStore knows of it (RunStore::is_newest)
};

/// Result of a scan.
struct ScanChanges {
    std::vector<ScannedRun> added;               ///< sorted by folder
    std::vector<ScannedRun> changed;             ///< complete entries, sorted by folder
    std::vector<std::filesystem::path> removed;  ///< sorted
    std::vector<std::filesystem::path> omitted;  ///< new, but outdated or read by others during the scan
    std::size_t runs = 0;                        ///< current number of runs
};

/// The runs of an output folder: DIR/<batch>/<run>/run.json, and DIR/<run>/run.json if DIR is the folder of a
/// batch, and their changes. Folders whose names begin with a dot are ignored.
///
/// The first scan reads all runs on a few threads (10,000 runs: less than a second); later ones read only
/// those whose run.json, marks.json or lock changed (size, time, inode), in tens of milliseconds. Scanning
/// writes nothing, and unreadable folders are not errors. What was read is returned, not kept; the store
/// knows which reading of a run is the newest, whichever of several threads finishes first. Any thread, but
/// one scan of the folder at a time.
class RunStore {
public:
    /// threads = 0: one per hardware thread, at most 8.
    explicit RunStore(const std::filesystem::path& dir, int threads = 0);

    /// Changes since the previous call; the first call reports every run as `added`. Runs of which something
    /// newer became known meanwhile are omitted: the next call looks at them again. Throws Cancelled on a
    /// stop request (the next call then reports all changes) and an input Error if DIR cannot be read.
    /// `progress` is called on several threads, one at a time, about every 200 runs.
    [[nodiscard]] ScanChanges scan(const ProgressFn& progress = {}, const std::stop_token& stop = {});
    /// Reads these runs now, changed or not, and again if outdated meanwhile; folders without run.json are
    /// omitted. From then on scan() reports their changes.
    [[nodiscard]] std::vector<ScannedRun> scan(const std::vector<std::filesystem::path>& run_folders);

    /// Whether nothing newer than this reading is known of the run, and it is there.
    [[nodiscard]] bool is_newest(const ScannedRun& run) const;
    /// Whether the run was there at the last look, or is to be looked for (outdate).
    [[nodiscard]] bool has(const std::filesystem::path& run_folder) const;
    /// This process has written, moved or removed files of the run: readings that began before do not count,
    /// and the next scan reads it.
    void outdate(const std::filesystem::path& run_folder);
    /// Grows with everything that becomes known.
    [[nodiscard]] std::uint64_t version() const;

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
    struct Known {
        Seen seen;
        std::uint64_t version = 0;
        std::uint64_t scan = 0;  ///< the last that found it
    };
    static Stamp stamp_of(const std::filesystem::path& file);
    static Seen look(const std::filesystem::path& folder);
    [[nodiscard]] std::optional<Known> known(const std::filesystem::path& folder) const;

    std::filesystem::path dir_;
    int threads_;
    mutable std::mutex mutex_;
    std::uint64_t version_ = 0, scans_ = 0;
    std::unordered_map<std::string, Known> known_;  ///< by folder
};

/// Folders that may be runs of an output folder, sorted: those of RunStore, with or without a run.json.
/// Throws an input Error if DIR cannot be read, and Cancelled.
[[nodiscard]] std::vector<std::filesystem::path> run_folders(const std::filesystem::path& dir,
                                                             const std::stop_token& stop = {});

/// Reads one run. Errors in its files are reported in the result, not thrown.
[[nodiscard]] ScannedRun scan_run(const std::filesystem::path& folder);

/// `train.continue_from` of a run's config.toml as an absolute path. If that does not exist but the same
/// <batch>/<run> does beside this run's batch (the output folder was moved), that path. Empty: not a fork.
[[nodiscard]] std::string parent_of(const std::filesystem::path& run_folder);

/// The settings of a run: its config.toml. Throws an input Error if it cannot be read.
[[nodiscard]] config::Config read_settings(const RunFolder& run);

/// Whether the folder is a run's: it has a run.json or, if that is lost, a run.h5.
[[nodiscard]] bool is_run(const std::filesystem::path& folder);

/// Number of levels below a folder in which find_runs() searches: DIR/<run> is the first.
inline constexpr int levels_searched = 4;

/// Runs directly in an experiment's folder that have a run.json: those of its tables. Sorted by creation: the
/// time at which they were first queued, as they have recorded it, which is the order of the sweep (names
/// sort 10 before 2). Errors in a run's files are reported in ScannedRun::problem. Throws an input Error if
/// the folder cannot be read.
[[nodiscard]] std::vector<ScannedRun> runs_in(const std::filesystem::path& experiment);

/// Runs in and below the folder (is_run), sorted by creation, and the runs of batches beside a batch that its
/// results.csv lists. The folder may itself be a run. Hidden folders are ignored; a link may lead to a run or
/// a batch. Errors in a run's files are reported in ScannedRun::problem. Throws an input Error if the folder
/// cannot be read, and Cancelled.
[[nodiscard]] std::vector<ScannedRun> find_runs(const std::filesystem::path& folder,
                                                const std::stop_token& stop = {});

}  // namespace casp::store
