#include "util/device.h"

#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <mutex>

#include <torch/torch.h>

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "util/error.h"
#include "util/memory.h"
#include "util/nvidia_driver.h"

namespace casp {

namespace {

/// Loads libtorch_cuda.so; returns an empty text on success, else the loader's message.
std::string load_cuda_library() {
    static std::once_flag once;
    static std::string problem;
    std::call_once(once, [] {
        // libtorch_cuda.so is in the folder of libtorch_cpu.so.
        Dl_info info{};
        std::string path = "libtorch_cuda.so";
        if (dladdr(reinterpret_cast<const void*>(&at::globalContext), &info) != 0 &&
            info.dli_fname != nullptr)
            path = (std::filesystem::path(info.dli_fname).parent_path() / path).string();
        if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) problem = dlerror();
    });
    return problem;
}

/// LibTorch allows it in convolutions by default, and NVIDIA's containers in products. Once: afterwards the
/// switch for products belongs to Tf32Scope.
void forbid_tf32() {
    static std::once_flag once;
    std::call_once(once, [] {
        at::globalContext().setAllowTF32CuBLAS(false);
        at::globalContext().setAllowTF32CuDNN(false);
    });
}

std::string processor_name() {
    std::ifstream cpuinfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);) {
        if (line.rfind("model name", 0) == 0) {
            const auto colon = line.find(": ");
            if (colon != std::string::npos) return line.substr(colon + 2);
        }
    }
    return "unknown processor";
}

/// Calls ask(a GPU's handle, library) with libcuda, which is already loaded, for its C functions. False if
/// libcuda is not there or does not know the GPU, else what ask returns.
template <class Ask>
bool ask_driver(int index, const Ask& ask) {
    void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (driver == nullptr) return false;
    const auto device_get = reinterpret_cast<int (*)(int*, int)>(dlsym(driver, "cuDeviceGet"));
    int handle = 0;
    const bool answered = device_get != nullptr && device_get(&handle, index) == 0 && ask(handle, driver);
    dlclose(driver);
    return answered;
}

std::string gpu_name(int index) {
    char name[256] = {};
    const bool found = ask_driver(index, [&](int handle, void* driver) {
        const auto get_name = reinterpret_cast<int (*)(char*, int, int)>(dlsym(driver, "cuDeviceGetName"));
        return get_name != nullptr && get_name(name, static_cast<int>(sizeof name) - 1, handle) == 0;
    });
    return found ? name : "NVIDIA GPU " + std::to_string(index);
}

/// The GPU's compute capability before the point; 0: unknown.
int gpu_generation(int index) {
    constexpr int compute_capability_major = 75;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
    int major = 0;
    const bool found = ask_driver(index, [&](int handle, void* driver) {
        const auto get = reinterpret_cast<int (*)(int*, int, int)>(dlsym(driver, "cuDeviceGetAttribute"));
        return get != nullptr && get(&major, compute_capability_major, handle) == 0;
    });
    return found ? major : 0;
}

/// LibTorch's allocator of a GPU, initialised.
c10::DeviceAllocator& gpu_allocator(const c10::Device& device) {
    at::globalContext().lazyInitDevice(device.type());
    return *c10::getDeviceAllocator(device.type());
}

/// Free and total bytes according to the driver; zeros before LibTorch 2.10.
std::pair<std::size_t, std::size_t> gpu_memory(c10::DeviceAllocator& allocator, c10::DeviceIndex index) {
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 10
    return allocator.getMemoryInfo(index);
#else
    static_cast<void>(allocator);
    static_cast<void>(index);
    return {0, 0};
#endif
}

}  // namespace

std::string cuda_problem() {
    if (!nvidia_driver_present()) return {};
    if (const auto problem = load_cuda_library(); !problem.empty())
        return "LibTorch's CUDA library cannot be loaded: " + problem;
    return torch::cuda::is_available() ? "" : "LibTorch finds no usable CUDA device";
}

