#pragma once
// What to do about a file that a run wrote itself. Nobody chose its path, so that "check the path" helps
// nobody.

#include <filesystem>
#include <utility>

#include "util/error.h"

namespace casp::store {

inline constexpr const char* damaged_own_file =
    "The file is damaged, or another program changed it: put a copy of it back, or start the run again under "
    "another name.";
inline constexpr const char* lost_own_file =
    "A run writes this file itself: put a copy of it back, or start the run again under another name.";

/// `problem`, with `advice` where there is no file at `path` or something else than a file. Other advice
/// (about permissions, say) is kept.
[[nodiscard]] inline Error about_own_file(const Error& problem, const std::filesystem::path& path,
                                          const char* advice = lost_own_file) {
    using std::filesystem::file_type;
    std::error_code ignored;
    const auto type = std::filesystem::status(path, ignored).type();  // none: it cannot be told
    auto parts = problem.parts();
    if (problem.kind() == ErrorKind::input && type != file_type::regular && type != file_type::none)
        parts.advice = advice;
    return {problem.kind(), std::move(parts)};
}

}  // namespace casp::store
