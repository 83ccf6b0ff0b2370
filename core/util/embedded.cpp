#include "util/embedded.h"

#include <stdexcept>
#include <string>

namespace casp {

std::string_view embedded_file(std::string_view path) {
    for (const auto& file : embedded_files())
        if (file.path == path) return file.text;
    throw std::out_of_range("not embedded: " + std::string(path));
}

}  // namespace casp
