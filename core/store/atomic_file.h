#pragma once
// Files that are either complete or not there: written under a temporary name, flushed, then renamed.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace casp::store {

/// Writes a file so that at any moment, also after a kill or a power failure, `destination` is either what it
/// was before or the complete new content.
///
/// The temporary stands in the destination's folder (`.NAME.PID-N.tmp`), so the rename stays inside one file
/// system. Destruction without commit() removes it. Every failure (disk full, read-only, folder missing) is a
/// run Error with the path and the system's own words. One thread at a time.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path destination);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();

    void write(const void* bytes, std::size_t size);
    void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }

    /// fsync of the file, rename onto the destination, fsync of the folder.
    void commit();

    [[nodiscard]] const std::filesystem::path& destination() const noexcept { return destination_; }
    [[nodiscard]] const std::filesystem::path& temporary() const noexcept { return temporary_; }

private:
    std::filesystem::path destination_;
    std::filesystem::path temporary_;
    int descriptor_ = -1;
};

/// The whole of a small file at once.
void write_file_atomically(const std::filesystem::path& destination, std::string_view content);

/// A name of the form above that no other writer uses; the file is not created.
[[nodiscard]] std::filesystem::path temporary_name_for(const std::filesystem::path& destination);

/// fsync of `temporary`, rename onto `destination`, fsync of the folder: for files that a library wrote.
void commit_file(const std::filesystem::path& temporary, const std::filesystem::path& destination);

/// fsync of a file or a folder.
void sync_path(const std::filesystem::path& path);

/// Removes the temporaries that killed writers left in `folder` (not below it); returns how many. Only for
/// who holds the folder's lock.
std::size_t remove_temporaries(const std::filesystem::path& folder);

/// Makes `to` the same file as `from`: a hard link where the file system allows one, else a flushed copy.
/// `to` is replaced atomically; it must not be written in place afterwards (everything here replaces files
/// whole).
void hard_link_or_copy(const std::filesystem::path& from, const std::filesystem::path& to);

/// The whole of a text file of at most `limit` bytes; an input Error names the file and what is wrong.
[[nodiscard]] std::string read_small_file(const std::filesystem::path& path, std::size_t limit = 64u << 20);

}  // namespace casp::store
