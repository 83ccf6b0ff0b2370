#pragma once
// The commit that this program was built from.

#include <string>
#include <string_view>

namespace casp {

/// Of the project in CMakeLists.txt: "1.0.0". One file is compiled again when it changes.
[[nodiscard]] std::string program_version();

/// Empty where it is unknown: in the tests, and in a build from neither a git checkout nor its archive.
struct BuildInfo {
    std::string_view commit;  ///< 40 hexadecimal digits
    std::string_view date;    ///< of the commit: "2026-11-26"
};

/// The generated commit.cpp of the executables overrides this function (packaging/cmake/CaspCommit.cmake).
[[nodiscard]] BuildInfo build_info();

/// "abc1234def, 2026-11-26", or "unknown commit".
[[nodiscard]] std::string commit_text(const BuildInfo& info);

}  // namespace casp
