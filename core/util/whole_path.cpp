#include "util/whole_path.h"

namespace casp {

std::filesystem::path whole_path(const std::filesystem::path& path) {
    auto whole = std::filesystem::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}

}  // namespace casp
