#pragma once
// A run's queue of work on a GPU.

#include <cstddef>
#include <optional>

#include <c10/core/Device.h>
#include <c10/core/Stream.h>

namespace casp::train {

/// While it exists, what this thread computes on the device is queued on a stream that no other run of the
/// process uses, and its backward passes run in this thread: LibTorch has one thread for those of all runs on
/// a device. Streams are given again, so that successive runs reuse the memory of one. None is the device's
/// default stream, on which nothing can be recorded (graphed_step.h). On the CPU without effect.
///
/// Create and destroy it in the run's thread, and destroy it before the tensors: it waits for what is queued,
/// which may use memory that belongs to the stream of another run (shared_parts.h).
class DeviceQueue {
public:
    explicit DeviceQueue(const c10::Device& device);
    ~DeviceQueue();
    DeviceQueue(const DeviceQueue&) = delete;
    DeviceQueue& operator=(const DeviceQueue&) = delete;

private:
    c10::Device device_;
    std::optional<c10::Device> former_device_;  ///< of the thread; nothing on the CPU
    std::optional<c10::Stream> former_stream_;
    bool former_threads_ = true;
    std::size_t number_ = 0;
};

}  // namespace casp::train
