#pragma once
// List of this machine's devices, for selection by the user. Does not include LibTorch's headers.

#include <cstdint>
#include <string>
#include <vector>

namespace casp {

struct DeviceInfo {
    std::string name;            ///< value for run.device: "cpu", "cuda:0"; "cuda" if no GPU is usable
    std::string hardware;        ///< "NVIDIA H200", "AMD EPYC 7763"
    std::int64_t total = 0;      ///< bytes of memory; 0: unknown
    std::int64_t available = 0;  ///< bytes available now
    std::string problem;         ///< why the device is not usable although a driver is present; empty: usable
};

/// The CPU, then every GPU. If a driver is present but CUDA does not work, one entry holds the reason. With a
/// driver, the first call loads LibTorch's CUDA library (seconds, a gigabyte): call it on a worker thread.
[[nodiscard]] std::vector<DeviceInfo> list_devices();

}  // namespace casp
