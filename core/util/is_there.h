#pragma once
// Whether there is anything to read.

#include <filesystem>
#include <system_error>

namespace casp {

/// True also where that cannot be told (no permission, a drive that does not answer): what is wrong with it,
/// its reader tells. Any thread.
[[nodiscard]] inline bool is_there(const std::filesystem::path& path) {
    std::error_code problem;
    return std::filesystem::exists(path, problem) || problem;
}

}  // namespace casp
