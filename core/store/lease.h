#pragma once
// Lease on a folder: the right to write there, held by a sign of life instead of a lock of the file system.
//
// The folder has files `.lease-N`; the highest N counts. Each names its owner and holds a counter that the
// owner increases ("beat") six times per period. Whoever wants the lease creates N + 1 exclusively, and only
// if N was released, its process is known to be dead, or its counter did not move for a whole period. The
// watcher counts that period itself and adds at most a sixth of it per look, so clocks of two machines are
// never compared, and a clock that jumps neither ends nor prolongs a lease. The last file stays when it is
// released, so that numbers never return.
//
// What remains: an owner that is stopped for a whole period (SIGSTOP, a frozen machine) and continues between
// its is_ours() and its write. Both then write the same bits: runs are deterministic, and files are replaced
// whole.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "util/phrase.h"

namespace casp::store {

/// Names of lease files begin with it.
inline constexpr std::string_view lease_prefix = ".lease-";

class Lease {
public:
    static constexpr int default_seconds = 60;

    /// Takes the lease of an existing folder; null if it is held. `seconds`: without beat, after which others
    /// may take it over. Throws a run Error if the folder cannot be written.
    [[nodiscard]] static std::unique_ptr<Lease> take(const std::filesystem::path& folder, int seconds);

    /// Who holds the lease ("process 123 on host since ..."), or nothing. Takes and changes nothing. An owner
    /// that went silent holds it until it was looked at for a whole period. Thread-safe.
    [[nodiscard]] static std::optional<std::string> holder(const std::filesystem::path& folder);

    /// Whether the holder is known to be alive: its process runs on this machine, or its counter has moved
    /// since this process first looked. Thread-safe.
    [[nodiscard]] static bool is_alive(const std::filesystem::path& folder);

    /// False if another process has taken it over. Reads the folder.
    [[nodiscard]] bool is_ours() const;

    /// Releases it. The folder may have been moved or removed meanwhile.
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

private:
    Lease(std::filesystem::path folder, std::int64_t number, int descriptor, int seconds);
    void beat(const std::stop_token& stop);
    /// Writes the file's content; false if that fails.
    bool write(bool released) noexcept;

    std::filesystem::path folder_;
    std::int64_t number_;
    int descriptor_;
    int seconds_;
    std::string since_;
    std::int64_t beats_ = 0;
    std::jthread beating_;
};

/// "process 123 on host since 2026-…" of the owner's JSON in a lock or lease file; "another process" if it
/// cannot be read.
[[nodiscard]] Phrase owner_text(std::string_view json);

/// The JSON of this process as owner: pid, host, since.
[[nodiscard]] std::string owner_json(const std::string& since);

}  // namespace casp::store
