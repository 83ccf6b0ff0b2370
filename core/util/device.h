#pragma once
// Which device a run computes on, and how CUDA comes into a program that was not linked against it.

#include <string>

#include <c10/core/Device.h>

namespace casp {

/// Resolves `run.device`: "auto", "cpu", "cuda" or "cuda:N".
///
/// "cpu" (and "auto" on a machine without an NVIDIA driver) never maps libtorch_cuda, cuBLAS, cuDNN or the
/// driver. Anything else first loads `libtorch_cuda.so` from LibTorch's folder, once per process, before CUDA
/// is asked about: LibTorch looks its CUDA hooks up once and keeps what it found. Throws an input Error where
/// the device cannot be had, with the loader's or driver's own words.
[[nodiscard]] c10::Device resolve_device(const std::string& name);

/// True where an NVIDIA driver is loaded (a file in /proc or /dev says so; nothing is mapped to find out).
[[nodiscard]] bool nvidia_driver_present();

/// A line for the run file and the log: processor or GPU by name, cores, memory.
[[nodiscard]] std::string hardware_name(const c10::Device& device);

/// LibTorch's own version, e.g. "2.11.0".
[[nodiscard]] std::string libtorch_version();

}  // namespace casp
