#pragma once
// How much memory there is and how much of it this process takes.

#include <cstdint>

namespace casp {

struct ProcessMemory {
    std::int64_t resident = 0;       ///< bytes now
    std::int64_t peak_resident = 0;  ///< bytes at most so far
};

/// From /proc/self/status; zeros where that cannot be read.
[[nodiscard]] ProcessMemory process_memory();

/// Bytes that can still be had without swapping (MemAvailable, or the rest of the cgroup's limit if that is
/// less); 0 where that cannot be told.
[[nodiscard]] std::int64_t available_memory();

}  // namespace casp
