// NVRTC compiles the kernels, and the NVIDIA driver starts them. Both are opened when they are first needed,
// as libtorch_cuda is (util/device.cpp): the program links neither, and knows a dozen functions of theirs.

#include <dlfcn.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

#include <ATen/Context.h>
#include <c10/core/DeviceGuard.h>

#include "data/catalog.h"
#include "model/cuda/kernels.h"
#include "model/cuda/nvrtc.h"
#include "store/atomic_file.h"
#include "util/device.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/shared_library.h"

namespace casp::model::cuda {

namespace {

/// LibTorch's folder with a slash, or nothing.
std::string libtorch_folder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&at::globalContext), &info) == 0 || info.dli_fname == nullptr)
        return {};
    return std::filesystem::path(info.dli_fname).parent_path().string() + "/";
}

/// The functions of nvrtc.h that are used; a program is a void*.
struct Nvrtc {
    int (*version)(int*, int*);
    int (*create)(void**, const char*, const char*, int, const char* const*, const char* const*);
    int (*compile)(void*, int, const char* const*);
    int (*log_size)(void*, std::size_t*);
    int (*log)(void*, char*);
    int (*binary_size)(void*, std::size_t*);
    int (*binary)(void*, char*);
    int (*destroy)(void**);

    Nvrtc() {
        // LibTorch's CUDA wheels have it where their own library finds it, which finds it by name afterwards.
        const auto folder = libtorch_folder();
        (void)dlopen((folder + "libcaffe2_nvrtc.so").c_str(), RTLD_LAZY | RTLD_LOCAL);
        const SharedLibrary library({"libnvrtc.so.13", folder + "../../nvidia/cu13/lib/libnvrtc.so.13",
                                     "libnvrtc.so.12", "libnvrtc.so"});
        library.find(version, "nvrtcVersion");
        library.find(create, "nvrtcCreateProgram");
        library.find(compile, "nvrtcCompileProgram");
        library.find(log_size, "nvrtcGetProgramLogSize");
        library.find(log, "nvrtcGetProgramLog");
        library.find(binary_size, "nvrtcGetCUBINSize");
        library.find(binary, "nvrtcGetCUBIN");
        library.find(destroy, "nvrtcDestroyProgram");
    }
};

/// Throws std::runtime_error: there is none.
const Nvrtc& nvrtc() {
    static const Nvrtc one;
    return one;
}

/// The driver's functions; handles are void*.
struct Driver {
    int (*device)(int*, int);
    int (*attribute)(int*, int, int);
    int (*load)(void**, const void*);
    int (*function)(void**, void*, const char*);
    int (*set_attribute)(void*, int, int);
    int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                  void**);
    int (*error)(int, const char**);

    Driver() {
        const SharedLibrary library({"libcuda.so.1"});
        library.find(device, "cuDeviceGet");
        library.find(attribute, "cuDeviceGetAttribute");
        library.find(load, "cuModuleLoadData");
        library.find(function, "cuModuleGetFunction");
        library.find(set_attribute, "cuFuncSetAttribute");
        library.find(launch, "cuLaunchKernel");
        library.find(error, "cuGetErrorString");
    }
};

/// Throws std::runtime_error: there is none.
const Driver& driver() {
    static const Driver one;
    return one;
}

void check(int result, const char* what) {
    if (result == 0) return;
    const char* text = nullptr;
    driver().error(result, &text);
    throw std::runtime_error(std::string(what) + ": " +
                             (text != nullptr ? text : "error " + std::to_string(result)));
}

class CudaBackend : public KernelBackend {
public:
    void* find(const KernelSpec& spec, const c10::Device& device, unsigned shared, Phrase& problem) override {
        try {
            const c10::DeviceGuard guard(device);
            (void)native_stream(device);           // throws if a launch would
            constexpr unsigned small = 48 * 1024;  // without asking for more
            if (shared > small && shared > static_cast<unsigned>(attribute(device, largest_shared)))
                throw std::runtime_error("this GPU has too little shared memory");
            const auto architecture =
                "sm_" + std::to_string(attribute(device, major)) + std::to_string(attribute(device, minor));
            auto& module = modules_[device.str() + spec.source + spec.constants];
            if (module == nullptr) {
                const auto binary = kernel_binary(spec.source, spec.constants, architecture);
                check(driver().load(&module, binary.data()), "cuModuleLoadData");
            }
            void* function = nullptr;
            check(driver().function(&function, module, spec.name), "cuModuleGetFunction");
            constexpr int dynamic_shared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            if (shared > small)
                check(driver().set_attribute(function, dynamic_shared, static_cast<int>(shared)),
                      "cuFuncSetAttribute");
            return function;
        } catch (const std::exception& failure) {
            problem = Phrase("the kernel %1 is not used, LibTorch's operators instead: %2", spec.name,
                             std::string(failure.what()));
            return nullptr;
        }
    }

