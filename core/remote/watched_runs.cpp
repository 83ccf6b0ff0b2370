#include "remote/watched_runs.h"

#include <set>
#include <utility>

#include "util/error.h"

namespace casp::remote {

namespace {

constexpr std::size_t runs_a_part = 500, bytes_a_part = 8u << 20u;
constexpr std::size_t max_listed_bytes = 1u << 20u;  ///< of one file

}  // namespace

/// A message on its way.
struct WatchedRuns::Part {
    nlohmann::json runs = nlohmann::json::array();
    nlohmann::json removed = nlohmann::json::array();
    std::string body;
    bool complete = false;
};

WatchedRuns::WatchedRuns(std::filesystem::path folder, const RunFiles& files)
    : folder_(std::move(folder)), files_(files), store_(std::in_place, folder_) {}

void WatchedRuns::open(Known known) {
    known_ = std::move(known);
    live_.clear();
    store_.emplace(folder_);
    first_ = true;
}

void WatchedRuns::follow(const std::vector<std::string>& runs) {
    std::map<std::string, std::map<std::string, Stamp>> followed;
    for (const auto& run : runs) {
        const auto before = followed_.find(run);
        followed.emplace(run, before == followed_.end() ? std::map<std::string, Stamp>() : before->second);
    }
    followed_ = std::move(followed);
}

void WatchedRuns::add(Part& part, const std::string& run, bool live) const {
    nlohmann::json entry{{"run", run}, {"live", live}};
    if (live) entry["lock"] = files_.lock_text(run);
    auto& sent = entry["files"] = nlohmann::json::array();
    const auto known = known_.find(run);
    for (std::size_t i = 0; i < listed_files.size(); ++i) {
        const auto had = known == known_.end() ? Stamp() : known->second[i];
        const auto file = files_.open(run, listed_files[i]);
        if (!file || file->stamp.size > static_cast<std::int64_t>(max_listed_bytes)) continue;
        const bool newer_only = listed_files[i] == "marks.json";
        if (newer_only ? file->stamp.time <= had.time : file->stamp == had) continue;
        // A file that is written in place, or cut, while it is read: the next look finds its change.
        auto bytes = read_part(file->file, 0, static_cast<std::size_t>(file->stamp.size));
        sent.push_back({listed_files[i], file->stamp.time, bytes.size()});
        part.body += bytes;
    }
    // That it is no longer running must be said even if no file has changed.
    const auto was = live_.find(run);
    if (!sent.empty() || live || (was != live_.end() && was->second)) part.runs.push_back(std::move(entry));
}

void WatchedRuns::send_part(Part& part, const Send& send) {
    if (part.runs.empty() && part.removed.empty() && !part.complete) return;
    send({{{"push", "runs"},
           {"runs", std::move(part.runs)},
           {"removed", std::move(part.removed)},
           {"total", runs_},
           {"complete", part.complete}},
          std::move(part.body)},
         true);
    part = {};
}

void WatchedRuns::list(const Send& send, const std::stop_token& stop) {
    auto changes = store_->scan({}, stop);
    runs_ = changes.runs;
    Part part;
    std::set<std::string> present;
    const auto take = [&](const store::ScannedRun& found) {
        throw_if_stopped(stop);
        const auto run = found.folder.lexically_relative(store_->dir()).string();
        if (!is_run_name(run) || !files_.has(run)) return;
        if (first_) present.insert(run);
        add(part, run, found.live);
        live_[run] = found.live;
        if (part.runs.size() >= runs_a_part || part.body.size() >= bytes_a_part) send_part(part, send);
    };
    for (const auto& run : changes.added) take(run);
    for (const auto& run : changes.changed) take(run);
    if (first_) {
        for (const auto& [run, stamps] : known_)
            if (present.count(run) == 0) part.removed.push_back(run);
        known_.clear();  // from now on the scanner knows what has changed
    }
    for (const auto& folder : changes.removed) {
        const auto run = folder.lexically_relative(store_->dir()).string();
        live_.erase(run);
        part.removed.push_back(run);
    }
    part.complete = std::exchange(first_, false);
    send_part(part, send);
}

void WatchedRuns::look_at_followed(const Send& send) {
    for (auto& [run, stamps] : followed_) {
        std::map<std::string, Stamp> now;
        const auto look = [&, run = run](std::string_view name) {
            now.emplace(name, files_.stamp(run, name));
        };
        for (const auto name : followed_files) look(name);
        for (const auto name : requested_files) look(name);
        if (now == stamps) continue;
        auto files = nlohmann::json::object();
        for (const auto& [name, stamp] : now) files[name] = {stamp.time, stamp.size};
        stamps = std::move(now);
        send({{{"push", "files"}, {"run", run}, {"files", std::move(files)}}, {}}, false);
    }
}

}  // namespace casp::remote
