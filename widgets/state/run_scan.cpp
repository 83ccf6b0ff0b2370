#include "state/run_scan.h"

#include <sys/stat.h>

#include <system_error>

#include "store/atomic_file.h"
#include "util/error.h"

namespace casp::widgets {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t runs_per_report = 256;

std::set<std::string> folders_in(const std::string& folder) {
    std::set<std::string> names;
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        const auto name = entry->path().filename().string();
        if (name.starts_with('.')) continue;
        std::error_code ignored;
        if (entry->is_directory(ignored)) names.insert(name);
    }
    return names;
}

/// The value of train.continue_from in a resolved config.toml, without reading all of it as TOML.
std::string parent_in(const fs::path& config) {
    static constexpr std::string_view key = "\ncontinue_from = \"";
    std::string text, value;
    try {
        text = store::read_small_file(config, 1u << 20u);
    } catch (const std::exception&) {
        return {};
    }
    const auto at = text.find(key);
    if (at == std::string::npos) return {};
    for (auto i = at + key.size(); i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) ++i;
        value += text[i];
    }
    return value;
}

bool may_be_written(store::RunState state) {
    return state == store::RunState::queued || state == store::RunState::running;
}

}  // namespace

std::optional<RunScanner::Stamp> RunScanner::stamp_of(const std::string& path) {
    struct ::stat s {};
    if (::stat(path.c_str(), &s) != 0) return std::nullopt;
    return Stamp{s.st_mtim.tv_sec * 1'000'000'000 + s.st_mtim.tv_nsec, s.st_size, s.st_ino};
}

void RunScanner::lose(const std::string& run, std::vector<std::string>& removed) {
    const auto found = runs_.find(run);
    if (found == runs_.end()) return;
    if (found->second.status) removed.push_back(run);
    runs_.erase(found);
}

void RunScanner::list_experiments(std::vector<std::string>& removed) {
    const auto root = folder_.string();
    std::set<std::string> present{root};
    for (const auto& name : folders_in(root)) present.insert((folder_ / name).string());
    for (auto known = experiments_.begin(); known != experiments_.end();) {
        if (present.count(known->first) > 0) {
            ++known;
            continue;
        }
        for (const auto& name : known->second.names) lose((fs::path(known->first) / name).string(), removed);
        known = experiments_.erase(known);
    }
    for (const auto& path : present) experiments_.try_emplace(path);
}

void RunScanner::list_runs(const std::string& experiment, Experiment& known,
                           std::vector<std::string>& removed) {
    auto names = folders_in(experiment);
    const fs::path base(experiment);
    for (const auto& name : known.names)
        if (names.count(name) == 0) lose((base / name).string(), removed);
    for (const auto& name : names) {
        Known run;
        run.batch = base.filename().string();
        runs_.try_emplace((base / name).string(), std::move(run));
    }
    known.names = std::move(names);
}

std::optional<ScannedRun> RunScanner::look_at(const std::string& path, Known& known) const {
    const store::RunFolder folder{fs::path(path)};
    const auto stamp = stamp_of(folder.run_json().string());
    if (!stamp) return std::nullopt;
    const bool live = known.may_be_live && store::RunLock::holder(folder).has_value();
    if (known.status == stamp && known.live == live) return std::nullopt;

    ScannedRun run;
    run.folder = path;
    run.batch = known.batch;
    run.name = fs::path(path).filename().string();
    try {
        const auto status = store::read_run_status(folder);
        if (!status) return std::nullopt;  // gone in this very moment
        run.status = *status;
    } catch (const std::exception& problem) {
        run.status.row.run = run.name;
        run.status.row.state = store::RunState::failed;
        run.status.message = problem.what();
    }
    known.status = stamp;
    known.complete = store::is_complete(run.status.row.state);
    known.may_be_live = may_be_written(run.status.row.state);
    known.live = run.live = known.may_be_live && store::RunLock::holder(folder).has_value();
    run.marks = read_marks(folder.path());
    run.parent = parent_in(folder.config());
    return run;
}

void RunScanner::scan(bool thorough, const std::stop_token& stop,
                      const std::function<void(ScanReport)>& report) {
    ScanReport piece;
    list_experiments(piece.removed);
    for (auto& [path, known] : experiments_) {
        const auto stamp = stamp_of(path);
        if (!thorough && known.stamp == stamp) continue;
        // Before the listing: what changes during it is seen the next time.
        known.stamp = stamp;
        list_runs(path, known, piece.removed);
    }
    piece.total = static_cast<int>(runs_.size());
    for (auto& [path, known] : runs_) {
        if (stop.stop_requested()) return;
        ++piece.done;
        if (!thorough && known.complete) continue;
        const bool was_there = known.status.has_value();
        if (auto run = look_at(path, known)) {
            piece.found.push_back(std::move(*run));
        } else if (was_there && !fs::exists(fs::path(path) / "run.json")) {
            piece.removed.push_back(path);
            known = Known{known.batch};
        }
        if (piece.found.size() < runs_per_report) continue;
        report(piece);
        piece.found.clear();
        piece.removed.clear();
    }
    report(std::move(piece));
}

std::vector<std::string> RunScanner::watched() const {
    std::vector<std::string> folders;
    for (const auto& [path, known] : experiments_) folders.push_back(path);
    return folders;
}

}  // namespace casp::widgets