    int generation(const c10::Device& device) override { return attribute(device, major); }

    void launch(void* kernel, const c10::Device& device, const Grid& grid, void** arguments,
                const std::size_t* /*sizes*/, const bool* /*pointers*/, std::size_t /*count*/) override {
        const c10::DeviceGuard guard(device);
        check(driver().launch(kernel, static_cast<unsigned>(grid.blocks), 1, 1, grid.threads, 1, 1,
                              grid.shared, native_stream(device), arguments, nullptr),
              "cuLaunchKernel");
    }

private:
    static constexpr int largest_shared = 97, major = 75, minor = 76;  // CU_DEVICE_ATTRIBUTE_…
    static int attribute(const c10::Device& device, int which) {
        int handle = 0, value = 0;
        check(driver().device(&handle, device.index()), "cuDeviceGet");
        check(driver().attribute(&value, which, handle), "cuDeviceGetAttribute");
        return value;
    }

    std::map<std::string, void*> modules_;
};

}  // namespace

std::shared_ptr<KernelBackend> make_cuda_backend() { return std::make_shared<CudaBackend>(); }

bool has_nvrtc() {
    try {
        (void)nvrtc();
        return true;
    } catch (const std::runtime_error&) {
        return false;
    }
}

namespace {

std::string version_of(const Nvrtc& compiler) {
    int major = 0, minor = 0;
    compiler.version(&major, &minor);
    return "NVRTC " + std::to_string(major) + "." + std::to_string(minor);
}

std::vector<std::string> options_of(const std::string& constants, const std::string& architecture) {
    std::vector<std::string> options{"--gpu-architecture=" + architecture, "--std=c++17",
                                     "--ptxas-options=-v"};
    std::istringstream words(constants);
    for (std::string word; words >> word;) options.push_back(word);
    return options;
}

/// What a binary depends on.
std::string key_of(const std::string& source, const std::string& constants, const std::string& architecture) {
    auto text = version_of(nvrtc());
    for (const auto& option : options_of(constants, architecture)) text += "\n" + option;
    return sha256_of(text + "\n" + kernel_source(source));
}

/// Of a file of the cache; empty: it is not there, or damaged.
std::string kept_binary(const std::filesystem::path& file) {
    constexpr std::size_t digits = 64;
    try {
        std::ifstream opened(file, std::ios::binary);
        const std::string content{std::istreambuf_iterator<char>(opened), {}};
        if (content.size() > digits &&
            content.substr(0, digits) == sha256_of(std::string_view(content).substr(digits)))
            return content.substr(digits);
    } catch (const std::ios_base::failure&) {
        return {};
    }
    return {};
}

}  // namespace

CompiledKernels compile_kernels(const std::string& source, const std::string& constants,
                                const std::string& architecture) {
    if (!has_nvrtc())
        throw std::runtime_error("NVRTC (libnvrtc.so) is not there; caspstudio --fetch cuda downloads it");
    const auto& compiler = nvrtc();
    const auto options = options_of(constants, architecture);
    std::vector<const char*> words;
    for (const auto& option : options) words.push_back(option.c_str());

    const auto text = kernel_source(source);
    void* program = nullptr;
    if (compiler.create(&program, text.c_str(), (source + ".cu").c_str(), 0, nullptr, nullptr) != 0)
        throw std::runtime_error("NVRTC refuses the source");
    const int failed = compiler.compile(program, static_cast<int>(words.size()), words.data());
    CompiledKernels result;
    std::size_t size = 0;
    if (compiler.log_size(program, &size) == 0 && size > 1) {
        result.log.resize(size);
        compiler.log(program, result.log.data());
        result.log.resize(size - 1);
    }
    if (failed == 0 && compiler.binary_size(program, &size) == 0) {
        result.binary.resize(size);
        compiler.binary(program, result.binary.data());
    }
    compiler.destroy(&program);
    if (result.binary.empty())
        throw std::runtime_error(version_of(compiler) + " for " + architecture + ": " + result.log);
    return result;
}

std::string kernel_binary(const std::string& source, const std::string& constants,
                          const std::string& architecture) {
    std::filesystem::path file;
    try {
        if (has_nvrtc())
            file = data::cache_folder() / "caspstudio" / "kernels" /
                   (key_of(source, constants, architecture) + ".cubin");
    } catch (const Error&) {  // the user has no cache
    }
    if (auto kept = kept_binary(file); !kept.empty()) return kept;
    auto binary = compile_kernels(source, constants, architecture).binary;
    try {
        if (!file.empty()) {
            std::filesystem::create_directories(file.parent_path());
            store::write_file_atomically(file, sha256_of(binary) + binary);
        }
    } catch (const std::exception&) {  // compiled again next time
    }
    return binary;
}

}  // namespace casp::model::cuda
