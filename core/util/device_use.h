#pragma once
// Devices by name and their memory. Does not include LibTorch's headers; thread-safe.

#include <cstdint>
#include <string>

namespace casp {

/// Whether run.device `name` is the CPU here; false for a device that is unavailable.
[[nodiscard]] bool is_on_cpu(const std::string& name);

/// Memory of a device in bytes.
struct DeviceRoom {
    std::int64_t free = 0;  ///< that no program has
    std::int64_t used = 0;  ///< that LibTorch's allocator has for this process; of the CPU: the process
};
/// As runs report the device ("cuda:0"); zeros: unknown.
[[nodiscard]] DeviceRoom room_on(const std::string& device);

}  // namespace casp
