#include "util/memory.h"

#if defined(__GLIBC__) || __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace casp {

namespace {

/// Value of "Key:   123 kB" in bytes; 0 if there is no such line.
std::int64_t kilobyte_line(const char* file, const std::string& key) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
        if (line.rfind(key, 0) == 0) return std::strtoll(line.c_str() + key.size(), nullptr, 10) * 1024;
    return 0;
}

std::int64_t stat_line(const std::string& key) {
    std::ifstream stream("/sys/fs/cgroup/memory.stat");
    std::string name;
    std::int64_t value = 0;
    while (stream >> name >> value)
        if (name == key) return value;
    return 0;
}

std::int64_t number_in(const char* file) {
    std::ifstream stream(file);
    std::int64_t value = 0;
    return stream >> value ? value : 0;  // "max" is no number: no limit
}

}  // namespace

ProcessMemory process_memory() {
    return {kilobyte_line("/proc/self/status", "VmRSS:"), kilobyte_line("/proc/self/status", "VmHWM:")};
}

std::int64_t available_memory() {
    auto available = kilobyte_line("/proc/meminfo", "MemAvailable:");
    const auto limit = number_in("/sys/fs/cgroup/memory.max");
    // What the group uses includes the page cache, which gives way.
    const auto cache = stat_line("inactive_file") + stat_line("active_file");
    if (limit > 0)
        available = std::min(available, std::max<std::int64_t>(
                                            0, limit - (number_in("/sys/fs/cgroup/memory.current") - cache)));
    return available;
}

void keep_freed_memory() {
#ifdef M_TRIM_THRESHOLD
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    // C libraries before 2.35 refuse a threshold above 32 MB; without mappings they do the same.
    if (mallopt(M_MMAP_THRESHOLD, 1 << 30) == 0) mallopt(M_MMAP_MAX, 0);
#endif
}

void return_freed_memory() {
#ifdef M_TRIM_THRESHOLD
    malloc_trim(0);
#endif
}

}  // namespace casp
