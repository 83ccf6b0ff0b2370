#pragma once
// Which devices have a run at the moment, so that pictures keep off them. Free of LibTorch's headers; any
// thread.

#include <cstdint>
#include <string>

namespace casp {

/// While it lives, a run of this process has the device of `name` (as run.device). One that cannot be had
/// counts for none: the run itself says why.
class DeviceUse {
public:
    explicit DeviceUse(const std::string& name);
    ~DeviceUse();
    DeviceUse(const DeviceUse&) = delete;
    DeviceUse& operator=(const DeviceUse&) = delete;

private:
    std::string device_;
};

/// How many runs of this process have `device` ("cpu", "cuda:0").
[[nodiscard]] int runs_on(const std::string& device);

/// Where a picture is computed that would like the device of `name` (as run.device): "cuda:N", or "cpu" where
/// that cannot be had here, has a run, or has less than `bytes` of free memory.
[[nodiscard]] std::string device_for_pictures(const std::string& name, std::int64_t bytes);

}  // namespace casp
