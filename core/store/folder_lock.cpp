#include "store/folder_lock.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "store/atomic_file.h"
#include "store/run_file.h"
#include "util/json_text.h"
#include "util/phrase.h"

namespace casp::store {

namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = ".lock";
// Not in <linux/magic.h>.
constexpr long bcachefs_magic = 0xCA451A4E;
constexpr long jfs_magic = 0x3153464A;
constexpr long zfs_magic = 0x2FC12FC1;

std::string text_in(int descriptor) {
    std::array<char, 512> text{};
    const auto size = ::pread(descriptor, text.data(), text.size(), 0);
    return {text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

/// A look at a lock file from outside.
struct Look {
    explicit Look(const fs::path& folder) {
        const int descriptor =
            ::open((folder / lock_name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (descriptor < 0) return;
        is_locked = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        text = text_in(descriptor);
        ::close(descriptor);
    }
    bool is_locked = false;  ///< by flock
    std::string text;        ///< the owner's JSON
};

/// Whether only this machine writes there, so that flock holds for everyone. False if unknown.
bool is_local(int descriptor) {
    struct statfs info {};
    if (::fstatfs(descriptor, &info) != 0) return false;
    constexpr std::array local{static_cast<long>(EXT4_SUPER_MAGIC),
                               static_cast<long>(XFS_SUPER_MAGIC),
                               static_cast<long>(BTRFS_SUPER_MAGIC),
                               static_cast<long>(TMPFS_MAGIC),
                               static_cast<long>(RAMFS_MAGIC),
                               static_cast<long>(OVERLAYFS_SUPER_MAGIC),
                               static_cast<long>(F2FS_SUPER_MAGIC),
                               static_cast<long>(REISERFS_SUPER_MAGIC),
                               bcachefs_magic,
                               jfs_magic,
                               zfs_magic};
    return std::find(local.begin(), local.end(), static_cast<long>(info.f_type)) != local.end();
}

void let_go(int descriptor) noexcept {
    if (descriptor < 0) return;
    // Unlock explicitly: a child made by fork() would hold the lock as long as it lives.
    if (::ftruncate(descriptor, 0) != 0) { /* the words only serve a message */
    }
    ::flock(descriptor, LOCK_UN);
    ::close(descriptor);
}

/// 0, or the errno of flock. Retries briefly: holder() of another process also takes the lock for a moment.
int try_flock(int descriptor) {
    int code = 0;
    for (int attempt = 0; attempt < 10; ++attempt) {
        if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return 0;
        code = errno;
        if (code != EWOULDBLOCK && code != EINTR) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return code;
}

int open_lock(const fs::path& path) {
    // O_NOFOLLOW: in an untrusted folder, .lock could be a link to a file elsewhere, which would be emptied.
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (descriptor >= 0) return descriptor;
    if (errno == ELOOP)
        throw input_error(path.string(), "this is a link", "a file of this run",
                          "Remove it: a run is written only in its own folder.");
    throw run_error(path.string(), Phrase("cannot be written: %1", std::generic_category().message(errno)),
                    {}, "Choose a folder you may write to.");
}

}  // namespace

bool belongs_to_writer(const std::string& name) {
    return name == lock_name || name.starts_with(lease_prefix) || is_temporary(name);
}

HeldError::HeldError(const fs::path& folder, const Phrase& owner)
    : Error(ErrorKind::input, {folder.string(),
                               Phrase("this run is being written by %1", owner),
                               {},
                               "Wait until it ends, stop it, or choose another output folder."}) {}

FolderLock::FolderLock(const fs::path& folder, const LockRule& rule) {
    const auto path = folder / lock_name;
    descriptor_ = open_lock(path);
    try {
        const int code = try_flock(descriptor_);
        if (code == EWOULDBLOCK || code == EINTR) throw HeldError(folder, owner_text(text_in(descriptor_)));
        if (code != 0 && rule.kind == LockKind::flock)
            throw run_error(
                path.string(), Phrase("cannot be locked: %1", std::generic_category().message(code)), {},
                "The file system does not support locks: use run.lock = \"lease\" or \"auto\", or "
                "choose a folder on another one.");
        const bool needs_lease = rule.kind == LockKind::lease ||
                                 (rule.kind == LockKind::automatic && (code != 0 || !is_local(descriptor_)));
        if (needs_lease) lease_ = Lease::take(folder, rule.lease_seconds);
        // Also without a lease of its own, another process may have one.
        if (!lease_)
            if (const auto owner = Lease::holder(folder)) throw HeldError(folder, *owner);
        if (needs_lease && !lease_) throw HeldError(folder, "another process");
        const auto text = (rule.makes_the_run ? owner_json(utc_now()) : "-") + "\n";
        if (::ftruncate(descriptor_, 0) == 0)
            (void)!::pwrite(descriptor_, text.data(), text.size(), 0);  // informative only
    } catch (...) {
        ::close(std::exchange(descriptor_, -1));
        throw;
    }
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), lease_(std::move(other.lease_)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(lease_, other.lease_);
    return *this;
}

FolderLock::~FolderLock() { let_go(descriptor_); }  // before the lease: the file is emptied while it is held

std::optional<std::string> FolderLock::holder(const fs::path& folder) {
    const Look look(folder);
    if (look.is_locked) return owner_text(look.text);
    // The file is empty unless it is held or its holder was killed.
    return look.text.empty() ? std::nullopt : Lease::holder(folder);
}

bool FolderLock::is_alive(const fs::path& folder) {
    return Look(folder).is_locked || Lease::is_alive(folder);
}

std::int64_t FolderLock::last_process(const fs::path& folder) {
    const auto owner = parse_json_or_discard(Look(folder).text);
    try {
        return owner.is_object() ? json_integer(owner, "pid", 0) : 0;
    } catch (const nlohmann::json::exception&) {
        return 0;  // unexpected type
    }
}

}  // namespace casp::store
