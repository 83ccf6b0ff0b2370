#pragma once
// SHA-256 and MD5 of bytes and files (OpenSSL's libcrypto).

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "util/progress.h"

namespace casp {

/// SHA-256 identifies content; MD5 only recognises the published copies of data sets that are listed with it.
enum class DigestKind { sha256, md5 };

/// A digest of bytes that come in pieces. Not shared between threads; movable.
class Digest {
public:
    explicit Digest(DigestKind kind);
    Digest(Digest&&) noexcept;
    Digest& operator=(Digest&&) noexcept;
    ~Digest();

    void update(const void* bytes, std::size_t size);
    void update(std::string_view bytes) { update(bytes.data(), bytes.size()); }

    /// Lower-case hex (64 digits of SHA-256, 32 of MD5). Afterwards the object starts anew.
    [[nodiscard]] std::string finish();

private:
    struct Context;
    DigestKind kind_;
    std::unique_ptr<Context> context_;
};

[[nodiscard]] std::string digest_of(DigestKind kind, std::string_view bytes);

/// Digest of a file's bytes, read 1 MiB at a time. Throws an input Error where the file cannot be read,
/// Cancelled within one piece of a stop request.
[[nodiscard]] std::string digest_of_file(DigestKind kind, const std::filesystem::path& path,
                                         const ProgressFn& progress = {}, const std::stop_token& stop = {});

[[nodiscard]] inline std::string sha256_of(std::string_view bytes) {
    return digest_of(DigestKind::sha256, bytes);
}
[[nodiscard]] inline std::string sha256_of_file(const std::filesystem::path& path) {
    return digest_of_file(DigestKind::sha256, path);
}

}  // namespace casp
