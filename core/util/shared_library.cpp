#include "util/shared_library.h"

#include <dlfcn.h>

#include <stdexcept>

namespace casp {

SharedLibrary::SharedLibrary(const std::vector<std::string>& names) {
    for (const auto& name : names) {  // what another library has loaded rather than its neighbour
        library_ = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
        if (library_ != nullptr) return;
    }
    std::string problem;
    for (const auto& name : names) {
        library_ = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (library_ != nullptr) return;
        if (problem.empty()) problem = dlerror();
    }
    throw std::runtime_error(problem);
}

void* SharedLibrary::address(const char* name) const {
    void* found = dlsym(library_, name);
    if (found == nullptr) throw std::runtime_error(dlerror());
    return found;
}

}  // namespace casp
