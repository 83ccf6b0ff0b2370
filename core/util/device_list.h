#pragma once
// The devices of this machine, for people to choose from. Free of LibTorch's headers.

#include <cstdint>
#include <string>
#include <vector>

namespace casp {

struct DeviceInfo {
    std::string name;            ///< as in run.device: "cpu", "cuda:0"; "cuda" where no GPU can be used
    std::string hardware;        ///< "NVIDIA H200", "AMD EPYC 7763"
    std::int64_t total = 0;      ///< bytes of memory; 0: not known
    std::int64_t available = 0;  ///< bytes of it that can be had now
    std::string problem;         ///< why it cannot be used although a driver is there; empty: it can
};

/// The CPU first, then every GPU. Where a driver is there and CUDA does not work, one entry says why. With a
/// driver the first call loads CUDA's part of LibTorch (seconds, a gigabyte): call it from a worker thread.
[[nodiscard]] std::vector<DeviceInfo> list_devices();

}  // namespace casp
