#pragma once
// Test for the existence of a path, with access errors counted as existing.

#include <filesystem>
#include <system_error>

namespace casp {

/// True also if the test fails (no permission, unresponsive drive): the code that opens the path then reports
/// the cause. Thread-safe.
[[nodiscard]] inline bool is_there(const std::filesystem::path& path) {
    std::error_code problem;
    return std::filesystem::exists(path, problem) || problem;
}

}  // namespace casp