c10::Device resolve_device(const std::string& name) {
    if (name == "cpu") return c10::Device(c10::kCPU);
    if (at::isPrivateUse1HooksRegistered()) {  // a backend that was added to LibTorch in this process
        const c10::Device registered(c10::kPrivateUse1, 0);
        if (name == "auto" || name == registered.str()) return registered;
    }
    if (name == "auto") {
        if (!nvidia_driver_present() || !cuda_problem().empty()) return c10::Device(c10::kCPU);
        forbid_tf32();
        return c10::Device(c10::kCUDA, 0);
    }
    if (name != "cuda" && name.rfind("cuda:", 0) != 0)
        throw input_error("run.device", "\"" + name + "\" is not a device name", "auto, cpu, cuda or cuda:N");
    const std::string advice =
        "Use run.device = \"cpu\". On a machine with an NVIDIA GPU, caspstudio --fetch cuda downloads the "
        "CUDA libraries.";
    if (!nvidia_driver_present())
        throw input_error("run.device", "no NVIDIA driver is loaded on this machine", {}, advice);
    if (const auto problem = cuda_problem(); !problem.empty())
        throw input_error("run.device", problem, {}, advice);
    int index = 0;
    if (name.size() > 5) {
        const std::string digits = name.substr(5);
        if (digits.size() > 3 || digits.find_first_not_of("0123456789") != std::string::npos)
            throw input_error("run.device", "\"" + name + "\" is not a device name",
                              "cuda:N with a number N");
        index = std::stoi(digits);
    }
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): DeviceIndex is an 8-bit number, not a character.
    const auto count = static_cast<int>(torch::cuda::device_count());
    if (index >= count)
        throw input_error("run.device", "there is no " + name, "a number below " + std::to_string(count));
    forbid_tf32();
    return c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index));
}

bool has_tf32(const c10::Device& device) {
    constexpr int ampere = 8;
    const int generation = device.is_cuda() ? gpu_generation(device.index()) : 0;
    return !device.is_cpu() && (generation == 0 || generation >= ampere);
}

bool has_bf16(const c10::Device& device) {
    if (device.is_cuda()) return has_tf32(device);  // both came with Ampere
#if defined(__x86_64__)
    return !device.is_cpu() || __builtin_cpu_supports("avx512bf16") != 0;
#else
    return !device.is_cpu();
#endif
}

std::string hardware_name(const c10::Device& device) {
    const auto cores = std::to_string(sysconf(_SC_NPROCESSORS_ONLN));
    const auto host = processor_name() + ", " + cores + " cores";
    if (device.is_cpu()) return host;
    auto text = gpu_name(device.index());
    if (const auto total = device_memory(device).total; total > 0)
        text += ", " + std::to_string((total + (std::int64_t{1} << 29)) >> 30) + " GiB";
    return text + " (" + host + ")";
}

DeviceMemory device_memory(const c10::Device& device) {
    DeviceMemory m;
    if (device.is_cpu()) {
        const auto process = process_memory();
        m.total = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
        m.available = available_memory();
        m.used = process.resident;
        m.peak_used = process.peak_resident;
        return m;
    }
    auto& allocator = gpu_allocator(device);
    const auto stats = allocator.getDeviceStats(device.index());
    const auto& reserved = stats.reserved_bytes[0];
    const auto& allocated = stats.allocated_bytes[0];
    const auto [free, total] = gpu_memory(allocator, device.index());
    m.total = static_cast<std::int64_t>(total);
    if (total > 0) m.available = static_cast<std::int64_t>(free) + reserved.current - allocated.current;
    m.used = reserved.current;
    m.peak_used = reserved.peak;
    m.peak_tensors = allocated.peak;
    return m;
}

void reset_peak_memory(const c10::Device& device) {
    if (!device.is_cpu()) gpu_allocator(device).resetPeakStats(device.index());
}

void release_reserved_memory(const c10::Device& device) {
    if (device.is_cpu()) return return_freed_memory();
    const std::scoped_lock lock(graph_mutex());
    gpu_allocator(device).emptyCache();
}

void synchronise(const c10::Device& device) {
    if (device.is_cpu()) return;
    const c10::impl::VirtualGuardImpl guard(device.type());
    guard.synchronizeStream(guard.getStream(device));
}

std::mutex& graph_mutex() {
    static std::mutex one;
    return one;
}

std::string libtorch_version() { return TORCH_VERSION; }

}  // namespace casp
