#pragma once
// Advice in errors about files written by a run. The user did not choose their paths, so "check the path"
// would not help.

#include <filesystem>
#include <utility>

#include "util/error.h"

namespace casp::store {

inline constexpr const char* damaged_own_file =
    "The file is damaged, or another program changed it: restore it from a copy, or start the run again "
    "under another name.";
inline constexpr const char* lost_own_file =
    "Runs write this file: restore it from a copy, or start the run again under another name.";

/// `problem` with `advice` if `path` does not exist or is not a regular file. Other advice (for example about
/// permissions) is kept.
[[nodiscard]] inline Error about_own_file(const Error& problem, const std::filesystem::path& path,
                                          const char* advice = lost_own_file) {
    using std::filesystem::file_type;
    std::error_code ignored;
    const auto type = std::filesystem::status(path, ignored).type();  // none: unknown
    auto parts = problem.parts();
    if (problem.kind() == ErrorKind::input && type != file_type::regular && type != file_type::none)
        parts.advice = advice;
    return {problem.kind(), std::move(parts)};
}

}  // namespace casp::store
