#pragma once
// Looks through an output folder for runs and for what has changed in them. No Qt; one thread at a time.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "state/run_files.h"
#include "store/run_folder.h"

namespace casp::widgets {

/// A run that is new or has changed.
struct ScannedRun {
    std::string folder;  ///< absolute
    std::string batch, name;
    store::RunStatus status;
    bool live = false;   ///< some process holds its lock
    RunMarks marks;      ///< as the file has them now
    std::string parent;  ///< train.continue_from; empty: none
};

struct ScanReport {
    std::vector<ScannedRun> found;
    std::vector<std::string> removed;  ///< run folders
    int done = 0, total = 0;           ///< runs looked at
};

/// Knows what it saw the last time, so that a look at 10,000 unchanged runs costs a few stat() calls.
///
/// Runs are DIR/<experiment>/<run> with a run.json, and DIR/<run> where DIR is itself an experiment's folder.
/// Names that begin with a dot are left out.
class RunScanner {
public:
    explicit RunScanner(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Reports, in pieces, what is new since the last call. `thorough`: each run.json is looked at; else only
    /// those of runs that are not complete, and folders whose list of names has changed. Never throws for a
    /// damaged run.json: such a run is reported as failed, with the reason as its message.
    void scan(bool thorough, const std::stop_token& stop, const std::function<void(ScanReport)>& report);

    /// The caller has dropped this run: it is reported as new when it is seen again.
    void forget(const std::string& run) { runs_.erase(run); }

    /// Folders to watch: DIR and its experiments.
    [[nodiscard]] std::vector<std::string> watched() const;

private:
    struct Stamp {
        std::int64_t time = 0, size = 0;
        std::uint64_t node = 0;
        bool operator==(const Stamp&) const = default;
    };
    struct Known {
        std::string batch{};
        std::optional<Stamp> status{};  ///< of run.json; none: there is none yet
        bool complete = false;          ///< will not change any more
        bool may_be_live = false;       ///< its state says that it waits or goes on
        bool live = false;
    };
    struct Experiment {
        std::optional<Stamp> stamp;
        std::set<std::string> names;
    };

    [[nodiscard]] static std::optional<Stamp> stamp_of(const std::string& path);
    void list_experiments(std::vector<std::string>& removed);
    void list_runs(const std::string& experiment, Experiment& known, std::vector<std::string>& removed);
    [[nodiscard]] std::optional<ScannedRun> look_at(const std::string& run, Known& known) const;
    void lose(const std::string& run, std::vector<std::string>& removed);

    std::filesystem::path folder_;
    std::map<std::string, Experiment> experiments_;
    std::map<std::string, Known> runs_;
};

}  // namespace casp::widgets
