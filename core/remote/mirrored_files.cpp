#include "remote/mirrored_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "store/run_folder.h"
#include "store/run_store.h"
#include "util/error.h"
#include "util/phrase_json.h"

namespace casp::remote {

namespace {

namespace fs = std::filesystem;

Error not_written(const fs::path& path, int code) {
    return run_error(path.string(), Phrase("cannot be written: %1", std::generic_category().message(code)),
                     {}, "Check the free space and the permissions of the cache's folder.");
}

Descriptor held(const fs::path& file) {
    Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock.is_open()) throw not_written(file, errno);
    return ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(lock) : Descriptor();
}

/// The folder, created if necessary, and its lock.
std::pair<fs::path, Descriptor> own_folder(const fs::path& wanted) {
    constexpr int max_copies = 100;
    for (int copy = 1; copy <= max_copies; ++copy) {
        auto folder = wanted;
        if (copy > 1) folder += "-" + std::to_string(copy);
        std::error_code problem;
        fs::create_directories(folder, problem);
        if (problem) throw not_written(folder, problem.value());
        if (auto lock = held(folder / ".mirror"); lock.is_open()) return {folder, std::move(lock)};
    }
    throw run_error(wanted.string(), Phrase("other windows use %1 copies of it", max_copies));
}

std::array<timespec, 2> times_of(std::int64_t time) {
    constexpr std::int64_t second = 1'000'000'000;
    auto seconds = time / second, rest = time % second;
    if (rest < 0) {
        rest += second;
        --seconds;
    }
    return {timespec{0, UTIME_OMIT}, timespec{seconds, rest}};
}

}  // namespace

MirroredFiles::MirroredFiles(const fs::path& folder)
    : files_([&] {
          auto [own, hold] = own_folder(folder);
          folder_ = std::move(own);
          hold_ = std::move(hold);
          return folder_;
      }()) {}

WatchedRuns::Known MirroredFiles::known() const {
    WatchedRuns::Known known;
    for (const auto& folder : store::run_folders(folder_)) {
        const auto run = folder.lexically_relative(folder_).string();
        std::array<Stamp, listed_files.size()> stamps;
        for (std::size_t i = 0; i < listed_files.size(); ++i) stamps[i] = files_.stamp(run, listed_files[i]);
        if (stamps[0].exists()) known.emplace(run, stamps);
    }
    return known;
}

void MirroredFiles::make_folder(const std::string& run) {
    std::error_code problem;
    fs::create_directories(path(run), problem);
    if (problem) throw not_written(path(run), problem.value());
}

void MirroredFiles::write(const std::string& run, std::string_view name, std::string_view bytes,
                          std::int64_t time) {
    if (const int code = write_all(create_copy(run, name).get(), bytes); code != 0)
        throw not_written(unfinished(run, name), code);
    finish_copy(run, name, time);
}

fs::path MirroredFiles::unfinished(const std::string& run, std::string_view name) const {
    return path(run) / ('.' + std::string(name) + ".new");
}

Descriptor MirroredFiles::create_copy(const std::string& run, std::string_view name) {
    make_folder(run);
    const auto file = unfinished(run, name);
    std::error_code ignored;
    fs::remove(file, ignored);  // the remains of a copy that was given up
    Descriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!out.is_open()) throw not_written(file, errno);
    return out;
}

void MirroredFiles::finish_copy(const std::string& run, std::string_view name, std::int64_t time) {
    const auto file = unfinished(run, name);
    const auto times = times_of(time);
    if (::utimensat(AT_FDCWD, file.c_str(), times.data(), AT_SYMLINK_NOFOLLOW) != 0 ||
        ::rename(file.c_str(), (path(run) / name).c_str()) != 0)
        throw not_written(file, errno);
}

void MirroredFiles::set_live(const std::string& run, bool live, const std::string& lock_text) {
    if (!live) {
        const auto lock = locks_.find(run);
        if (lock == locks_.end()) return;
        (void)!::ftruncate(lock->second.get(), 0);
        locks_.erase(lock);
        return;
    }
    make_folder(run);
    auto lock = locks_.find(run);
    if (lock == locks_.end()) {
        auto own = held(path(run) / ".lock");
        if (!own.is_open()) return;  // an own process was allowed to, before the run was started there
        lock = locks_.emplace(run, std::move(own)).first;
    }
    (void)!::ftruncate(lock->second.get(), 0);
    (void)!::pwrite(lock->second.get(), lock_text.data(), lock_text.size(), 0);
}

