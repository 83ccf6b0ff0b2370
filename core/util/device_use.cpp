#include "util/device_use.h"

#include <exception>

#include "util/device.h"

namespace casp {

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
