#include "store/run_store.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <system_error>
#include <tuple>
#include <utility>

#include "config/experiment.h"
#include "config/options.h"
#include "store/atomic_file.h"
#include "store/own_file.h"
#include "util/error.h"
#include "util/parallel.h"
#include "util/whole_path.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;

constexpr int max_threads = 8;
constexpr std::size_t max_settings = std::size_t{1} << 20;  ///< bytes of config.toml

/// Non-hidden folders in `folder`; none if it cannot be read (it may just have been removed).
std::vector<fs::path> subfolders(const fs::path& folder, std::error_code& problem) {
    std::vector<fs::path> found;
    for (fs::directory_iterator it(folder, problem), end; !problem && it != end; it.increment(problem)) {
        std::error_code ignored;
        if (!it->path().filename().native().starts_with('.') && it->is_directory(ignored))
            found.push_back(it->path());
    }
    return found;
}

/// Throws an input Error unless it is a folder.
void check_folder(const fs::path& folder) {
    std::error_code problem;
    if (!fs::is_directory(folder, problem))
        throw input_error(folder.string(), problem ? problem.message() : "there is no such folder",
                          "a folder with runs");
}

/// Runs of other batches beside this one that its results.csv lists as its own: "../other/run".
void add_shared_runs(const fs::path& batch, std::vector<fs::path>& found) {
    std::ifstream table(batch / "results.csv");
    for (std::string line; std::getline(table, line);) {
        const fs::path run = line.substr(0, line.find(','));
        const bool beside = std::distance(run.begin(), run.end()) == 3 && *run.begin() == ".." &&
                            std::count(run.begin(), run.end(), "..") == 1;
        if (beside && is_run(batch / run)) found.push_back((batch / run).lexically_normal());
    }
}

/// Appends the runs in `folder` and at most `levels` levels below it. Unreadable folders have none.
void add_runs(const fs::path& folder, int levels, const std::stop_token& stop, std::vector<fs::path>& found) {
    throw_if_stopped(stop);
    if (is_run(folder)) {
        found.push_back(folder);
        return;
    }
    if (levels == 0) return;
    add_shared_runs(folder, found);
    std::error_code ignored;
    for (const auto& below : subfolders(folder, ignored))
        // Links could lead round in circles.
        add_runs(below, fs::is_symlink(below, ignored) ? std::min(levels - 1, 1) : levels - 1, stop, found);
}

