#pragma once
// SHA-256 of bytes and files (OpenSSL's libcrypto).

#include <cstddef>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "util/progress.h"

namespace casp {

/// Incremental SHA-256. Movable; one thread at a time.
class Digest {
public:
    Digest();
    Digest(Digest&&) noexcept;
    Digest& operator=(Digest&&) noexcept;
    ~Digest();

    void update(const void* bytes, std::size_t size);
    void update(std::string_view bytes) { update(bytes.data(), bytes.size()); }

    /// 64 lower-case hex digits. Resets the object for a new digest.
    [[nodiscard]] std::string finish();

private:
    struct Context;
    std::unique_ptr<Context> context_;
};

[[nodiscard]] std::string sha256_of(std::string_view bytes);

/// SHA-256 of a file's content, read in blocks of 1 MiB; `stop` is checked before each block. Throws an input
/// Error if the file cannot be read, and Cancelled.
[[nodiscard]] std::string sha256_of_file(const std::filesystem::path& path, const ProgressFn& progress = {},
                                         const std::stop_token& stop = {});

}  // namespace casp
