#pragma once
// Safe opening of untrusted paths: never blocks, accepts regular files only.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "util/phrase.h"

namespace casp {

/// A regular file, open for reading during the lifetime of this object.
///
/// Opening a pipe without a writer would block for ever, and reading a device may never end: both throw at
/// once.
class RegularFile {
public:
    /// `expected` completes "expected ...", e.g. "a CSV file". Throws an input Error if the path does not
    /// exist, is not readable, or is a folder, pipe, socket or device; a run Error if the process has no file
    /// handles left.
    RegularFile(const std::filesystem::path& path, const Phrase& expected);
    RegularFile(const RegularFile&) = delete;
    RegularFile& operator=(const RegularFile&) = delete;
    ~RegularFile();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }  ///< at the time of opening

    /// The whole content. Throws an input Error if it is longer than `limit` bytes or cannot be read.
    [[nodiscard]] std::string read_all(std::size_t limit) const;

    /// Fills `out` with the bytes from `offset`. Throws an input Error if the file cannot be read or has
    /// become shorter since it was opened. Thread-safe.
    void read_at(std::uint64_t offset, std::span<std::byte> out) const;

private:
    std::filesystem::path path_;
    Phrase expected_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

}  // namespace casp
