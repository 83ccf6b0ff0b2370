#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "store/atomic_file.h"
#include "store/run_file.h"
#include "store/run_folder.h"
#include "store/staged_files.h"
#include "util/error.h"
#include "util/json_integer.h"
#include "util/json_text.h"

namespace casp::store {

namespace {

/// Last writer of the lock file: "process 123 on host since 2026-...".
std::string owner_text(int descriptor) {
    char text[512];
    const auto size = ::pread(descriptor, text, sizeof text, 0);
    const auto owner =
        parse_json_or_discard(std::string_view(text, size > 0 ? static_cast<std::size_t>(size) : 0));
    if (!owner.is_object()) return "another process";
    try {
        return "process " + std::to_string(json_integer(owner, "pid", 0)) + " on " +
               owner.value("host", std::string("an unknown host")) + " since " +
               owner.value("since", std::string("an unknown time"));
    } catch (const nlohmann::json::exception&) {
        return "another process";  // unexpected JSON types
    }
}

std::string host_name() {
    char name[256] = {};
    if (::gethostname(name, sizeof name - 1) != 0) return "unknown";
    return name;
}

Error held_by(const RunFolder& folder, const std::string& owner) {
    return input_error(folder.path().string(), "this run is being written by " + owner, {},
                       "Wait until it ends, stop it, or choose another output folder.");
}

void let_go(int descriptor) noexcept {
    if (descriptor < 0) return;
    // Unlock explicitly: a child made by fork() would hold the lock as long as it lives.
    if (::ftruncate(descriptor, 0) != 0) { /* the words only serve a message */
    }
    ::flock(descriptor, LOCK_UN);
    ::close(descriptor);
}

/// Completes an interrupted replacement of files and removes other remains of a killed writer.
void clear_up(const RunFolder& folder, int& descriptor) {
    try {
        finish_replacing(folder);
    } catch (...) {
        let_go(std::exchange(descriptor, -1));
        throw;
    }
    remove_temporaries(folder.path());
    remove_temporaries(folder.last());
}

}  // namespace

RunLock::RunLock(const RunFolder& folder) {
    const auto path = folder.lock();
    // Writing a run also cleans up in last/, so last/ must not lead elsewhere.
    std::error_code ignored;
    if (std::filesystem::is_symlink(folder.last(), ignored))
        throw input_error(folder.last().string(), "this is a link", "a folder of this run",
                          "Remove it: a run is written only in its own folder.");
    // O_NOFOLLOW: in an untrusted folder, .lock could be a link to a file elsewhere, which would be emptied.
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor_ < 0 && errno == ELOOP)
        throw input_error(path.string(), "this is a link", "a file of this run",
                          "Remove it: a run is written only in its own folder.");
    if (descriptor_ < 0)
        throw run_error(path.string(), "cannot be written: " + std::generic_category().message(errno), {},
                        "Choose a folder you may write to.");
    // Retry briefly: holder() of another process also takes the lock for a moment.
    int code = 0;
    for (int attempt = 0; attempt < 10; ++attempt) {
        if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
            const nlohmann::json owner{{"pid", ::getpid()}, {"host", host_name()}, {"since", utc_now()}};
            const auto text = owner.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
            if (::ftruncate(descriptor_, 0) == 0)
                (void)!::pwrite(descriptor_, text.data(), text.size(), 0);  // informative only
            clear_up(folder, descriptor_);
            return;
        }
        code = errno;
        if (code != EWOULDBLOCK && code != EINTR) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    const auto owner = owner_text(descriptor_);
    ::close(std::exchange(descriptor_, -1));
    if (code == EWOULDBLOCK || code == EINTR) throw held_by(folder, owner);
    throw run_error(path.string(), "cannot be locked: " + std::generic_category().message(code), {},
                    "The file system does not support locks: choose a folder on another one.");
}

RunLock::RunLock(RunLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
RunLock& RunLock::operator=(RunLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}
RunLock::~RunLock() { let_go(descriptor_); }

std::optional<std::string> RunLock::holder(const RunFolder& folder) {
    const int descriptor = ::open(folder.lock().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return std::nullopt;
    std::optional<std::string> owner;
    if (::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) owner = owner_text(descriptor);
    ::close(descriptor);
    return owner;
}

void RunLock::check_free(const RunFolder& folder) {
    if (const auto owner = holder(folder)) throw held_by(folder, *owner);
}

}  // namespace casp::store
