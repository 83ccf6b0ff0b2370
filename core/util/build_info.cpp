#include "util/build_info.h"

namespace casp {

std::string program_version() { return CASP_VERSION; }

// Weak: only the executables are linked again after a commit, and no library or test.
[[gnu::weak]] BuildInfo build_info() { return {}; }

std::string commit_text(const BuildInfo& info) {
    constexpr std::size_t digits = 10;
    if (info.commit.empty()) return "unknown commit";
    auto text = std::string(info.commit.substr(0, digits));
    if (!info.date.empty()) text += ", " + std::string(info.date);
    return text;
}

}  // namespace casp
