#pragma once
// Atomic replacement of files: written under a temporary name, flushed, then renamed.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace casp::store {

/// Writer that replaces `destination` atomically: at any time, even after a kill or power failure, it has
/// either its previous or its complete new content.
///
/// The temporary file (`.NAME.PID-N.tmp`) is in the destination's folder, so that the rename stays within one
/// file system. Destruction without commit() removes it. Every failure (disk full, read-only, missing folder)
/// throws a run Error with the path and the system's message. One thread at a time.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path destination);
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();

    void write(const void* bytes, std::size_t size);
    void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }

    /// Flushes the file, renames it to the destination and flushes the folder. Not flushed, a power failure
    /// may lose it.
    void commit(bool flushed = true);

    [[nodiscard]] const std::filesystem::path& destination() const noexcept { return destination_; }
    [[nodiscard]] const std::filesystem::path& temporary() const noexcept { return temporary_; }

private:
    std::filesystem::path destination_;
    std::filesystem::path temporary_;
    int descriptor_ = -1;
};

/// Replaces a small file by `content`.
void write_file_atomically(const std::filesystem::path& destination, std::string_view content,
                           bool flushed = true);

/// Whether a file's name is a temporary one as above.
[[nodiscard]] bool is_temporary(const std::string& name);

/// Unique temporary name as above; does not create the file.
[[nodiscard]] std::filesystem::path temporary_name_for(const std::filesystem::path& destination);

/// Flushes `temporary`, renames it to `destination` and flushes the folder: for files written by a library.
void commit_file(const std::filesystem::path& temporary, const std::filesystem::path& destination);

/// Flushes (fsync) a file or a folder.
void sync_path(const std::filesystem::path& path);

/// Removes temporary files of killed writers directly in `folder`; returns their number. The caller holds the
/// folder's lock.
std::size_t remove_temporaries(const std::filesystem::path& folder);

/// Makes `to` a hard link to `from`, or a flushed copy if the file system has no hard links. Replaces `to`
/// atomically; `to` must not be modified in place afterwards.
void hard_link_or_copy(const std::filesystem::path& from, const std::filesystem::path& to);

/// Content of a text file of at most `limit` bytes. Throws an input Error with the file and the reason.
[[nodiscard]] std::string read_small_file(const std::filesystem::path& path, std::size_t limit = 64u << 20);

}  // namespace casp::store
