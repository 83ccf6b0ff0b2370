#pragma once
// Registry of the devices used by runs, so that views (PCA, t-SNE) avoid them. Does not include LibTorch's
// headers; thread-safe.

#include <cstdint>
#include <string>

namespace casp {

/// Registers a run on the device `name` (as in run.device) for the lifetime of this object. An unavailable
/// device is ignored; the run itself reports the error.
class DeviceUse {
public:
    explicit DeviceUse(const std::string& name);
    ~DeviceUse();
    DeviceUse(const DeviceUse&) = delete;
    DeviceUse& operator=(const DeviceUse&) = delete;

private:
    std::string device_;
};

/// Number of runs of this process on `device` ("cpu", "cuda:0").
[[nodiscard]] int runs_on(const std::string& device);

/// Device for computing a view that prefers the device `name` (as in run.device): "cuda:N", or "cpu" if that
/// device is unavailable, is used by a run, or has less than `bytes` of free memory.
[[nodiscard]] std::string device_for_pictures(const std::string& name, std::int64_t bytes);

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
