#pragma once
// The local copy of a remote folder of runs.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "remote/run_files.h"
#include "remote/watched_runs.h"

namespace casp::remote {

/// Copies have the time of their original, so that size and time show whether they are in step. Files are
/// replaced whole; they are not flushed to the disk, since they can be copied again. While a run is running
/// there, its copy's `.lock` is held with the text of the original: nothing here writes to it, and lists show
/// it as running. One thread at a time, except for folder() and path().
class MirroredFiles {
public:
    /// Creates the folder and holds it until destruction. If another process holds it, the same with "-2",
    /// "-3", … Throws a run Error if it cannot be created.
    explicit MirroredFiles(const std::filesystem::path& folder);

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::filesystem::path path(const std::string& run) const { return folder_ / run; }

    [[nodiscard]] WatchedRuns::Known known() const;
    [[nodiscard]] Stamp stamp(const std::string& run, std::string_view name) const {
        return files_.stamp(run, name);
    }

    /// Throws a run Error if it cannot be written.
    void write(const std::string& run, std::string_view name, std::string_view bytes, std::int64_t time);
    void set_live(const std::string& run, bool live, const std::string& lock_text);
    /// Neither removes anything of a run that was not copied: one with checkpoints, or one that another
    /// process writes.
    void remove(const std::string& run);
    void remove(const std::string& run, std::string_view name);

    /// A new file that finish_copy() puts in the place of the one of that name. Throws a run Error if it
    /// cannot be written.
    [[nodiscard]] Descriptor create_copy(const std::string& run, std::string_view name);
    /// `time`: of the original. Throws a run Error if it cannot be renamed.
    void finish_copy(const std::string& run, std::string_view name, std::int64_t time);

private:
    [[nodiscard]] std::filesystem::path unfinished(const std::string& run, std::string_view name) const;
    [[nodiscard]] bool is_copy(const std::string& run) const;
    void make_folder(const std::string& run);

    std::filesystem::path folder_;
    Descriptor hold_;
    RunFiles files_;
    std::map<std::string, Descriptor> locks_;
};

}  // namespace casp::remote
