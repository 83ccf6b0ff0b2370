#pragma once
// Which device a run computes on, and how CUDA comes into a program that was not linked against it.

#include <cstdint>
#include <string>

#include <c10/core/Device.h>

namespace casp {

/// Resolves `run.device`: "auto", "cpu", "cuda" or "cuda:N".
///
/// "cpu" (and "auto" on a machine without an NVIDIA driver) never maps libtorch_cuda, cuBLAS, cuDNN or the
/// driver. Anything else first loads `libtorch_cuda.so` from LibTorch's folder, once per process, before CUDA
/// is asked about: LibTorch looks its CUDA hooks up once and keeps what it found. It also switches TF32 off
/// (an environment variable of NVIDIA's containers switches it on), so that fp32 means fp32. Throws an input
/// Error where the device cannot be had, with the loader's or driver's own words.
[[nodiscard]] c10::Device resolve_device(const std::string& name);

/// Why "auto" means the CPU on a machine with an NVIDIA driver, in the loader's own words; empty without a
/// driver and where CUDA can be used. After resolve_device().
[[nodiscard]] std::string cuda_problem();

/// True where an NVIDIA driver is loaded (a file in /proc or /dev says so; nothing is mapped to find out).
[[nodiscard]] bool nvidia_driver_present();

/// A line for the run file and the log: processor or GPU by name, cores, memory.
[[nodiscard]] std::string hardware_name(const c10::Device& device);

/// Bytes of memory; zero where something cannot be told.
struct DeviceMemory {
    std::int64_t total = 0;
    std::int64_t available = 0;     ///< what this process can still get (of its allocator's reserve, too)
    std::int64_t used = 0;          ///< CPU: resident set. GPU: what LibTorch's allocator holds
    std::int64_t peak_used = 0;     ///< the most of it so far
    std::int64_t peak_tensors = 0;  ///< GPU: the most that tensors took at once
};

/// Asks system or driver; on a GPU cheap and without waiting for kernels.
[[nodiscard]] DeviceMemory device_memory(const c10::Device& device);

/// Peaks count from now on. Does nothing on the CPU, whose peak the system keeps.
void reset_peak_memory(const c10::Device& device);

/// Gives the memory that LibTorch's allocator keeps in reserve on a GPU back to the driver.
void release_reserved_memory(const c10::Device& device);

/// Waits until all work given to the device is done.
void synchronise(const c10::Device& device);

/// LibTorch's own version, e.g. "2.11.0".
[[nodiscard]] std::string libtorch_version();

}  // namespace casp
