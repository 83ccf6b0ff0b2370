#pragma once
// The local copy of a remote folder of runs, and copies of its files in pieces, which survive a lost
// connection and restart if the file is replaced.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "remote/run_files.h"
#include "remote/watched_runs.h"
#include "util/phrase.h"

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

/// All copies under way. The pieces of a file are read in order from one version of it, which its size and
/// time identify at each piece: runs replace their files whole. One thread at a time.
class Fetches {
public:
    using File = std::pair<std::string, std::string>;  ///< run and name
    /// The answer's header and body.
    using Answered = std::function<void(const nlohmann::json&, const std::string&)>;
    struct Events {
        std::function<void(nlohmann::json request, Answered answered)> request;
        std::function<void(const File& file)> arrived;
        std::function<void(const File& file, std::int64_t done, std::int64_t total)> progress;
        /// The file cannot be copied; empty: it no longer exists there.
        std::function<void(const File& file, const Phrase& problem)> failed;
    };

    /// `files` must outlive it.
    Fetches(MirroredFiles& files, Events events) : files_(files), events_(std::move(events)) {}

    /// Starts a copy, or restarts it if the copy under way is of another version.
    void start(const File& file, const Stamp& stamp);
    void cancel(const File& file) { fetches_.erase(file); }
    /// A new connection: what was asked for on the former one is asked for again.
    void connected();

private:
    struct Fetch {
        Stamp stamp;
        Descriptor part;
        std::int64_t asked = 0, written = 0;
        std::uint64_t number = 0;  ///< answers to an earlier start are ignored
    };
    /// Asks for what is missing, up to a number of pieces at a time.
    void advance();
    void ask(const File& file, Fetch& fetch);
    void take(const File& file, Fetch& fetch, const std::string& bytes);
    void finish(const File& file, const Stamp& stamp);
    void fail(const File& file, const Phrase& problem);

    MirroredFiles& files_;
    const Events events_;
    std::map<File, Fetch> fetches_;
    std::int64_t open_ = 0;  ///< pieces asked for and not received
    std::uint64_t numbers_ = 0, connection_ = 0;
};

}  // namespace casp::remote
