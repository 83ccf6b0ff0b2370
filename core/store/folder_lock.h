#pragma once
// Exclusive right to write a folder, held by one process (and one object) at a time.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "store/lease.h"
#include "util/error.h"

namespace casp::store {

/// How a folder is held: by flock, which the system releases when the process ends for any reason; or by a
/// lease (lease.h), for file systems where flock fails or holds on one machine only.
enum class LockKind {
    automatic,  ///< flock; and a lease where flock fails, or the file system may be shared between machines
    flock,      ///< flock only: an error where it fails
    lease       ///< a lease; flock as well where it works
};

struct LockRule {
    LockKind kind = LockKind::automatic;
    int lease_seconds = Lease::default_seconds;  ///< without beat, after which a lease is taken over
    bool makes_the_run = true;  ///< else last_process() does not name this process: it only writes a status
};

/// Input Error for a folder that another process (or object) holds.
class HeldError : public Error {
public:
    HeldError(const std::filesystem::path& folder, const Phrase& owner);
};

/// Whether a file of that name in a run folder matters to the process that writes there alone: lock, leases,
/// temporary files.
[[nodiscard]] bool belongs_to_writer(const std::string& name);

/// Holds `.lock` in an existing folder, which contains pid, host and time for the message of another process,
/// and with a lease also `.lease-N`. Where flock works, whoever holds it by flock alone is seen by those who
/// use a lease, and the reverse. Movable; any thread.
class FolderLock {
public:
    /// Throws HeldError; a run Error if the folder cannot be written or locked.
    explicit FolderLock(const std::filesystem::path& folder, const LockRule& rule = {});
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&& other) noexcept;
    ~FolderLock();

    /// The holder ("process 123 on host since ..."), or nothing. Does not acquire the lock.
    [[nodiscard]] static std::optional<std::string> holder(const std::filesystem::path& folder);

    /// Whether the holder is known to be alive: by flock, by its process on this machine, or by a beat of its
    /// lease that this process has seen. Call repeatedly.
    [[nodiscard]] static bool is_alive(const std::filesystem::path& folder);

    /// Process id of the last holder that made the run and did not release the folder; 0: none.
    [[nodiscard]] static std::int64_t last_process(const std::filesystem::path& folder);

    /// False if the lease was taken over, because no beat of it was seen for its period.
    [[nodiscard]] bool is_ours() const { return !lease_ || lease_->is_ours(); }

private:
    int descriptor_ = -1;
    std::unique_ptr<Lease> lease_;
};

}  // namespace casp::store
