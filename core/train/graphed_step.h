#pragma once
// Training steps that are recorded once and started again as a whole.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <ATen/core/Tensor.h>

#include "train/step.h"
#include "util/phrase.h"

namespace casp::train {

/// Work that a device repeats without the host, on the same memory: a CUDA graph.
class DeviceGraph {
public:
    virtual ~DeviceGraph() = default;
    /// Does the work once and keeps it. The work may not wait for the device. Throws std::exception if it
    /// cannot be recorded; then nothing of it was done.
    virtual void record(const std::function<void()>& work) = 0;
    /// Does it again.
    virtual void start() = 0;
};

/// Null: the device has none. CUDA's is that of libtorch_cuda, whose functions are looked up by name.
[[nodiscard]] std::unique_ptr<DeviceGraph> make_graph(const c10::Device& device);
/// Names of those functions as the linker knows them; for a test.
[[nodiscard]] std::vector<std::string> cuda_graph_symbols();
/// Whether steps may be recorded; returns what was. For tests. Thread-safe.
bool allow_graphs(bool allowed);
/// Instead of make_graph() for a type of device; for tests.
void set_graph_maker(c10::DeviceType type, std::function<std::unique_ptr<DeviceGraph>()> maker);

/// Steps that differ only in their windows and in dropout. The first of a kind runs as any other, so that
/// everything that is made once exists; the second is recorded, and those after it start the record. Results
/// have the same bits. Used where the program's kernels are on (model/cuda/kernels.h), whose dropout reads
/// the step's state from the device, and while a second step fits into the memory that is free.
class GraphedStep {
public:
    /// What is frozen in the record: epoch, windows, learning rate, β₁.
    using Kind = std::tuple<std::int64_t, std::int64_t, double, double>;

    explicit GraphedStep(const c10::Device& device) : device_(device) {}

    /// `dropout`: DropoutStream::state_of() the step. The work may be called twice: if it cannot be recorded,
    /// nothing was done in the first call, although gradients may be there.
    [[nodiscard]] StepValues step(const Kind& kind, const at::Tensor& items, std::uint64_t dropout,
                                  const StepWork& work);
    /// Why steps are not recorded; empty: they are, or nothing was tried. Told once.
    [[nodiscard]] std::string take_problem();

private:
    [[nodiscard]] bool may_record();
    void set_inputs(const at::Tensor& items, std::uint64_t dropout);

    c10::Device device_;
    std::optional<Kind> kind_;
    std::unique_ptr<DeviceGraph> graph_;
    at::Tensor items_, dropout_state_;  ///< inputs of the record
    StepValues computed_;               ///< its results, whose memory each start fills
    bool given_up_ = false;
    Phrase problem_;
};

}  // namespace casp::train
