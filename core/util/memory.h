#pragma once
// Memory used by this process and available on this machine.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace casp {

struct ProcessMemory {
    std::int64_t resident = 0;       ///< bytes, current
    std::int64_t peak_resident = 0;  ///< bytes, maximum so far
};

/// From /proc/self/status; zeros if that cannot be read.
[[nodiscard]] ProcessMemory process_memory();

/// Bytes left within the memory limits of a process's control groups (versions 1 and 2); the largest int64 if
/// there is no limit. All groups from the process's own up to the root count, since systemd, SLURM and
/// containers set limits at any level. Cached file pages are not counted as used, since the system reclaims
/// them. `membership`: content of /proc/self/cgroup; `mount`: /sys/fs/cgroup.
[[nodiscard]] std::int64_t memory_left_by_groups(const std::string& membership,
                                                 const std::filesystem::path& mount);

/// Bytes available without swapping: the smaller of MemAvailable and memory_left_by_groups(); 0 if unknown.
[[nodiscard]] std::int64_t available_memory();

/// Throws std::bad_alloc if `bytes` cannot be allocated now. For use before library calls that abort or crash
/// when memory runs out; another thread may still take the memory in between.
void need_memory(std::size_t bytes);

/// Asks the system for pages of 2 MB in [begin, begin + bytes), before its first use: clearing memory in
/// pages of 4 KB takes several times as long. No effect if the system has no such pages.
void prefer_large_pages(void* begin, std::size_t bytes);

/// Makes malloc keep freed memory (blocks up to 1 GB) for reuse instead of returning it to the system. A
/// training step allocates activations of tens of megabytes; without this, clearing their fresh pages costs a
/// tenth of the step's time. Call once at the start of a program that trains. No effect if the C library has
/// no such option.
void keep_freed_memory();

/// Makes threads that start later allocate from the same heap, so that what one has freed serves the others;
/// glibc otherwise gives each thread a separate one. No effect if the C library has no such option.
void share_freed_memory();

/// Returns the memory that keep_freed_memory() has kept to the system, as far as whole pages are free. No
/// effect if the C library cannot.
void return_freed_memory();

}  // namespace casp
