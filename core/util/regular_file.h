#pragma once
// Opening files of unknown origin: never waits, never takes something else for a file.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace casp {

/// A regular file, open for reading as long as this lives.
///
/// Opening a pipe without a writer would wait for ever, and reading a device may never end: both are refused
/// here, at once, with the words that a person needs.
class RegularFile {
public:
    /// `expected` completes "expected ...", e.g. "a CSV file". Throws an input Error: not there, no
    /// permission, a folder, a pipe, a device; a run Error where the machine is at its limits (no more file
    /// handles).
    RegularFile(const std::filesystem::path& path, const std::string& expected);
    RegularFile(const RegularFile&) = delete;
    RegularFile& operator=(const RegularFile&) = delete;
    ~RegularFile();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }  ///< when it was opened

    /// All of it. Throws an input Error where it has more than `limit` bytes or cannot be read.
    [[nodiscard]] std::string read_all(std::size_t limit) const;

    /// Fills `out` with the bytes from `offset`. Throws an input Error where the file cannot be read, or has
    /// become too short since it was opened. Any thread, several at once.
    void read_at(std::uint64_t offset, std::span<std::byte> out) const;

private:
    std::filesystem::path path_;
    std::string expected_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
};

}  // namespace casp
