#include "util/device.h"

#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <mutex>

#include <torch/torch.h>

#include "util/error.h"

namespace casp {

namespace {

/// Loads libtorch_cuda.so; empty on success, else the loader's words.
std::string load_cuda_library() {
    static std::once_flag once;
    static std::string problem;
    std::call_once(once, [] {
        // The library stands beside libtorch_cpu.so, wherever that was found.
        Dl_info info{};
        std::string path = "libtorch_cuda.so";
        if (dladdr(reinterpret_cast<const void*>(&at::globalContext), &info) != 0 &&
            info.dli_fname != nullptr)
            path = (std::filesystem::path(info.dli_fname).parent_path() / path).string();
        if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) problem = dlerror();
    });
    return problem;
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

}  // namespace

bool nvidia_driver_present() {
    return std::filesystem::exists("/proc/driver/nvidia/version") ||
           std::filesystem::exists("/dev/nvidiactl");
}

c10::Device resolve_device(const std::string& name) {
    if (name == "cpu") return c10::Device(c10::kCPU);
    if (name == "auto") {
        if (!nvidia_driver_present() || !load_cuda_library().empty() || !torch::cuda::is_available())
            return c10::Device(c10::kCPU);
        return c10::Device(c10::kCUDA, 0);
    }
    if (name != "cuda" && name.rfind("cuda:", 0) != 0)
        throw input_error("run.device", "\"" + name + "\" is no device", "auto, cpu, cuda or cuda:N");
    const std::string advice =
        "Use run.device = \"cpu\", or run packaging/run.sh on a machine with an NVIDIA GPU: it "
        "offers the CUDA libraries.";
    if (!nvidia_driver_present())
        throw input_error("run.device", "no NVIDIA driver is loaded on this machine", {}, advice);
    if (const auto problem = load_cuda_library(); !problem.empty())
        throw input_error("run.device", "CUDA's part of LibTorch does not load: " + problem, {}, advice);
    if (!torch::cuda::is_available())
        throw input_error("run.device", "LibTorch finds no usable CUDA device", {}, advice);
    int index = 0;
    if (name.size() > 5) {
        const std::string digits = name.substr(5);
        if (digits.size() > 3 || digits.find_first_not_of("0123456789") != std::string::npos)
            throw input_error("run.device", "\"" + name + "\" is no device", "cuda:N with a number N");
        index = std::stoi(digits);
    }
    const auto count = static_cast<int>(torch::cuda::device_count());
    if (index >= count)
        throw input_error("run.device", "there is no " + name, "a number below " + std::to_string(count));
    return c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index));
}

std::string hardware_name(const c10::Device& device) {
    const auto cores = std::to_string(sysconf(_SC_NPROCESSORS_ONLN));
    const auto host = processor_name() + ", " + cores + " cores";
    if (device.is_cpu()) return host;
    return "NVIDIA GPU " + std::to_string(device.index()) + " (" + host + ")";
}

std::string libtorch_version() { return TORCH_VERSION; }

}  // namespace casp
