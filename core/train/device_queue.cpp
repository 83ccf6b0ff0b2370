#include "train/device_queue.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <c10/core/AutogradState.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace casp::train {

namespace {

struct Queue {
    c10::Stream stream;
    bool taken = false;
};

std::mutex queues_mutex;
std::map<std::string, std::vector<Queue>> queues;  ///< by device

}  // namespace

DeviceQueue::DeviceQueue(const c10::Device& device) : device_(device) {
    if (device.is_cpu()) return;
    const c10::impl::VirtualGuardImpl guard(device.type());
    {
        const std::scoped_lock lock(queues_mutex);
        auto& all = queues[device.str()];
        while (number_ < all.size() && all[number_].taken) ++number_;
        if (number_ == all.size()) all.push_back({guard.getStreamFromGlobalPool(device)});
        former_device_ = guard.exchangeDevice(device);
        former_stream_ = guard.exchangeStream(all[number_].stream);
        all[number_].taken = true;
    }
    auto& autograd = c10::AutogradState::get_tls_state();
    former_threads_ = autograd.get_multithreading_enabled();
    autograd.set_multithreading_enabled(false);
}

DeviceQueue::~DeviceQueue() {
    if (!former_device_) return;
    const c10::impl::VirtualGuardImpl guard(device_.type());
    c10::AutogradState::get_tls_state().set_multithreading_enabled(former_threads_);
    const auto unless_lost = [](const auto& call) {
        try {
            call();
        } catch (const std::exception&) {
            // The device is lost: the run has failed with the reason.
        }
    };
    unless_lost([&] { guard.synchronizeStream(guard.getStream(device_)); });
    unless_lost([&] { guard.exchangeStream(*former_stream_); });
    unless_lost([&] { guard.exchangeDevice(*former_device_); });
    const std::scoped_lock lock(queues_mutex);
    queues[device_.str()][number_].taken = false;
}

}  // namespace casp::train
