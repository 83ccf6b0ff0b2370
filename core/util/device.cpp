#include "util/device.h"

#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <stdexcept>

#include <torch/torch.h>

#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "util/cuda_problem.h"
#include "util/error.h"
#include "util/memory.h"

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

ComputeCapability capability_of(int index) {
    constexpr int major = 75, minor = 76;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR
    ComputeCapability found;
    const bool known = ask_driver(index, [&](int handle, void* driver) {
        const auto get = reinterpret_cast<int (*)(int*, int, int)>(dlsym(driver, "cuDeviceGetAttribute"));
        return get != nullptr && get(&found.major, major, handle) == 0 &&
               get(&found.minor, minor, handle) == 0;
    });
    return known ? found : ComputeCapability();
}

/// What a function of CUDA's libraries, which are loaded, says of their version; 0: unknown.
CudaVersion cuda_version(void* library, const char* function) {
    CudaVersion version = 0;
    const auto ask = reinterpret_cast<int (*)(int*)>(dlsym(library, function));
    return ask != nullptr && ask(&version) == 0 ? version : 0;
}

/// Why LibTorch can use no GPU at all; nothing: it finds some.
std::optional<Error> cuda_error() {
    if (const auto problem = load_cuda_library(); !problem.empty())
        return input_error("run.device", Phrase("LibTorch's CUDA library cannot be loaded: %1", problem), {},
                           "Use run.device = \"cpu\". caspstudio --fetch cuda downloads the CUDA libraries.");
    if (torch::cuda::is_available()) return std::nullopt;
    CudaVersion of_driver = 0;
    if (void* driver = dlopen("libcuda.so.1", RTLD_LAZY); driver != nullptr) {
        of_driver = cuda_version(driver, "cuDriverGetVersion");
        dlclose(driver);
    }
    std::ifstream file("/proc/driver/nvidia/version");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (auto old =
            old_driver(driver_release(text), of_driver, cuda_version(RTLD_DEFAULT, "cudaRuntimeGetVersion")))
        return old;
    return input_error("run.device", "LibTorch finds no usable CUDA device", {},
                       "Use run.device = \"cpu\". nvidia-smi lists the GPUs that the driver finds.");
}

/// Why LibTorch cannot use this GPU; nothing: it can.
std::optional<Error> gpu_error(int index) {
    return old_gpu(gpu_name(index), capability_of(index), at::show_config());
}

int gpu_count() {
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): DeviceIndex is an 8-bit number, not a character.
    return static_cast<int>(torch::cuda::device_count());
}

/// The first GPU that LibTorch can use, or why it can use none.
struct FirstGpu {
    int index = -1;
    std::optional<Error> problem;
};

FirstGpu first_gpu() {
    FirstGpu first{-1, cuda_error()};
    for (int i = 0; !first.problem && i < gpu_count(); ++i)
        if (!gpu_error(i)) return {i, std::nullopt};
    if (!first.problem) first.problem = gpu_error(0);
    return first;
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

Phrase cuda_problem() {
    if (!nvidia_driver_present()) return {};
    const auto problem = first_gpu().problem;
    if (!problem) return {};
    const auto& parts = problem->parts();
    return parts.expected.empty() ? Phrase(parts.found)
                                  : Phrase("%1; it needs %2", parts.found, parts.expected);
}

c10::Device resolve_device(const std::string& name) {
    if (name == "cpu") return c10::Device(c10::kCPU);
    if (const auto ended = ended_gpu_use()) throw *ended;
    if (at::isPrivateUse1HooksRegistered()) {  // a backend that was added to LibTorch in this process
        const c10::Device registered(c10::kPrivateUse1, 0);
        if (name == "auto" || name == registered.str()) return registered;
    }
    if (name == "auto") {
        const auto gpu = nvidia_driver_present() ? first_gpu().index : -1;
        if (gpu < 0) return c10::Device(c10::kCPU);
        forbid_tf32();
        return c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(gpu));
    }
    if (name != "cuda" && name.rfind("cuda:", 0) != 0)
        throw input_error("run.device", Phrase("\"%1\" is not a device name", name),
                          "auto, cpu, cuda or cuda:N");
    if (!nvidia_driver_present())
        throw input_error(
            "run.device", "no NVIDIA driver is loaded on this machine", {},
            "Use run.device = \"cpu\". On a machine with an NVIDIA GPU, caspstudio --fetch cuda "
            "downloads the CUDA libraries.");
    if (const auto problem = cuda_error()) throw *problem;
    int index = 0;
    if (name.size() > 5) {
        const std::string digits = name.substr(5);
        if (digits.size() > 3 || digits.find_first_not_of("0123456789") != std::string::npos)
            throw input_error("run.device", Phrase("\"%1\" is not a device name", name),
                              "cuda:N with a number N");
        index = std::stoi(digits);
    }
    if (index >= gpu_count())
        throw input_error("run.device", Phrase("there is no %1", name),
                          Phrase("a number below %1", gpu_count()));
    if (const auto problem = gpu_error(index)) throw *problem;
    forbid_tf32();
    return c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index));
}

