#pragma once
// MD5 and SHA-256 of bytes in memory, by OpenSSL.

#include <string>
#include <string_view>

namespace casp::data {

/// Lower-case hex. MD5 names files here (the benchmarks publish it); it protects nothing.
[[nodiscard]] std::string md5_hex(std::string_view bytes);
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace casp::data
