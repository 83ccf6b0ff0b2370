#include "store/run_scan.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "config/experiment.h"
#include "config/options.h"
#include "store/atomic_file.h"
#include "util/error.h"
#include "util/parallel.h"
#include "util/whole_path.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) {
    const auto name = path.filename().native();
    return !name.empty() && name.front() == '.';
}

/// Non-hidden folders in `folder`; none if it cannot be read (it may just have been removed).
std::vector<fs::path> subfolders(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code problem;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem)) {
        std::error_code ignored;
        if (!is_hidden(it->path()) && it->is_directory(ignored)) found.push_back(it->path());
    }
    return found;
}

/// Creation time of a folder as ISO 8601 UTC with milliseconds, which sorts as text. File systems without
/// creation times give the time of the last change of its entries.
std::string created_of(const fs::path& folder) {
    struct statx info {};
    if (::statx(AT_FDCWD, folder.c_str(), 0, STATX_BTIME | STATX_MTIME, &info) != 0) return {};
    const auto& at = (info.stx_mask & STATX_BTIME) != 0 ? info.stx_btime : info.stx_mtime;
    const auto seconds = static_cast<std::time_t>(at.tv_sec);
    std::tm parts{};
    std::array<char, 32> text{};
    if (::gmtime_r(&seconds, &parts) == nullptr) return {};
    const auto size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
    const auto thousandth = std::to_string(1000 + at.tv_nsec / 1'000'000).substr(1);
    return std::string(text.data(), size) + '.' + thousandth + 'Z';
}

}  // namespace

namespace {

/// Text of config.toml; empty if it cannot be read.
std::string settings_of(const fs::path& run_folder) {
    try {
        return read_small_file(RunFolder(run_folder).config(), std::size_t{1} << 20);
    } catch (const Error&) {
        return {};
    }
}

/// The settings of ScannedRun::terms with their defaults, as config.toml has them.
std::map<std::string, std::string, std::less<>> usual_terms() {
    constexpr std::array budget{"data.percent", "train.epochs", "train.max_steps"};
    std::map<std::string, std::string, std::less<>> usual;
    for (const auto& option : config::options())
        if (std::find(budget.begin(), budget.end(), option.key) != budget.end() ||
            (config::changes_the_task(option.key) && option.key != "data.path" &&
             option.key != "data.horizon"))
            usual.emplace(option.key, config::to_toml(option.default_value));
    return usual;
}

/// By lines: parsing ten thousand files takes long.
std::string terms_in(std::string_view toml) {
    static const auto usual = usual_terms();
    std::string section, terms;
    while (!toml.empty()) {
        const auto line = toml.substr(0, toml.find('\n'));
        toml.remove_prefix(std::min(toml.size(), line.size() + 1));
        if (line.starts_with('[')) section = std::string(line.substr(1, line.find(']') - 1)) + '.';
        const auto equals = line.find(" = ");
        if (equals == line.npos || !(section.starts_with("data.") || section.starts_with("train."))) continue;
        const auto setting = usual.find(section + std::string(line.substr(0, equals)));
        if (setting != usual.end() && line.substr(equals + 3) != setting->second)
            terms += std::string(line) + '\n';
    }
    return terms;
}

std::string parent_in(const std::string& text, const fs::path& run_folder) {
    // Fast path, as nearly all have "" here.
    const auto at = text.find("\ncontinue_from");
    if (at == std::string::npos) return {};
    const auto line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    if (line.find("\"\"") != std::string::npos || line.find("''") != std::string::npos) return {};
    fs::path parent;
    try {
        parent = config::load_text(text, "config.toml", run_folder).base.train.continue_from;
    } catch (const Error&) {
        return {};
    }
    if (parent.empty()) return {};
    parent = parent.lexically_normal();
    if (!parent.has_filename()) parent = parent.parent_path();
    std::error_code ignored;
    if (fs::exists(parent, ignored)) return parent.string();
    const auto moved =
        run_folder.parent_path().parent_path() / parent.parent_path().filename() / parent.filename();
    return fs::exists(moved, ignored) ? moved.string() : parent.string();
}

}  // namespace

std::string parent_of(const fs::path& run_folder) { return parent_in(settings_of(run_folder), run_folder); }

