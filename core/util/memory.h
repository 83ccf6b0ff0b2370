#pragma once
// How much memory there is and how much of it this process takes.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace casp {

struct ProcessMemory {
    std::int64_t resident = 0;       ///< bytes now
    std::int64_t peak_resident = 0;  ///< bytes at most so far
};

/// From /proc/self/status; zeros where that cannot be read.
[[nodiscard]] ProcessMemory process_memory();

/// Bytes that the control groups of a process leave it; the largest int64 where none has a limit. Version 2
/// and 1; each group counts, from its own up to the root (systemd, SLURM and containers set limits in
/// between), and the files a group has read do not, because they give way. `membership`: /proc/self/cgroup as
/// text; `mount`: where the groups are, /sys/fs/cgroup.
[[nodiscard]] std::int64_t memory_left_by_groups(const std::string& membership,
                                                 const std::filesystem::path& mount);

/// Bytes that can still be had without swapping (MemAvailable, or what the control groups leave if that is
/// less); 0 where that cannot be told.
[[nodiscard]] std::int64_t available_memory();

/// Throws std::bad_alloc where so many bytes cannot be had now. Before calls of libraries that end the
/// program themselves when they find no memory; another thread may still take it in between.
void need_memory(std::size_t bytes);

/// Makes this process keep freed memory for its next use, up to 2 GB, instead of handing every large block
/// back to the system. Activations of a training step are tens of megabytes each: fetched anew, every page of
/// them is cleared by the system first, a tenth of the step's time. Call once at the start of a program that
/// trains. Does nothing where the C library offers no such choice.
void keep_freed_memory();

/// Hands back what is kept, for a program that goes on to do something else after a run.
void return_freed_memory();

}  // namespace casp
