#pragma once
// Device selection (`run.device`), device memory, and loading CUDA on demand.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <c10/core/Device.h>
#include <c10/core/Event.h>

#include "util/phrase.h"

namespace casp {

/// Resolves `run.device`: "auto", "cpu", "cuda" or "cuda:N".
///
/// "cpu", and "auto" on a machine without an NVIDIA driver, never load libtorch_cuda, cuBLAS, cuDNN or the
/// driver. Any other value first loads `libtorch_cuda.so` from LibTorch's folder, once per process and before
/// any CUDA query, because LibTorch looks up its CUDA hooks only once. It also disables TF32 (which LibTorch
/// allows in convolutions, and NVIDIA's containers in products), so that fp32 means fp32; see Tf32Scope.
/// "auto" is the first GPU that LibTorch can use, or the CPU. Throws an input Error if the device is not
/// available, with what is missing (loader, driver, GPU), and after a failure that has ended the use of GPUs
/// (util/cuda_problem.h) a run Error.
///
/// If a backend of another device is registered with LibTorch (PrivateUse1), "auto" selects that device.
[[nodiscard]] c10::Device resolve_device(const std::string& name);

/// Why "auto" resolves to the CPU although an NVIDIA driver is present; empty without a driver or if a GPU
/// can be used. Call after resolve_device().
[[nodiscard]] Phrase cuda_problem();

/// Whether matrix products in bf16 are faster than in fp32: on GPUs since Ampere, and on processors with
/// AVX512_BF16 (those with AMX have it, too). Others emulate them, which takes many times as long.
[[nodiscard]] bool has_bf16(const c10::Device& device);

/// Whether products of fp32 tensors can be computed in TF32 (Tf32Scope): on NVIDIA GPUs since Ampere.
[[nodiscard]] bool has_tf32(const c10::Device& device);

/// Processor or GPU name, number of cores and memory as one line, for run file and log.
[[nodiscard]] std::string hardware_name(const c10::Device& device);

/// PCI address of a GPU, which differs between the GPUs of a machine; empty: unknown.
[[nodiscard]] std::string gpu_address(const c10::Device& device);

/// Memory in bytes; 0: unknown.
struct DeviceMemory {
    std::int64_t total = 0;
    std::int64_t available =
        0;                  ///< available to this process, including free memory in its allocator's cache
    std::int64_t used = 0;  ///< CPU: resident set; GPU: reserved by LibTorch's allocator
    std::int64_t peak_used = 0;     ///< maximum of `used` so far
    std::int64_t peak_tensors = 0;  ///< GPU: maximum allocated to tensors
    std::int64_t others = 0;        ///< GPU: used by other programs, and by CUDA itself
};

/// Current memory figures. Cheap on a GPU: does not synchronise with its kernels.
[[nodiscard]] DeviceMemory device_memory(const c10::Device& device);

/// DeviceMemory::others where it matters to work that needs `bytes`: over a tenth of the GPU's memory, or
/// work that would fit without the other programs. Otherwise 0, as for up to 768 MiB, which CUDA itself may
/// take.
[[nodiscard]] std::int64_t notable_others(const DeviceMemory& memory, std::int64_t bytes);

/// Resets the peaks of a GPU. No effect on the CPU, whose peak the system keeps.
void reset_peak_memory(const c10::Device& device);

/// Returns unused memory to the system: on a GPU what LibTorch's allocator has cached, on the CPU what
/// keep_freed_memory() has kept.
void release_reserved_memory(const c10::Device& device);

/// Blocks until what this thread has queued on the device, on its current stream, is finished. Not until all
/// of the device's is, which CUDA forbids while another thread records a graph.
void synchronise(const c10::Device& device);

/// The stream on which this thread queues work on the device, as the device's own libraries know it. Throws
/// std::runtime_error before LibTorch 2.11.
[[nodiscard]] void* native_stream(const c10::Device& device);

/// Held by a thread that records or starts a graph on a GPU, or gives the allocator's memory back: LibTorch's
/// allocator does not do both at once.
[[nodiscard]] std::mutex& graph_mutex();
/// Another GPU of the same precisions with so many bytes available, for "auto"; nothing: there is none.
[[nodiscard]] std::optional<c10::Device> gpu_with_room(const c10::Device& instead_of, std::int64_t bytes);

/// Bounds how far the host runs ahead of a device, so that cancelled work ends soon: of the batches or steps
/// that were queued on the thread's stream, at most `most` (at least 1) are not finished. Reads nothing back.
/// One thread; no effect on the CPU.
class RunAhead {
public:
    RunAhead(const c10::Device& device, std::size_t most) : device_(device), ends_(most) {}
    /// After a batch was queued: waits for the one that was queued `most` batches earlier.
    void queued();

private:
    c10::Device device_;
    std::vector<std::optional<c10::Event>> ends_;
    std::size_t next_ = 0;
};

/// LibTorch version, e.g. "2.11.0".
[[nodiscard]] std::string libtorch_version();

}  // namespace casp
