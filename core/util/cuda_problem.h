#pragma once
// Why GPUs cannot be used, and what to do about it: drivers and GPUs that LibTorch's CUDA does not support,
// and failures after which a process cannot use them any more. Does not include LibTorch's headers;
// thread-safe.

#include <optional>
#include <string>
#include <string_view>

#include "util/error.h"

namespace casp {

/// Whether an NVIDIA driver is loaded. Checks files in /proc and /dev only; loads nothing.
[[nodiscard]] bool nvidia_driver_present();

/// A version of CUDA as its functions give it: 13000 for 13.0.
using CudaVersion = int;

/// Release in the text of /proc/driver/nvidia/version: "580.65.06"; empty: there is none.
[[nodiscard]] std::string driver_release(std::string_view text);

/// An input Error of run.device if the driver is older than CUDA requires: its major version counts.
/// `release` may be empty; versions of 0 are not known and pass.
[[nodiscard]] std::optional<Error> old_driver(const std::string& release, CudaVersion of_driver,
                                              CudaVersion of_libtorch);

/// Compute capability of a GPU.
struct ComputeCapability {
    int major = 0, minor = 0;  ///< 0: not known
};

/// An input Error of run.device if LibTorch has no kernels for a GPU. `build`: text of at::show_config(),
/// whose "code=sm_75", … count; without any, and for an unknown capability, there is none.
[[nodiscard]] std::optional<Error> old_gpu(const std::string& gpu, ComputeCapability capability,
                                           std::string_view build);

/// The words of CUDA in a failure's message after which all further work on GPUs fails in this process ("an
/// illegal memory access was encountered"); empty: it was another failure.
[[nodiscard]] std::string fatal_gpu_failure(std::string_view message);

/// Remembers a fatal_gpu_failure() of this process; others have no effect.
void note_gpu_failure(std::string_view message);

/// After a noted failure: the Error of run.device of each further use of a GPU.
[[nodiscard]] std::optional<Error> ended_gpu_use();

}  // namespace casp
