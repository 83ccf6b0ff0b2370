#pragma once
// Paths in one form, so that equal folders have equal paths.

#include <filesystem>

namespace casp {

/// Absolute, without "." and "..", without a trailing slash. Does not follow links. Thread-safe.
[[nodiscard]] std::filesystem::path whole_path(const std::filesystem::path& path);

}  // namespace casp