/// Sorted by creation.
std::vector<ScannedRun> scanned(const std::vector<fs::path>& folders, const std::stop_token& stop) {
    std::vector<ScannedRun> runs(folders.size());
    parallel_for(folders.size(), std::min(max_threads, thread_count(0)), [&](std::size_t i, int) {
        throw_if_stopped(stop);
        runs[i] = scan_run(folders[i]);
    });
    std::sort(runs.begin(), runs.end(), [](const ScannedRun& a, const ScannedRun& b) {
        return std::tie(a.created, a.folder) < std::tie(b.created, b.folder);
    });
    return runs;
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

/// Text of config.toml; empty if it cannot be read.
std::string settings_of(const fs::path& run_folder) {
    try {
        return read_small_file(RunFolder(run_folder).config(), max_settings);
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

std::vector<fs::path> run_folders(const fs::path& dir, const std::stop_token& stop) {
    check_folder(dir);
    std::error_code ignored;
    std::vector<fs::path> all;
    for (const auto& batch : subfolders(dir, ignored)) {
        throw_if_stopped(stop);
        if (fs::exists(RunFolder(batch).run_json(), ignored)) {
            all.push_back(batch);  // DIR is the folder of a batch
            continue;
        }
        auto runs = subfolders(batch, ignored);
        all.insert(all.end(), std::make_move_iterator(runs.begin()), std::make_move_iterator(runs.end()));
    }
    std::sort(all.begin(), all.end());
    return all;
}

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
        run.problem = phrase_of(problem);
    }
    if (run.status.row.run.empty()) run.status.row.run = run.name;
    run.created = run.status.created.empty() ? created_of(folder) : run.status.created;
    const auto settings = settings_of(folder);
    run.parent = parent_in(settings, folder);
    run.terms = terms_in(settings);
    run.live = RunLock::holder(RunFolder(folder)).has_value();
    return run;
}

bool is_run(const fs::path& folder) {
    const RunFolder run(folder);
    std::error_code unknown;
    return fs::exists(run.run_json(), unknown) || fs::is_regular_file(run.run_file(), unknown);
}

config::Config read_settings(const RunFolder& run) {
    const auto file = run.config();
    const auto text = [&] {
        try {
            return read_small_file(file, max_settings);
        } catch (const Error& problem) {
            throw about_own_file(problem, file);
        }
    }();
    return config::load_text(text, file.string(), {}).base;
}

std::vector<ScannedRun> runs_in(const fs::path& experiment) {
    std::error_code problem, unknown;
    auto folders = subfolders(experiment, problem);
    if (problem) throw input_error(experiment.string(), problem.message(), "a folder with runs");
    std::erase_if(folders,
                  [&](const auto& folder) { return !fs::exists(RunFolder(folder).run_json(), unknown); });
    return scanned(folders, {});
}

std::vector<ScannedRun> find_runs(const fs::path& folder, const std::stop_token& stop) {
    check_folder(folder);
    std::vector<fs::path> folders;
    add_runs(whole_path(folder), levels_searched, stop, folders);
    std::sort(folders.begin(), folders.end());  // a shared run may also be below `folder`
    folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
    return scanned(folders, stop);
}

RunStore::RunStore(const fs::path& dir, int threads)
    : dir_(whole_path(dir)), threads_(std::min(max_threads, thread_count(threads))) {}

RunStore::Stamp RunStore::stamp_of(const fs::path& file) {
    struct stat info {};
    if (::stat(file.c_str(), &info) != 0) return {};
    return {static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec,
            static_cast<std::int64_t>(info.st_size), static_cast<std::uint64_t>(info.st_ino)};
}

RunStore::Seen RunStore::look(const fs::path& folder) {
    const RunFolder run(folder);
    Seen seen{stamp_of(run.run_json()), stamp_of(folder / "marks.json"), false};
    // A released lock's file is empty, so most need not be tried.
    if (stamp_of(run.lock()).size > 0) seen.live = RunLock::holder(run).has_value();
    return seen;
}

std::optional<RunStore::Known> RunStore::known(const fs::path& folder) const {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(folder.native());
    return found == known_.end() ? std::nullopt : std::optional(found->second);
}

ScanChanges RunStore::scan(const ProgressFn& progress, const std::stop_token& stop) {
    constexpr std::size_t runs_per_report = 200;
    const auto began = version();
    const auto all = run_folders(dir_, stop);
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
            const auto before = known(all[i]);
            // Read after taking the stamp: a change in between is found by the next scan.
            if (!before || !(before->seen == f.seen)) {
                f.read = scan_run(all[i]);
                f.read->live = f.seen.live;
            }
        }
        const auto count = ++done;
        if (progress && (count % runs_per_report == 0 || count == all.size())) {
            const std::lock_guard lock(telling);
            progress({Stage::reading_runs, static_cast<std::int64_t>(count),
                      static_cast<std::int64_t>(all.size()), "runs"});
        }
    });

    ScanChanges changes;
    const std::lock_guard lock(mutex_);
    ++scans_;
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto& [seen, read] = found[i];
        if (seen.status.size < 0) continue;  // without run.json it is not a run
        const auto [at, is_new] = known_.try_emplace(all[i].native());
        auto& now = at->second;
        if (read && now.version > began) {
            if (now.scan == 0) changes.omitted.push_back(all[i]);
            continue;
        }
        now.scan = scans_;
        if (!read) continue;
        now.seen = seen;
        read->version = now.version = ++version_;
        (is_new ? changes.added : changes.changed).push_back(std::move(*read));
    }
    std::erase_if(known_, [&](const auto& one) {
        const auto& [folder, known] = one;
        if (known.scan == scans_ || known.version > began) return false;
        changes.removed.emplace_back(folder);
        return true;
    });
    std::sort(changes.removed.begin(), changes.removed.end());
    changes.runs = known_.size();
    return changes;
}

std::vector<ScannedRun> RunStore::scan(const std::vector<fs::path>& run_folders) {
    std::vector<ScannedRun> runs;
    for (auto folder = run_folders.begin(); folder != run_folders.end();) {
        const auto began = version();
        const auto seen = look(*folder);
        if (seen.status.size < 0) {
            ++folder;
            continue;
        }
        auto run = scan_run(*folder);
        run.live = seen.live;
        const std::lock_guard lock(mutex_);
        auto& now = known_[folder->native()];
        if (now.version > began) continue;  // once more
        now.seen = seen;
        run.version = now.version = ++version_;
        runs.push_back(std::move(run));
        ++folder;
    }
    return runs;
}

bool RunStore::is_newest(const ScannedRun& run) const {
    const auto of = known(run.folder);
    return of && of->version == run.version;
}

bool RunStore::has(const fs::path& run_folder) const { return known(run_folder).has_value(); }

void RunStore::outdate(const fs::path& run_folder) {
    const std::lock_guard lock(mutex_);
    auto& now = known_[run_folder.native()];
    now.seen = {};
    now.version = ++version_;
}

std::uint64_t RunStore::version() const {
    const std::lock_guard lock(mutex_);
    return version_;
}

}  // namespace casp::store
