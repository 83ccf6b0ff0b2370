#pragma once
// SHA-256 and MD5 digests of bytes and files (OpenSSL's libcrypto).

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "util/progress.h"

namespace casp {

/// SHA-256 identifies content. MD5 is used only to recognise published data sets that list no other digest.
enum class DigestKind { sha256, md5 };

/// Incremental digest. Movable; one thread at a time.
class Digest {
public:
    explicit Digest(DigestKind kind);
    Digest(Digest&&) noexcept;
    Digest& operator=(Digest&&) noexcept;
    ~Digest();

    void update(const void* bytes, std::size_t size);
    void update(std::string_view bytes) { update(bytes.data(), bytes.size()); }

    /// Lower-case hex digits (64 for SHA-256, 32 for MD5). Resets the object for a new digest.
    [[nodiscard]] std::string finish();

private:
    struct Context;
    DigestKind kind_;
    std::unique_ptr<Context> context_;
};

[[nodiscard]] std::string digest_of(DigestKind kind, std::string_view bytes);

/// Digest of a file's content, read in blocks of 1 MiB; `stop` is checked before each block. Throws an input
/// Error if the file cannot be read, and Cancelled.
[[nodiscard]] std::string digest_of_file(DigestKind kind, const std::filesystem::path& path,
                                         const ProgressFn& progress = {}, const std::stop_token& stop = {});

[[nodiscard]] inline std::string sha256_of(std::string_view bytes) {
    return digest_of(DigestKind::sha256, bytes);
}
[[nodiscard]] inline std::string sha256_of_file(const std::filesystem::path& path) {
    return digest_of_file(DigestKind::sha256, path);
}

}  // namespace casp
