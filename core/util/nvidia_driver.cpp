#include "util/nvidia_driver.h"

#include <algorithm>
#include <filesystem>
#include <initializer_list>

namespace casp {

bool nvidia_driver_present() {
    const std::initializer_list<const char*> signs{"/proc/driver/nvidia/version", "/dev/nvidiactl",
                                                   "/usr/lib/wsl/lib/libcuda.so.1"};
    return std::any_of(signs.begin(), signs.end(), [](const char* file) {
        std::error_code unknown;
        return std::filesystem::exists(file, unknown);
    });
}

}  // namespace casp
