#pragma once
// A pretend device: LibTorch's PrivateUse1 backend over ordinary memory, for tests of what runs on GPUs.
//
// A program that links this library has the device, and run.device = "auto" selects it. It behaves as a GPU:
// addresses of its tensors are invalid on the host, an operator accepts no tensor of the CPU except scalars,
// and everything for which the host would wait for a GPU is recorded. The CPU's kernels compute in the same
// memory, so that results differ from the CPU's only if the program takes another branch.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <c10/core/Device.h>
#include <c10/core/Storage.h>

namespace casp::pretend {

[[nodiscard]] c10::Device device();

/// An operator that makes the host wait: it copies from or to the CPU, or the shape of its result depends on
/// values.
struct Wait {
    std::string operation;
    std::string stack;  ///< program and addresses of its calls, for addr2line -Cfpe
};

/// Removes and returns the waits so far, of all threads.
[[nodiscard]] std::vector<Wait> take_waits();

/// The waits as lines of a test's message.
[[nodiscard]] std::string text_of(const std::vector<Wait>& waits);

/// While an object exists, a wait in any thread throws a c10::Error that names the operator.
class WaitsForbidden {
public:
    WaitsForbidden();
    ~WaitsForbidden();
    WaitsForbidden(const WaitsForbidden&) = delete;
    WaitsForbidden& operator=(const WaitsForbidden&) = delete;
};

/// A matrix product of fp32 tensors on the device, forward or backward.
struct Product {
    std::vector<std::int64_t> sizes;  ///< of all its tensors, one after the other
    bool tf32;                        ///< LibTorch's switch when it was queued
};

/// While an object exists, products in any thread are recorded.
class ProductsRecorded {
public:
    ProductsRecorded();
    ~ProductsRecorded();
    ProductsRecorded(const ProductsRecorded&) = delete;
    ProductsRecorded& operator=(const ProductsRecorded&) = delete;

    [[nodiscard]] std::vector<Product> all() const;
};

/// Events of c10::Event on the device. Waiting for one reads nothing back and is no Wait.
struct Events {
    std::size_t recorded = 0, waited = 0;
};
/// Counts since the last call, of all threads.
[[nodiscard]] Events take_events();

/// From now on other programs use so much of the device's memory of 4 GiB.
void set_memory_of_others(std::size_t bytes);

/// Number of operators computed on the device so far.
[[nodiscard]] std::size_t operators();

/// From now on steps on the device can be recorded (train/graphed_step.h).
void install_graphs();
struct GraphCounts {
    std::atomic<std::size_t> recorded = 0, started = 0;
    std::atomic<bool> fail = false;  ///< the next record fails at the optimiser, when gradients are there
};
extern GraphCounts graphs;
/// All memory of the device as it is. Recording on a GPU computes nothing: afterwards memory is as before,
/// and what was allocated has no values (NaN).
class MemoryImage {
public:
    MemoryImage();
    void restore() const;

private:
    struct Block {
        c10::Storage storage;
        std::vector<char> bytes;
    };
    std::map<const void*, Block> blocks_;
};

/// What a graph repeats, and the memory that it keeps.
struct Record {
    std::vector<std::function<void()>> work;
    std::vector<c10::Storage> kept;
};
extern thread_local Record* record_of_thread;  ///< null: it records none
/// If this thread records a graph, it is to do `work` again.
void record_for_graph(std::function<void()> work);

/// A thread, and the stream on which it computed or recorded an event.
using StreamUse = std::pair<std::thread::id, std::int64_t>;

/// Removes and returns those so far.
[[nodiscard]] std::set<StreamUse> take_stream_uses();

}  // namespace casp::pretend
