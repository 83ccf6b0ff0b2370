#pragma once
// Content of a whole data file in memory; compressed files are unpacked (packed_file.h).

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "util/phrase.h"
#include "util/progress.h"

namespace casp::data {

/// A file on disk as its system describes it: with another content it is no longer equal. A file that cannot
/// be looked at has the size -1.
struct FileState {
    std::filesystem::path path;
    std::uint64_t device = 0, number = 0;
    std::int64_t size = -1;
    std::int64_t modified = 0, changed = 0;  ///< nanoseconds since 1970

    bool operator==(const FileState&) const = default;
    [[nodiscard]] static FileState of(const std::filesystem::path& path);
    /// Whether the file may have been written after `time` without another state: file systems keep times in
    /// steps of up to two seconds.
    [[nodiscard]] bool is_fresh(std::chrono::system_clock::time_point time) const;
};

/// A block of uninitialised memory (clearing 67 MB would take a tenth of the import).
class Bytes {
public:
    Bytes() = default;
    /// Throws std::bad_alloc.
    explicit Bytes(std::size_t size);

    [[nodiscard]] char* data() { return memory_.get(); }
    [[nodiscard]] std::string_view view() const { return {memory_.get(), size_}; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Keeps the first bytes. Throws std::bad_alloc.
    void resize(std::size_t size);

    /// Of a packed file what was unpacked (PackedFile::origin()); else empty.
    Phrase unpacked_from;

private:
    struct Free {
        void operator()(char* p) const { std::free(p); }
    };
    std::unique_ptr<char, Free> memory_;
    std::size_t size_ = 0;
};

/// Reads the content of a regular file: of a packed one (gzip, bzip2, xz, Zstandard; zip archives with one
/// data file) what it holds. Reports progress in bytes of the file on the calling thread. Throws an input
/// Error if the file does not exist, is not readable, is a folder, pipe or device, is modified while being
/// read, cannot be unpacked (PackedFile), or does not fit into memory (unpacked: into half of the free
/// memory); and Cancelled. If another file is renamed over `path` meanwhile, the original file is read to its
/// end.
[[nodiscard]] Bytes read_file(const std::filesystem::path& path, int threads, const ProgressFn& progress,
                              const std::stop_token& stop);

/// The first bytes of the content, at most `count`. `expected` and Errors as of RegularFile and PackedFile.
[[nodiscard]] std::string head_of_content(const std::filesystem::path& path, std::size_t count,
                                          const Phrase& expected);

/// SHA-256 of the content, the digest of the bytes of read_file(). Errors as sha256_of_file() and PackedFile.
[[nodiscard]] std::string content_digest(const std::filesystem::path& path, const std::stop_token& stop = {});

}  // namespace casp::data
