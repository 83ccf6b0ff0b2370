#pragma once
// A local folder kept in step with a folder of runs on another machine, over ssh.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "remote/address.h"
#include "remote/run_files.h"
#include "run/fork.h"
#include "store/run_control.h"
#include "util/phrase.h"

namespace casp::remote {

/// State of the connection.
struct MirrorStatus {
    enum class State {
        connecting,
        connected,
        waiting,  ///< lost, or never made; tried again in `retry_seconds`
        stopped   ///< no automatic retry: the user must do something first
    };
    State state = State::connecting;
    std::string folder;  ///< full path there; empty: not known yet
    Phrase problem;      ///< why it is not connected, with advice; or of the folder there. Empty: none
    double retry_seconds = 0;
    std::size_t runs = 0;    ///< in the folder there; 0: not known yet
    std::size_t listed = 0;  ///< received in this connection
    bool complete = false;   ///< the list is in step
};

/// What the mirror has of one file.
struct MirroredFile {
    enum class State {
        unknown,  ///< the run is not followed, or the connection has not said yet
        absent,   ///< there is no such file on the other side
        stale,    ///< it is there, and missing or different here
        fetching,
        current
    };
    State state = State::unknown;
    std::int64_t done = 0, total = 0;  ///< bytes, while it is fetched
    Phrase problem;                    ///< why the last copy failed
};

/// Runs `ssh … caspstudio --serve FOLDER` and keeps <folder>/<batch>/<run>/ in step: run.json, config.toml
/// and marks.json of all runs; run.h5, audit.json and control.json of followed runs, within a second;
/// arrays.h5 and weights on request. A lost connection is made again after 0.5 to 30 seconds, and nothing
/// that was asked for is lost. Thread-safe; a thread of its own does all work and calls the events.
class Mirror {
public:
    struct Events {
        std::function<void(const MirrorStatus& status)> status;
        /// Runs whose listed files, state of running, or existence changed.
        std::function<void(const std::vector<std::string>& runs)> runs;
        /// A file of a followed run was replaced or removed, or its state changed.
        std::function<void(const std::string& run, const std::string& name, const MirroredFile& file)> file;
    };
    using Done = std::function<void(const Phrase& problem)>;  ///< empty: no problem

    /// Copies to `folder`, or beside it if another process does (see folder()). Connects at once. Throws a
    /// run Error if the folder cannot be written.
    Mirror(Address address, const std::filesystem::path& folder, Events events);
    /// Ends the connection, within a second. No event follows.
    ~Mirror();

    [[nodiscard]] const Address& address() const;
    [[nodiscard]] const std::filesystem::path& folder() const;
    /// "<batch>/<run>" of a run folder in the mirror; empty: it is none.
    [[nodiscard]] std::string run_of(const std::filesystem::path& run_folder) const;

    /// Keeps these runs' files in step from now on, and no others'.
    void follow(std::vector<std::string> runs);
    /// Keeps this file in step as well, while the run is followed.
    void request(const std::string& run, const std::string& name);
    [[nodiscard]] MirroredFile file(const std::string& run, const std::string& name) const;

    /// Request to a running run. Sent again after a lost connection, until it is answered.
    void send(const std::string& run, store::RunCommand command, Done done);
    /// Where a fork of the run would begin; its `source` and `damage` are empty.
    void ask_fork_place(const std::string& run,
                        std::function<void(const run::ForkPlace& place, const Phrase& problem)> done);
    /// Trains an experiment on the other side, in its folder. Likewise; started once.
    void start(const std::string& toml, Done done);
    /// Connects now instead of later, also when stopped.
    void connect_now();

private:
    class Work;
    std::unique_ptr<Work> work_;
};

}  // namespace casp::remote
