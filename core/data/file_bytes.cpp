#include "data/file_bytes.h"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>

#include "util/error.h"
#include "util/memory.h"
#include "util/parallel.h"
#include "util/regular_file.h"

namespace casp::data {

namespace {

constexpr const char* check_disk = "Check the disk it is on.";

bool same_state(const struct stat& a, const struct stat& b) {
    return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
           a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

/// The error for a file of `size` bytes that was modified while being read.
Error changed(const RegularFile& file, std::size_t size) {
    struct stat now {};
    std::string how = "another program wrote to it";
    if (::fstat(file.descriptor(), &now) == 0 && static_cast<std::size_t>(now.st_size) != size)
        how = "it had " + std::to_string(size) + " bytes before and " + std::to_string(now.st_size) + " now";
    return input_error(file.path().string(), "the file changed while it was being read: " + how,
                       "a file that no program is writing to", "Try again when it is complete.");
}

}  // namespace

Bytes::Bytes(std::size_t size)
    : memory_(static_cast<char*>(std::malloc(std::max<std::size_t>(size, 1)))), size_(size) {
    if (!memory_) throw std::bad_alloc();
    prefer_large_pages(memory_.get(), size);
}

Bytes read_file(const std::filesystem::path& path, int threads, const ProgressFn& progress,
                const std::stop_token& stop) {
    const std::string where = path.string();
    const RegularFile file(path, "a CSV file");
    struct stat before {};
    if (::fstat(file.descriptor(), &before) != 0)
        throw input_error(where, std::string("the file cannot be read: ") + std::strerror(errno),
                          "a CSV file", check_disk);
    const auto size = static_cast<std::size_t>(before.st_size);
    Bytes bytes;
    try {
        bytes = Bytes(size);
    } catch (const std::bad_alloc&) {
        throw input_error(where, "the file (" + std::to_string(size) + " bytes) does not fit into memory",
                          "a smaller file, or more free memory", "Close other programs, or split the file.");
    }
    constexpr std::size_t block = 4u << 20u;
    std::atomic<std::size_t> done{0};
    parallel_for((size + block - 1) / block, threads, [&](std::size_t index, int worker) {
        throw_if_stopped(stop);
        std::size_t offset = index * block;
        const std::size_t end = std::min(offset + block, size);
        while (offset < end) {
            const ssize_t got =
                ::pread(file.descriptor(), bytes.data() + offset, end - offset, static_cast<off_t>(offset));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0)
                throw input_error(where, std::string("the file cannot be read: ") + std::strerror(errno),
                                  "a CSV file", check_disk);
            if (got == 0) throw changed(file, size);  // the file became shorter
            offset += static_cast<std::size_t>(got);
            done += static_cast<std::size_t>(got);
        }
        if (worker == 0 && progress)
            progress({"reading " + path.filename().string(), static_cast<std::int64_t>(done.load()),
                      static_cast<std::int64_t>(size), "bytes"});
    });
    struct stat after {};
    if (::fstat(file.descriptor(), &after) != 0 || !same_state(before, after)) throw changed(file, size);
    return bytes;
}

}  // namespace casp::data
