#include "store/wastebasket.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <nlohmann/json.hpp>

#include "store/atomic_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* basket_name = ".wastebasket";
constexpr const char* origin_name = "origin.json";  ///< in an entry: where the run was
constexpr const char* run_name = "run";             ///< in an entry: the run folder itself

/// Absolute, without "." and ".." and without a slash at the end.
fs::path tidy(const fs::path& path) {
    auto whole = fs::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}

/// Renames without ever replacing anything, not even an empty folder; 0 or errno.
int rename_to_new(const fs::path& from, const fs::path& to) {
#ifdef SYS_renameat2
    constexpr unsigned no_replace = 1;
    if (::syscall(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), no_replace) == 0) return 0;
    // Old kernels and some file systems do not have it.
    if (errno != ENOSYS && errno != EINVAL) return errno;
#endif
    std::error_code ignored;
    if (fs::symlink_status(to, ignored).type() != fs::file_type::not_found) return EEXIST;
    return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

Error refusal(const fs::path& path, const std::string& doing, const std::string& why) {
    return run_error(path.string(), doing + ": " + why, {},
                     "Is the disk full, or may you not write to this folder?");
}

/// "20260131T120000Z-etth1-lambda_cov-0.1": sorts by time, says what it is, fits any file system.
std::string entry_name(const std::string& now, const fs::path& run) {
    std::string name;
    for (const char c : now)
        if (c != '-' && c != ':') name += c;
    name += "-" + run.parent_path().filename().string() + "-" + run.filename().string();
    if (name.size() > 200) {
        name.resize(200);
        while (!name.empty() && (static_cast<unsigned char>(name.back()) & 0xC0) == 0x80) name.pop_back();
        if (!name.empty() && (static_cast<unsigned char>(name.back()) & 0x80) != 0) name.pop_back();
    }
    return name;
}

/// "<batch>/<run>" or "<run>": where a run can be below DIR.
bool is_place(const fs::path& place) {
    if (place.empty() || place.is_absolute() || std::distance(place.begin(), place.end()) > 2) return false;
    return std::none_of(place.begin(), place.end(),
                        [](const fs::path& part) { return part.empty() || part.native().front() == '.'; });
}

std::optional<DiscardedRun> read_entry(const fs::path& entry, const fs::path& dir) {
    std::error_code ignored;
    if (!fs::is_directory(entry / run_name, ignored)) return std::nullopt;
    try {
        const auto origin = Json::parse(read_small_file(entry / origin_name, 1 << 16));
        const fs::path folder = origin.at("folder").get<std::string>();
        // Only ever back into this output folder, whatever the file says.
        if (!is_place(folder)) return std::nullopt;
        return DiscardedRun{entry, dir / folder, origin.at("discarded").get<std::string>()};
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace

Wastebasket::Wastebasket(const fs::path& dir) : dir_(tidy(dir)), folder_(dir_ / basket_name) {}

DiscardedRun Wastebasket::discard(const fs::path& run_folder) const {
    const auto run = tidy(run_folder);
    const auto batch = run.parent_path();
    const auto place = run.lexically_relative(dir_);
    std::error_code problem;
    const bool is_below = is_place(place);
    if (is_below && !fs::exists(run, problem))
        throw input_error(run.string(), "this run is not there any more");
    if (!is_below || !(fs::exists(run / "run.json", problem) || fs::exists(run / "run.h5", problem)))
        throw input_error(run.string(), "it is no run of " + dir_.string(),
                          "a folder " + (dir_ / "<name>" / "<run>").string());
    // Held until it is moved: nobody can begin to write it in between.
    const RunLock lock{RunFolder(run)};

    const auto now = utc_now();
    const auto name = entry_name(now, run);
    DiscardedRun result{folder_ / name, run, now};
    fs::create_directories(folder_, problem);
    for (int number = 2; !problem && !fs::create_directory(result.entry, problem) && !problem; ++number)
        result.entry = folder_ / (name + "-" + std::to_string(number));
    if (problem) throw refusal(result.entry, "the folder cannot be made", problem.message());
    const Json origin{{"format_version", 1}, {"folder", place.string()}, {"discarded", now}};
    try {
        write_file_atomically(result.entry / origin_name,
                              origin.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
        if (const int code = rename_to_new(run, result.entry / run_name); code != 0)
            throw refusal(run, "cannot be moved to the wastebasket", std::generic_category().message(code));
    } catch (...) {
        fs::remove_all(result.entry, problem);
        throw;
    }
    sync_path(result.entry);
    sync_path(batch);
    if (batch != dir_) fs::remove(batch, problem);  // does nothing where something is in it
    return result;
}

std::vector<DiscardedRun> Wastebasket::list() const {
    std::vector<DiscardedRun> runs;
    std::error_code problem;
    for (fs::directory_iterator it(folder_, problem), end; !problem && it != end; it.increment(problem))
        if (auto run = read_entry(it->path(), dir_)) runs.push_back(std::move(*run));
    std::sort(runs.begin(), runs.end(), [](const DiscardedRun& a, const DiscardedRun& b) {
        return a.discarded != b.discarded ? a.discarded > b.discarded : a.entry > b.entry;
    });
    return runs;
}

void Wastebasket::restore(const DiscardedRun& run) const {
    const auto stored = run.entry.parent_path() == folder_ ? read_entry(run.entry, dir_) : std::nullopt;
    if (!stored) throw input_error(run.folder.string(), "this run is not in the wastebasket any more");
    std::error_code problem;
    fs::create_directories(stored->folder.parent_path(), problem);
    const int code = rename_to_new(run.entry / run_name, stored->folder);
    if (code == EEXIST || code == ENOTEMPTY)
        throw input_error(stored->folder.string(), "another run stands there by now", {},
                          "Rename or discard that one first; this one stays in the wastebasket.");
    if (code != 0) throw refusal(stored->folder, "cannot be restored", std::generic_category().message(code));
    sync_path(stored->folder.parent_path());
    fs::remove_all(run.entry, problem);
}

std::size_t Wastebasket::empty(const ProgressFn& progress) const {
    std::vector<fs::path> entries;
    std::error_code problem;
    for (fs::directory_iterator it(folder_, problem), end; !problem && it != end; it.increment(problem))
        entries.push_back(it->path());
    std::size_t done = 0, removed = 0;
    std::string failure;
    for (const auto& entry : entries) {
        const bool is_run = read_entry(entry, dir_).has_value();
        // First what makes it a run: one that is deleted by half must not be offered again.
        fs::remove(entry / origin_name, problem);
        if (!problem) fs::remove_all(entry, problem);
        if (problem && failure.empty()) failure = entry.string() + ": " + problem.message();
        if (!problem && is_run) ++removed;
        if (progress)
            progress({"emptying the wastebasket", static_cast<std::int64_t>(++done),
                      static_cast<std::int64_t>(entries.size()), "runs"});
    }
    if (!failure.empty()) throw refusal(folder_, "not everything could be deleted", failure);
    return removed;
}

std::optional<DiscardedRun> find_in_wastebasket(const fs::path& run_folder) {
    const auto run = tidy(run_folder);
    std::optional<DiscardedRun> newest;
    for (const auto& dir : {run.parent_path(), run.parent_path().parent_path()})
        for (auto& found : Wastebasket(dir).list())
            if (found.folder == run && (!newest || found.discarded > newest->discarded))
                newest = std::move(found);
    return newest;
}

}  // namespace casp::store
