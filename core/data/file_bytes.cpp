#include "data/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "data/packed_file.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/memory.h"
#include "util/parallel.h"
#include "util/regular_file.h"
#include "util/units.h"

namespace casp::data {

namespace {

constexpr const char* check_disk = "Check the disk it is on.";

bool same_state(const struct stat& a, const struct stat& b) {
    return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
           a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

std::int64_t nanoseconds(const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// The error for a file of `size` bytes that was modified while being read.
Error changed(const RegularFile& file, std::size_t size) {
    struct stat now {};
    Phrase how = "another program wrote to it";
    if (::fstat(file.descriptor(), &now) == 0 && static_cast<std::size_t>(now.st_size) != size)
        how = Phrase("it had %1 bytes before and %2 now", size, now.st_size);
    return input_error(file.path().string(), Phrase("the file changed while it was being read: %1", how),
                       "a file that no program is writing to", "Try again when it is complete.");
}

std::string head_of_file(const RegularFile& file, std::size_t count) {
    std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), count)), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(head)));
    return head;
}

Bytes unpacked(const RegularFile& file, const ProgressFn& progress, const std::stop_token& stop) {
    constexpr std::size_t part = std::size_t{4} << 20;
    PackedFile packed(file, stop);
    const auto free_memory = available_memory();
    const auto most = free_memory > 0 ? static_cast<std::size_t>(free_memory) / 2 : SIZE_MAX;
    Bytes bytes(part);
    std::size_t done = 0;
    for (;;) {
        throw_if_stopped(stop);
        if (bytes.size() - done < part) bytes.resize(2 * bytes.size());
        const auto got = packed.read({bytes.data() + done, part});
        done += got;
        if (done > most)
            throw input_error(file.path().string(),
                              Phrase("its unpacked content has more than %1, half of the free memory",
                                     bytes_text(static_cast<std::int64_t>(most))),
                              "content that fits into memory",
                              "Close other programs, or use a machine with more memory.");
        if (progress)
            progress({{Stage::unpacking, file.path().filename().string()},
                      packed.packed_bytes(),
                      static_cast<std::int64_t>(file.size()),
                      "bytes"});
        if (got < part) break;
    }
    bytes.resize(done);
    bytes.unpacked_from = packed.origin();
    return bytes;
}

}  // namespace

FileState FileState::of(const std::filesystem::path& path) {
    struct stat now {};
    // Opening the file makes a network file system ask its server.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool known = file >= 0 ? ::fstat(file, &now) == 0 : ::stat(path.c_str(), &now) == 0;
    if (file >= 0) (void)::close(file);
    if (!known) return {path};
    return {path,
            now.st_dev,
            now.st_ino,
            static_cast<std::int64_t>(now.st_size),
            nanoseconds(now.st_mtim),
            nanoseconds(now.st_ctim)};
}

bool FileState::is_fresh(std::chrono::system_clock::time_point time) const {
    const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch());
    return since.count() - changed < 2'000'000'000;
}

Bytes::Bytes(std::size_t size)
    : memory_(static_cast<char*>(std::malloc(std::max<std::size_t>(size, 1)))), size_(size) {
    if (!memory_) throw std::bad_alloc();
    prefer_large_pages(memory_.get(), size);
}

void Bytes::resize(std::size_t size) {
    void* const moved = std::realloc(memory_.get(), std::max<std::size_t>(size, 1));
    if (moved == nullptr) throw std::bad_alloc();
    (void)memory_.release();
    memory_.reset(static_cast<char*>(moved));
    size_ = size;
}

Bytes read_file(const std::filesystem::path& path, int threads, const ProgressFn& progress,
                const std::stop_token& stop) {
    const std::string where = path.string();
    const RegularFile file(path, "a CSV file");
    struct stat before {};
    if (::fstat(file.descriptor(), &before) != 0)
        throw input_error(where, Phrase("the file cannot be read: %1", std::strerror(errno)), "a CSV file",
                          check_disk);
    const auto size = static_cast<std::size_t>(before.st_size);
    const auto check_unchanged = [&] {
        struct stat after {};
        if (::fstat(file.descriptor(), &after) != 0 || !same_state(before, after)) throw changed(file, size);
    };
    Bytes bytes;
    try {
        if (is_packed(head_of_file(file, packed_head_bytes))) {
            bytes = unpacked(file, progress, stop);
            check_unchanged();
            return bytes;
        }
        bytes = Bytes(size);
    } catch (const std::bad_alloc&) {
        throw input_error(where, Phrase("the file (%1 bytes) does not fit into memory", size),
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
                throw input_error(where, Phrase("the file cannot be read: %1", std::strerror(errno)),
                                  "a CSV file", check_disk);
            if (got == 0) throw changed(file, size);  // the file became shorter
            offset += static_cast<std::size_t>(got);
            done += static_cast<std::size_t>(got);
        }
        if (worker == 0 && progress)
            progress({{Stage::reading, path.filename().string()},
                      static_cast<std::int64_t>(done.load()),
                      static_cast<std::int64_t>(size),
                      "bytes"});
    });
    check_unchanged();
    return bytes;
}

std::string head_of_content(const std::filesystem::path& path, std::size_t count, const Phrase& expected) {
    const RegularFile file(path, expected);
    auto head = head_of_file(file, std::max(count, packed_head_bytes));
    if (is_packed(head)) {
        head.resize(count);
        head.resize(PackedFile(file).read(head));
    }
    head.resize(std::min(head.size(), count));
    return head;
}

std::string content_digest(const std::filesystem::path& path, const std::stop_token& stop) {
    const RegularFile file(path, "a data file");
    if (!is_packed(head_of_file(file, packed_head_bytes))) return sha256_of_file(path, {}, stop);
    PackedFile packed(file, stop);
    std::vector<char> part(std::size_t{1} << 20);
    Digest digest;
    for (std::size_t got = part.size(); got == part.size();) {
        throw_if_stopped(stop);
        got = packed.read(part);
        digest.update(part.data(), got);
    }
    return digest.finish();
}

}  // namespace casp::data
