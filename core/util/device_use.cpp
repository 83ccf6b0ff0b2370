#include "util/device_use.h"

#include <exception>
#include <map>
#include <mutex>

#include "util/device.h"

namespace casp {

namespace {

struct Uses {
    std::mutex mutex;
    std::map<std::string, int> runs;
};

Uses& uses() {
    static Uses all;
    return all;
}

}  // namespace

DeviceUse::DeviceUse(const std::string& name) {
    try {
        device_ = resolve_device(name).str();
    } catch (const std::exception&) {  // includes the driver's own exceptions
        return;
    }
    const std::lock_guard lock(uses().mutex);
    ++uses().runs[device_];
}

DeviceUse::~DeviceUse() {
    if (device_.empty()) return;
    const std::lock_guard lock(uses().mutex);
    --uses().runs[device_];
}

int runs_on(const std::string& device) {
    const std::lock_guard lock(uses().mutex);
    const auto found = uses().runs.find(device);
    return found == uses().runs.end() ? 0 : found->second;
}

std::string device_for_pictures(const std::string& name, std::int64_t bytes) {
    const std::string cpu = "cpu";
    try {
        const auto device = resolve_device(name);
        if (device.is_cpu() || runs_on(device.str()) > 0) return cpu;
        return device_memory(device).available < bytes ? cpu : device.str();
    } catch (const std::exception&) {
        return cpu;
    }
}

bool is_on_cpu(const std::string& name) {
    try {
        return resolve_device(name).is_cpu();
    } catch (const std::exception&) {
        return false;
    }
}

DeviceRoom room_on(const std::string& device) {
    try {
        const auto resolved = resolve_device(device);
        const auto memory = device_memory(resolved);
        const auto free = resolved.is_cpu() ? memory.available : memory.total - memory.others - memory.used;
        return {free, memory.used};
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace casp
