#pragma once
// One run over several processes: how they meet, and sums and copies between them. Does not include
// LibTorch's headers.
//
// The only file that uses LibTorch's c10d: a TCPStore for what rank 0 announces, and a Gloo process group per
// run for tensors. Tensors on GPUs are summed by NCCL after use_device(), else through the host.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "train/stop.h"
#include "util/error.h"

namespace at {
class Tensor;
}
namespace c10 {
struct Device;
}

namespace casp::train {

/// Another process of the run has ended, failed, or cannot be reached.
class ProcessLost : public Error {
public:
    ProcessLost(Phrase found, Phrase advice);
};

/// Place of this process among those of one start of the program.
struct ProcessPlace {
    int rank = 0;
    int size = 1;
    std::string host = "127.0.0.1";  ///< where rank 0 listens
    int port = 0;                    ///< 0, for rank 0 only: a free one
    bool hosted = false;             ///< a launcher listens there (torchrun's agent), not rank 0
};

/// The processes of one run. All of them call the same functions in the same order, from one thread; each
/// returns when this process has its result. Throws ProcessLost; after that no function may be called but
/// lost(), and the sockets stay open until the process ends, which is how the others notice the loss.
class ProcessGroup {
public:
    ~ProcessGroup();
    ProcessGroup(const ProcessGroup&) = delete;
    ProcessGroup& operator=(const ProcessGroup&) = delete;

    [[nodiscard]] int rank() const;
    [[nodiscard]] int size() const;
    [[nodiscard]] bool lost() const;  ///< ProcessLost was thrown
    /// Number of processes on this machine with the same permitted processors, this one included.
    [[nodiscard]] int sharing_processors() const;
    /// Number of processes of lower rank on this machine.
    [[nodiscard]] int place_on_machine() const;

    /// Call before sums of tensors on `device`, the GPU of this process: they use NCCL. Returns why they go
    /// through the host instead; empty: they do not, or a process uses the CPU.
    [[nodiscard]] std::string use_device(const c10::Device& device);

    /// Replaces each tensor by its sum over the processes; all get the same bits. No gradient.
    void sum(const std::vector<at::Tensor>& tensors);
    /// The sum of a tensor, differentiable: the backward pass is the same sum of the gradient.
    [[nodiscard]] at::Tensor sum_with_gradient(const at::Tensor& tensor);
    /// From now on the backward pass through `tensor` continues with the sum of its gradient.
    void sum_gradient(const at::Tensor& tensor);
    /// Copies rank 0's values into the tensors of all others.
    void broadcast(const std::vector<at::Tensor>& tensors);
    [[nodiscard]] std::int64_t largest(std::int64_t value);
    /// Bytes of this process's tensors in all sums and copies so far.
    [[nodiscard]] std::int64_t bytes() const;

    /// After the last sum: waits a few seconds until all processes have their results. A connection that
    /// closes before would be a loss to them.
    void finish() noexcept;
    /// The others: gives up because of a failure. True: rank 0 has given up as well. False: it waits for this
    /// process, which must end; its ProcessLost has the reason.
    [[nodiscard]] bool fail(const Phrase& reason) noexcept;

private:
    friend class Processes;
    struct Connection;
    explicit ProcessGroup(std::unique_ptr<Connection> connection);
    [[nodiscard]] std::vector<std::int64_t> of_all(std::int64_t value);  ///< by rank
    std::unique_ptr<Connection> connection_;
};

/// The connection between rank 0, which decides what is run, and the others. One thread.
class Processes {
public:
    /// Rank 0 (unless `hosted`) listens; the others wait up to five minutes for it. Throws run Errors.
    explicit Processes(const ProcessPlace& place);
    /// Rank 0: ends the others, as end(1), if end() was not called.
    ~Processes();
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;

    [[nodiscard]] const ProcessPlace& place() const;  ///< with the port that is used

    /// Rank 0: how begin() finds out that a process which it waits for has ended.
    void watch(std::function<bool()> any_has_ended);
    /// Rank 0: starts a run in all processes, with this configuration (TOML). Throws ProcessLost, and
    /// Cancelled on a stop request while it waits for the others.
    [[nodiscard]] std::unique_ptr<ProcessGroup> begin(const std::string& config, const StopControl& stop);
    /// The others: waits for the next run; null at the end. Throws ProcessLost.
    [[nodiscard]] std::optional<std::string> next();
    /// The others: joins the run of next().
    [[nodiscard]] std::unique_ptr<ProcessGroup> join();

    /// Rank 0: no further runs; the others end with this exit status. Waits a few seconds for them, unless a
    /// process was lost; false: not all have read it.
    bool end(int status) noexcept;
    /// The others, after next() was null: the status of end().
    [[nodiscard]] int status() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace casp::train
