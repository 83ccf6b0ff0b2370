#pragma once
// Sums and copies of tensors between GPUs by NVIDIA's NCCL, which is opened on demand. Does not include
// LibTorch's headers.

#include <array>
#include <stdexcept>

namespace at {
class Tensor;
}
namespace c10 {
struct Device;
}

namespace casp::train {

/// A function of NCCL has failed, or the library cannot be opened.
class NcclError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Communicator of one process. All processes call the same functions in the same order. Functions queue
/// their work on the current stream of the tensor's device and return; they throw NcclError with its message.
class Nccl {
public:
    using Id = std::array<char, 128>;

    /// Opens libnccl.so.2, which is loaded together with libtorch_cuda.
    Nccl();
    /// Ends unfinished work without waiting for the other processes.
    ~Nccl();
    Nccl(const Nccl&) = delete;
    Nccl& operator=(const Nccl&) = delete;

    /// What the processes of a new communicator have in common. One process calls it.
    [[nodiscard]] Id new_id() const;
    /// Waits for the other processes.
    void connect(Id id, int rank, int size, const c10::Device& device);

    /// Whether the tensor's type is supported.
    [[nodiscard]] static bool knows(const at::Tensor& tensor);
    /// Replaces a contiguous tensor by its sum over the processes.
    void sum(const at::Tensor& tensor);
    /// Replaces a contiguous tensor by rank 0's.
    void broadcast(const at::Tensor& tensor);
    /// Throws if queued work has failed.
    void check() const;

private:
    struct Functions;
    const Functions* functions_;
    void* communicator_ = nullptr;
};

}  // namespace casp::train