bool has_tf32(const c10::Device& device) {
    constexpr int ampere = 8;
    const int generation = device.is_cuda() ? capability_of(device.index()).major : 0;
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

std::string gpu_address(const c10::Device& device) {
    char address[32] = {};
    const bool found =
        device.is_cuda() && ask_driver(device.index(), [&](int handle, void* driver) {
            const auto get = reinterpret_cast<int (*)(char*, int, int)>(dlsym(driver, "cuDeviceGetPCIBusId"));
            return get != nullptr && get(address, static_cast<int>(sizeof address), handle) == 0;
        });
    return found ? address : "";
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
    if (total > 0) {
        m.available = static_cast<std::int64_t>(free) + reserved.current - allocated.current;
        m.others = static_cast<std::int64_t>(total - free) - reserved.current;
    }
    m.used = reserved.current;
    m.peak_used = reserved.peak;
    m.peak_tensors = allocated.peak;
    return m;
}

std::int64_t notable_others(const DeviceMemory& memory, std::int64_t bytes) {
    constexpr std::int64_t of_cuda = std::int64_t{768} << 20;
    if (memory.others <= of_cuda) return 0;
    const bool lacking = bytes > memory.available && bytes <= memory.available + memory.others;
    return lacking || memory.others > memory.total / 10 ? memory.others : 0;
}

void reset_peak_memory(const c10::Device& device) {
    if (!device.is_cpu()) gpu_allocator(device).resetPeakStats(device.index());
}

void release_reserved_memory(const c10::Device& device) {
    if (device.is_cpu()) return return_freed_memory();
    const std::scoped_lock lock(graph_mutex());
    gpu_allocator(device).emptyCache();
}

std::optional<c10::Device> gpu_with_room(const c10::Device& instead_of, std::int64_t bytes) {
    if (!instead_of.is_cuda()) return std::nullopt;
    for (int i = 0; i < gpu_count(); ++i) {
        const c10::Device other(c10::kCUDA, static_cast<c10::DeviceIndex>(i));
        if (other != instead_of && !gpu_error(i) && has_bf16(other) == has_bf16(instead_of) &&
            device_memory(other).available >= bytes)
            return other;
    }
    return std::nullopt;
}

void synchronise(const c10::Device& device) {
    if (device.is_cpu()) return;
    const c10::impl::VirtualGuardImpl guard(device.type());
    guard.synchronizeStream(guard.getStream(device));
}

void* native_stream(const c10::Device& device) {
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 11
    return c10::impl::VirtualGuardImpl(device.type()).getStream(device).native_handle();
#else
    static_cast<void>(device);
    throw std::runtime_error("it needs LibTorch 2.11");
#endif
}

std::mutex& graph_mutex() {
    static std::mutex one;
    return one;
}

void RunAhead::queued() {
    if (device_.is_cpu()) return;
    auto& end = ends_[next_];
    next_ = (next_ + 1) % ends_.size();
    if (end) end->synchronize();
    end.emplace(device_.type());
    end->record(c10::impl::VirtualGuardImpl(device_.type()).getStream(device_));
}

std::string libtorch_version() { return TORCH_VERSION; }

}  // namespace casp
