#pragma once
// The program's own GPU kernels (*.cu): compiled on the machine with the GPU, with their shapes as constants.
//
// They are off unless use_kernels(true) is called or the environment variable CASP_GPU_KERNELS is 1, until
// tests/gpu has passed with them on a GPU. Where they are off, or the compiler (NVRTC) is missing, or a
// kernel does not compile, LibTorch's operators run instead, and take_kernel_problem() says so once.
// Thread-safe.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include <c10/core/Device.h>

#include "util/phrase.h"

namespace casp::model::cuda {

/// A kernel of a source file with its constants, e.g. {"attention", "attention_backward", "-DTOKENS=72 …"}.
struct KernelSpec {
    const char* source;
    const char* name;
    std::string constants;
};

/// A grid of blocks in one dimension.
struct Grid {
    std::int64_t blocks;
    unsigned threads;
    unsigned shared = 0;  ///< bytes of dynamic shared memory of a block
};

/// What compiles and starts kernels on a kind of device.
class KernelBackend {
public:
    virtual ~KernelBackend() = default;
    /// The kernel's handle on the device; null, after `problem` has the reason, if there is none. Kept by the
    /// caller for the life of the process.
    [[nodiscard]] virtual void* find(const KernelSpec& spec, const c10::Device& device, unsigned shared,
                                     Phrase& problem) = 0;
    /// Major compute capability, such as 9 for an H100.
    [[nodiscard]] virtual int generation(const c10::Device& device) = 0;
    /// Queues the kernel on the device's current stream. arguments[i] points to a value of sizes[i] bytes;
    /// pointers[i]: it is an address of the device. Throws std::runtime_error.
    virtual void launch(void* kernel, const c10::Device& device, const Grid& grid, void** arguments,
                        const std::size_t* sizes, const bool* pointers, std::size_t count) = 0;
};

/// Major compute capability of the device for which kernels are compiled; 0: it has no backend.
[[nodiscard]] int kernel_generation(const c10::Device& device);

/// Instead of the one for CUDA; for tests.
void set_kernel_backend(c10::DeviceType type, std::shared_ptr<KernelBackend> backend);

/// Returns what was wanted before.
bool use_kernels(bool wanted);
/// Whether they are wanted, and `device` has a backend.
[[nodiscard]] bool kernels_wanted(const c10::Device& device);

/// Kept for take_kernel_problem() if it is the first.
void note_kernel_problem(const Phrase& problem);
/// Why a kernel was replaced by LibTorch's operators; empty: none was, or it was reported before.
[[nodiscard]] Phrase take_kernel_problem();

/// A kernel on a device, compiled once; false: it is not there.
class Kernel {
public:
    Kernel(const KernelSpec& spec, const c10::Device& device, unsigned shared = 0);
    explicit operator bool() const { return handle_ != nullptr; }

    /// Arguments of exactly the kernel's types.
    template <class... Arguments>
    void launch(const Grid& grid, Arguments... arguments) const {
        static_assert((std::is_trivially_copyable_v<Arguments> && ...));
        std::array<void*, sizeof...(arguments)> places{static_cast<void*>(&arguments)...};
        constexpr std::array<bool, sizeof...(arguments)> pointers{std::is_pointer_v<Arguments>...};
        constexpr std::array<std::size_t, sizeof...(arguments)> sizes{sizeof(Arguments)...};
        start(grid, places.data(), sizes.data(), pointers.data(), places.size());
    }

private:
    void start(const Grid& grid, void** arguments, const std::size_t* sizes, const bool* pointers,
               std::size_t count) const;

    std::shared_ptr<KernelBackend> backend_;
    c10::Device device_;
    void* handle_ = nullptr;
};

/// NVRTC and the NVIDIA driver (nvrtc.cpp).
[[nodiscard]] std::shared_ptr<KernelBackend> make_cuda_backend();

/// Text of a source file, with what every file needs before; throws std::out_of_range for an unknown name.
[[nodiscard]] std::string kernel_source(const std::string& name);

}  // namespace casp::model::cuda