ScannedRun scan_run(const fs::path& folder) {
    ScannedRun run;
    run.folder = folder;
    run.batch = folder.parent_path().filename().string();
    run.name = folder.filename().string();
    try {
        if (auto status = read_run_status(RunFolder(folder)))
            run.status = std::move(*status);
        else
            run.problem = "run.json is missing";
        run.marks = read_marks(folder);
    } catch (const std::exception& problem) {
        run.problem = problem.what();
    }
    if (run.status.row.run.empty()) run.status.row.run = run.name;
    run.created = run.status.created.empty() ? created_of(folder) : run.status.created;
    const auto settings = settings_of(folder);
    run.parent = parent_in(settings, folder);
    run.terms = terms_in(settings);
    run.live = RunLock::holder(RunFolder(folder)).has_value();
    return run;
}

RunScanner::RunScanner(const fs::path& dir, int threads)
    : dir_(whole_path(dir)), threads_(std::min(8, thread_count(threads))) {}

RunScanner::Stamp RunScanner::stamp_of(const fs::path& file) {
    struct stat info {};
    if (::stat(file.c_str(), &info) != 0) return {};
    return {static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec,
            static_cast<std::int64_t>(info.st_size), static_cast<std::uint64_t>(info.st_ino)};
}

RunScanner::Seen RunScanner::look(const fs::path& folder) {
    const RunFolder run(folder);
    Seen seen{stamp_of(run.run_json()), stamp_of(folder / "marks.json"), false};
    // A released lock's file is empty, so most need not be tried.
    if (stamp_of(run.lock()).size > 0) seen.live = RunLock::holder(run).has_value();
    return seen;
}

std::vector<fs::path> RunScanner::folders(const std::stop_token& stop) const {
    std::error_code problem;
    if (!fs::is_directory(dir_, problem))
        throw input_error(dir_.string(), problem ? problem.message() : "there is no such folder",
                          "a folder with runs");
    std::vector<fs::path> all;
    for (const auto& batch : subfolders(dir_)) {
        throw_if_stopped(stop);
        if (fs::exists(RunFolder(batch).run_json(), problem)) {
            all.push_back(batch);  // DIR is the folder of a batch
            continue;
        }
        auto runs = subfolders(batch);
        all.insert(all.end(), std::make_move_iterator(runs.begin()), std::make_move_iterator(runs.end()));
    }
    std::sort(all.begin(), all.end());
    return all;
}

ScanChanges RunScanner::scan(const ProgressFn& progress, const std::stop_token& stop) {
    constexpr std::size_t runs_per_report = 200;
    const auto all = folders(stop);
    struct Found {
        Seen seen;
        std::optional<ScannedRun> read;
    };
    std::vector<Found> found(all.size());
    std::atomic<std::size_t> done{0};
    std::mutex telling;
    parallel_for(all.size(), threads_, [&](std::size_t i, int) {
        throw_if_stopped(stop);
        auto& f = found[i];
        f.seen = look(all[i]);
        if (f.seen.status.size >= 0) {
            const auto before = seen_.find(all[i]);
            // Read after taking the stamp: a change in between is found by the next scan.
            if (before == seen_.end() || !(before->second == f.seen)) {
                f.read = scan_run(all[i]);
                f.read->live = f.seen.live;
            }
        }
        const auto count = ++done;
        if (progress && (count % runs_per_report == 0 || count == all.size())) {
            const std::lock_guard lock(telling);
            progress({"reading runs", static_cast<std::int64_t>(count), static_cast<std::int64_t>(all.size()),
                      "runs"});
        }
    });

    ScanChanges changes;
    std::map<fs::path, Seen> now;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (found[i].seen.status.size < 0) continue;  // without run.json it is not a run
        if (found[i].read)
            (seen_.count(all[i]) != 0 ? changes.changed : changes.added).push_back(std::move(*found[i].read));
        now.emplace_hint(now.end(), all[i], found[i].seen);
    }
    for (const auto& [folder, seen] : seen_)
        if (now.count(folder) == 0) changes.removed.push_back(folder);
    seen_ = std::move(now);
    changes.runs = seen_.size();
    return changes;
}

}  // namespace casp::store
