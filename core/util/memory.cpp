#include "util/memory.h"

#if defined(__GLIBC__) || __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <sstream>
#include <string>

namespace casp {

namespace fs = std::filesystem;

namespace {

/// Value of a line "Key: 123 kB" in bytes; 0 if there is no such line.
std::int64_t kilobyte_line(const char* file, const std::string& key) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
        if (line.rfind(key, 0) == 0) return std::strtoll(line.c_str() + key.size(), nullptr, 10) * 1024;
    return 0;
}

/// Value of a line "key 123"; 0 if there is no such line.
std::int64_t stat_line(const fs::path& file, const std::string& key) {
    std::ifstream stream(file);
    std::string name;
    std::int64_t value = 0;
    while (stream >> name >> value)
        if (name == key) return value;
    return 0;
}

std::int64_t number_in(const fs::path& file) {
    std::ifstream stream(file);
    std::int64_t value = 0;
    return stream >> value ? value : 0;  // "max": no limit
}

constexpr auto unlimited = std::numeric_limits<std::int64_t>::max();

/// Bytes left within one group's limit. Versions 1 and 2 name the files differently.
std::int64_t left_in(const fs::path& group, bool first_version) {
    const auto limit = number_in(group / (first_version ? "memory.limit_in_bytes" : "memory.max"));
    if (limit <= 0) return unlimited;
    const auto used = number_in(group / (first_version ? "memory.usage_in_bytes" : "memory.current"));
    const std::string prefix = first_version ? "total_" : "";
    const auto statistics = group / "memory.stat";
    const auto files =
        stat_line(statistics, prefix + "inactive_file") + stat_line(statistics, prefix + "active_file");
    return std::max<std::int64_t>(0, limit - std::max<std::int64_t>(0, used - files));
}

}  // namespace

ProcessMemory process_memory() {
    return {kilobyte_line("/proc/self/status", "VmRSS:"), kilobyte_line("/proc/self/status", "VmHWM:")};
}

std::int64_t memory_left_by_groups(const std::string& membership, const fs::path& mount) {
    std::int64_t left = unlimited;
    std::istringstream lines(membership);
    // "0::/path" is version 2, "4:memory,cpu:/path" version 1.
    for (std::string line; std::getline(lines, line);) {
        const auto kinds = line.find(':');
        const auto path = kinds == std::string::npos ? kinds : line.find(':', kinds + 1);
        if (path == std::string::npos) continue;
        const auto names = ',' + line.substr(kinds + 1, path - kinds - 1) + ',';
        const bool second_version = names == ",,";
        if (!second_version && names.find(",memory,") == std::string::npos) continue;
        const auto root = second_version ? mount : mount / "memory";
        // Inside a container the path does not exist below `mount`; walking up ends at the container's own
        // group.
        for (auto group = fs::path(line.substr(path + 1)).relative_path();; group = group.parent_path()) {
            left = std::min(left, left_in(group.empty() ? root : root / group, !second_version));
            if (group.empty()) break;
        }
    }
    return left;
}

std::int64_t available_memory() {
    std::ifstream membership("/proc/self/cgroup");
    const std::string text{std::istreambuf_iterator<char>(membership), {}};
    return std::min(kilobyte_line("/proc/meminfo", "MemAvailable:"),
                    memory_left_by_groups(text, "/sys/fs/cgroup"));
}

void need_memory(std::size_t bytes) {
    const std::unique_ptr<char[]> room(new char[bytes]);
    *static_cast<volatile char*>(room.get()) = 0;  // a write that the compiler cannot remove
}

void prefer_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    const auto inside =
        reinterpret_cast<std::uintptr_t>(begin) % static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    (void)madvise(static_cast<char*>(begin) - inside, inside + bytes, MADV_HUGEPAGE);
#endif
}

void keep_freed_memory() {
#ifdef M_TRIM_THRESHOLD
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    // glibc before 2.35 rejects a threshold above 32 MB; disabling mmap has the same effect.
    if (mallopt(M_MMAP_THRESHOLD, 1 << 30) == 0) mallopt(M_MMAP_MAX, 0);
#endif
}

void share_freed_memory() {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, 1);
#endif
}

void return_freed_memory() {
#ifdef M_TRIM_THRESHOLD
    malloc_trim(0);
#endif
}

}  // namespace casp
