#pragma once
// Copies of files in pieces, which survive a lost connection and restart if the file is replaced.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "remote/mirrored_files.h"

namespace casp::remote {

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
        std::function<void(const File& file, const std::string& problem)> failed;
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
    void fail(const File& file, const std::string& problem);

    MirroredFiles& files_;
    const Events events_;
    std::map<File, Fetch> fetches_;
    std::int64_t open_ = 0;  ///< pieces asked for and not received
    std::uint64_t numbers_ = 0, connection_ = 0;
};

}  // namespace casp::remote