bool MirroredFiles::is_copy(const std::string& run) const {
    if (locks_.count(run) != 0) return true;
    const store::RunFolder here(path(run));
    std::error_code ignored;
    return !fs::exists(here.last(), ignored) && !store::RunLock::holder(here);
}

void MirroredFiles::remove(const std::string& run) {
    if (!is_copy(run)) return;
    locks_.erase(run);
    std::error_code ignored;
    fs::remove_all(path(run), ignored);
    if (const auto batch = path(run).parent_path(); batch != folder_)
        fs::remove(batch, ignored);  // if it is empty
}

void MirroredFiles::remove(const std::string& run, std::string_view name) {
    if (!is_copy(run)) return;
    std::error_code ignored;
    fs::remove(path(run) / name, ignored);
}

namespace {

using nlohmann::json;

constexpr std::int64_t piece_bytes = 256 << 10;
/// 4 MiB on their way: 80 MB/s at 50 ms, and the curves that follow them are half a second late at 8 MB/s.
constexpr std::int64_t max_open = 16;

}  // namespace

void Fetches::start(const File& file, const Stamp& stamp) {
    if (const auto at = fetches_.find(file); at != fetches_.end() && at->second.stamp == stamp) return;
    try {
        fetches_.insert_or_assign(
            file, Fetch{stamp, files_.create_copy(file.first, file.second), 0, 0, ++numbers_});
    } catch (const Error& problem) {
        return fail(file, phrase_of(problem));
    }
    if (stamp.size == 0) return finish(file, stamp);
    advance();
}

void Fetches::connected() {
    ++connection_;
    open_ = 0;
    for (auto& [file, fetch] : fetches_) {
        fetch.asked = fetch.written;
        fetch.number = ++numbers_;
    }
    advance();
}

void Fetches::advance() {
    // Small files first: curves do not wait for weights.
    std::vector<std::map<File, Fetch>::iterator> order;
    for (auto at = fetches_.begin(); at != fetches_.end(); ++at) order.push_back(at);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a->second.stamp.size < b->second.stamp.size;
    });
    for (const auto& at : order)
        while (open_ < max_open && at->second.asked < at->second.stamp.size) ask(at->first, at->second);
}

void Fetches::ask(const File& file, Fetch& fetch) {
    const auto count = std::min(piece_bytes, fetch.stamp.size - fetch.asked);
    json request{{"op", "read"},
                 {"run", file.first},
                 {"name", file.second},
                 {"time", fetch.stamp.time},
                 {"size", fetch.stamp.size},
                 {"offset", fetch.asked},
                 {"count", count}};
    fetch.asked += count;
    ++open_;
    events_.request(std::move(request), [this, file, number = fetch.number, connection = connection_](
                                            const json& header, const std::string& body) {
        if (connection == connection_) --open_;
        const auto at = fetches_.find(file);
        if (at != fetches_.end() && at->second.number == number) {
            if (header.contains("error")) {
                fail(file, kept_phrase(header, header["error"].get<std::string>()));
            } else if (const auto now = header.find("changed"); now != header.end()) {
                const Stamp stamp{now->at(0).get<std::int64_t>(), now->at(1).get<std::int64_t>()};
                stamp.exists() ? start(file, stamp) : fail(file, {});
            } else {
                take(file, at->second, body);
            }
        }
        advance();
    });
}

void Fetches::take(const File& file, Fetch& fetch, const std::string& bytes) {
    if (bytes.empty()) return fail(file, "the file became shorter while it was read");
    if (const int code = write_all(fetch.part.get(), bytes); code != 0)
        return fail(file, Phrase("%1: cannot be written: %2", files_.path(file.first).string(),
                                 std::generic_category().message(code)));
    fetch.written += static_cast<std::int64_t>(bytes.size());
    events_.progress(file, fetch.written, fetch.stamp.size);
    if (fetch.written >= fetch.stamp.size) finish(file, fetch.stamp);
}

void Fetches::finish(const File& file, const Stamp& stamp) {
    const auto copied = stamp;
    fetches_.erase(file);
    try {
        files_.finish_copy(file.first, file.second, copied.time);
    } catch (const Error& problem) {
        return events_.failed(file, phrase_of(problem));
    }
    events_.arrived(file);
}

void Fetches::fail(const File& file, const Phrase& problem) {
    fetches_.erase(file);
    events_.failed(file, problem);
}

}  // namespace casp::remote
