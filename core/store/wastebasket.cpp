#include "store/wastebasket.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <system_error>

#include <nlohmann/json.hpp>

#include "store/atomic_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "util/error.h"
#include "util/json_text.h"
#include "util/whole_path.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* basket_name = ".wastebasket";
constexpr const char* origin_name = "origin.json";  ///< in an entry: the original folder
constexpr const char* run_name = "run";             ///< in an entry: the run folder itself

/// Renames without replacing anything, not even an empty folder; returns 0 or errno.
int rename_to_new(const fs::path& from, const fs::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
    // Not available in old kernels and on some file systems.
    if (errno != ENOSYS && errno != EINVAL) return errno;
    std::error_code ignored;
    if (fs::symlink_status(to, ignored).type() != fs::file_type::not_found) return EEXIST;
    return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

Error refusal(const fs::path& path, const Phrase& doing, const Phrase& why) {
    return run_error(path.string(), doing + ": " + why, {},
                     "Check the free space and your permissions there.");
}

/// "20260131T120000Z-etth1-lambda_cov-0.1": sorts by time, is readable, and valid on any file system.
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

/// "<batch>/<run>" or "<run>": possible locations below DIR.
bool is_place(const fs::path& place) {
    if (place.empty() || place.is_absolute() || std::distance(place.begin(), place.end()) > 2) return false;
    return std::none_of(place.begin(), place.end(),
                        [](const fs::path& part) { return part.empty() || part.native().front() == '.'; });
}

/// Whether it is a folder, not a link to one.
bool is_folder(const fs::path& path) {
    std::error_code ignored;
    return fs::symlink_status(path, ignored).type() == fs::file_type::directory;
}

bool is_gone(const fs::path& path) {
    std::error_code ignored;
    return fs::symlink_status(path, ignored).type() == fs::file_type::not_found;
}

/// rename_to_new() that checks the result after an error: over a network, a lost reply makes the repeated
/// request fail although the first succeeded.
int move_folder(const fs::path& from, const fs::path& to) {
    const int code = rename_to_new(from, to);
    return code != 0 && is_gone(from) && is_folder(to) ? 0 : code;
}

std::optional<DiscardedRun> read_entry(const fs::path& entry, const fs::path& dir) {
    std::error_code ignored;
    if (!is_folder(entry) || !is_folder(entry / run_name) ||
        fs::symlink_status(entry / origin_name, ignored).type() != fs::file_type::regular)
        return std::nullopt;
    try {
        const auto origin = parse_json<Json>(read_small_file(entry / origin_name, 1 << 16));
        const fs::path folder = origin.at("folder").get<std::string>();
        // Only paths in this output folder are accepted, whatever the file says.
        if (!is_place(folder)) return std::nullopt;
        return DiscardedRun{entry, dir / folder, origin.at("discarded").get<std::string>()};
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

/// Whether an entry contains only files of discard(). Others were not made by this program, so the user was
/// not asked about them.
bool is_ours(const fs::path& entry) {
    if (!is_folder(entry)) return false;
    std::error_code problem;
    for (fs::directory_iterator it(entry, problem), end; !problem && it != end; it.increment(problem)) {
        const auto name = it->path().filename().string();
        if (name != run_name && name != origin_name && !name.starts_with(std::string(".") + origin_name))
            return false;
    }
    return !problem;
}

/// Removes an entry nothing was moved into. Removes only the two paths created: after a falsely reported
/// failure, the entry may hold a whole run.
void drop_entry(const fs::path& entry) {
    if (!is_gone(entry / run_name)) return;
    std::error_code ignored;
    fs::remove(entry / origin_name, ignored);
    fs::remove(entry, ignored);
}

std::string origin_text(const DiscardedRun& run, const fs::path& dir) {
    const Json origin{{"format_version", 1},
                      {"folder", run.folder.lexically_relative(dir).string()},
                      {"discarded", run.discarded}};
    return origin.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Ignores failures: if a power failure undoes the move, the run is complete in its original place.
void sync_if_possible(const fs::path& folder) {
    try {
        sync_path(folder);
    } catch (const Error&) {
    }
}

}  // namespace

Wastebasket::Wastebasket(const fs::path& dir) : dir_(whole_path(dir)), folder_(dir_ / basket_name) {}

void Wastebasket::refuse_link() const {
    std::error_code ignored;
    if (fs::is_symlink(folder_, ignored))
        throw input_error(folder_.string(), "this is a link", "a folder",
                          "Remove it: the wastebasket must be a folder in the output folder.");
}

/// The run's path in this output folder; throws an input Error if it is not one of its runs.
fs::path Wastebasket::place_of(const fs::path& run_folder) const {
    const auto run = whole_path(run_folder);
    std::error_code problem;
    const bool is_below = is_place(run.lexically_relative(dir_));
    if (is_below && is_gone(run)) throw input_error(run.string(), "this run no longer exists");
    if (!is_below || !(fs::exists(run / "run.json", problem) || fs::exists(run / "run.h5", problem)))
        throw input_error(run.string(), Phrase("it is not a run of %1", dir_.string()),
                          Phrase("a folder %1", (dir_ / "<name>" / "<run>").string()));
    for (auto part = run; part != dir_; part = part.parent_path())
        if (!is_folder(part))
            throw input_error(part.string(), "this is a link", "a folder",
                              "Open the output folder it leads to, or remove the link.");
    return run;
}

/// Creates the folder the run will be moved into.
DiscardedRun Wastebasket::new_entry(const fs::path& run) const {
    const auto now = utc_now();
    const auto name = entry_name(now, run);
    DiscardedRun result{folder_ / name, run, now};
    std::error_code problem;
    fs::create_directories(folder_, problem);
    for (int number = 2; !problem && !fs::create_directory(result.entry, problem) && !problem; ++number)
        result.entry = folder_ / (name + "-" + std::to_string(number));
    if (problem) throw refusal(result.entry, "the folder cannot be created", problem.message());
    return result;
}

DiscardedRun Wastebasket::discard(const fs::path& run_folder) const {
    refuse_link();
    const auto run = place_of(run_folder);
    // Held during the move, so that no process starts writing the run.
    const RunLock lock{RunFolder(run)};
    const auto result = new_entry(run);
    try {
        write_file_atomically(result.entry / origin_name, origin_text(result, dir_));
        if (const int code = move_folder(run, result.entry / run_name); code != 0)
            throw refusal(run, "cannot be moved to the wastebasket", std::generic_category().message(code));
    } catch (...) {
        drop_entry(result.entry);
        throw;
    }
    const auto batch = run.parent_path();
    sync_if_possible(result.entry);
    sync_if_possible(batch);
    std::error_code ignored;
    if (batch != dir_) fs::remove(batch, ignored);  // fails if the folder is not empty
    return result;
}

std::vector<fs::path> Wastebasket::paths() const {
    std::vector<fs::path> found;
    if (!is_folder(folder_)) return found;
    std::error_code problem;
    for (fs::directory_iterator it(folder_, problem), end; !problem && it != end; it.increment(problem))
        found.push_back(it->path());
    return found;
}

std::vector<DiscardedRun> Wastebasket::list() const {
    std::vector<DiscardedRun> runs;
    for (const auto& entry : paths())
        if (auto run = read_entry(entry, dir_)) runs.push_back(std::move(*run));
    std::sort(runs.begin(), runs.end(), [](const DiscardedRun& a, const DiscardedRun& b) {
        return a.discarded != b.discarded ? a.discarded > b.discarded : a.entry > b.entry;
    });
    return runs;
}

void Wastebasket::restore(const DiscardedRun& run) const {
    refuse_link();
    const auto stored = run.entry.parent_path() == folder_ ? read_entry(run.entry, dir_) : std::nullopt;
    if (!stored) throw input_error(run.folder.string(), "this run is no longer in the wastebasket");
    const auto& place = stored->folder;
    const auto batch = place.parent_path();
    std::error_code problem;
    fs::create_directories(batch, problem);
    if (batch != dir_ && fs::is_symlink(batch, problem))
        throw input_error(batch.string(), "this is a link", "a folder",
                          "Remove the link: a run is restored only into the output folder.");
    const int code = move_folder(stored->entry / run_name, place);
    if (code == EEXIST || code == ENOTEMPTY)
        throw input_error(place.string(), "another run exists there by now", {},
                          "Rename or discard that one first; this one stays in the wastebasket.");
    if (code != 0) throw refusal(place, "cannot be restored", std::generic_category().message(code));
    sync_if_possible(batch);
    drop_entry(stored->entry);
}

std::size_t Wastebasket::empty() const {
    refuse_link();
    auto entries = paths();
    std::erase_if(entries, [](const fs::path& entry) { return !is_ours(entry); });
    std::size_t removed = 0;
    std::string failure;
    for (const auto& entry : entries) {
        const bool is_run = read_entry(entry, dir_).has_value();
        std::error_code problem;
        // First the files that identify a run: a partly deleted one must not be listed.
        fs::remove(entry / origin_name, problem);
        if (!problem) fs::remove_all(entry, problem);
        if (problem && failure.empty()) failure = entry.string() + ": " + problem.message();
        if (!problem && is_run) ++removed;
    }
    if (!failure.empty()) throw refusal(folder_, "not everything could be deleted", failure);
    return removed;
}

std::optional<DiscardedRun> find_in_wastebasket(const fs::path& run_folder) {
    const auto run = whole_path(run_folder);
    std::optional<DiscardedRun> newest;
    for (const auto& dir : {run.parent_path(), run.parent_path().parent_path()})
        for (auto& found : Wastebasket(dir).list())
            if (found.folder == run && (!newest || found.discarded > newest->discarded))
                newest = std::move(found);
    return newest;
}

}  // namespace casp::store
