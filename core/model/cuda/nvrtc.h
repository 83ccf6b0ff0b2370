#pragma once
// Compiling kernels; without a GPU, too.

#include <string>

namespace casp::model::cuda {

struct CompiledKernels {
    std::string binary;  ///< a cubin
    std::string log;     ///< the compiler's, with the registers and spills of each kernel
};

/// Whether NVRTC can be opened.
[[nodiscard]] bool has_nvrtc();

/// The kernels of core/model/cuda/<source>.cu for an architecture such as "sm_90". Throws
/// std::runtime_error with the compiler's messages.
[[nodiscard]] CompiledKernels compile_kernels(const std::string& source, const std::string& constants,
                                              const std::string& architecture);

/// The binary of compile_kernels(), from the user's cache where this NVRTC has compiled the same before
/// ($XDG_CACHE_HOME or ~/.cache, caspstudio/kernels; not needed: without it they are compiled each time).
[[nodiscard]] std::string kernel_binary(const std::string& source, const std::string& constants,
                                        const std::string& architecture);

}  // namespace casp::model::cuda
