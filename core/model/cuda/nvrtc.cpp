// NVRTC compiles the kernels, and the NVIDIA driver starts them. Both are opened when they are first needed,
// as libtorch_cuda is (util/device.cpp): the program links neither, and knows a dozen functions of theirs.

#include <dlfcn.h>

#include <filesystem>
#include <map>
#include <stdexcept>
#include <vector>

#include <ATen/Context.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "model/cuda/kernels.h"
#include "model/cuda/nvrtc.h"

namespace casp::model::cuda {

namespace {

void* open_first(const std::vector<std::string>& names) {
    for (const auto& name : names)
        if (void* library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL); library != nullptr) return library;
    return nullptr;
}

/// LibTorch's folder with a slash, or nothing.
std::string libtorch_folder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&at::globalContext), &info) == 0 || info.dli_fname == nullptr)
        return {};
    return std::filesystem::path(info.dli_fname).parent_path().string() + "/";
}

template <class Function>
Function function_of(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
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
};

/// Null: there is no NVRTC. libtorch_cuda's wheels come with it, and a CUDA toolkit has it.
const Nvrtc* nvrtc() {
    static const auto* one = []() -> const Nvrtc* {
        // LibTorch's CUDA wheels have it where their own library finds it, which finds it by name afterwards.
        const auto folder = libtorch_folder();
        (void)dlopen((folder + "libcaffe2_nvrtc.so").c_str(), RTLD_LAZY | RTLD_LOCAL);
        void* library = open_first({"libnvrtc.so.13", folder + "../../nvidia/cu13/lib/libnvrtc.so.13",
                                    "libnvrtc.so.12", "libnvrtc.so"});
        if (library == nullptr) return nullptr;
        auto* found = new Nvrtc{
            function_of<decltype(Nvrtc::version)>(library, "nvrtcVersion"),
            function_of<decltype(Nvrtc::create)>(library, "nvrtcCreateProgram"),
            function_of<decltype(Nvrtc::compile)>(library, "nvrtcCompileProgram"),
            function_of<decltype(Nvrtc::log_size)>(library, "nvrtcGetProgramLogSize"),
            function_of<decltype(Nvrtc::log)>(library, "nvrtcGetProgramLog"),
            function_of<decltype(Nvrtc::binary_size)>(library, "nvrtcGetCUBINSize"),
            function_of<decltype(Nvrtc::binary)>(library, "nvrtcGetCUBIN"),
            function_of<decltype(Nvrtc::destroy)>(library, "nvrtcDestroyProgram"),
        };
        const bool complete = found->version && found->create && found->compile && found->log_size &&
                              found->log && found->binary_size && found->binary && found->destroy;
        return complete ? found : nullptr;
    }();
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
};

const Driver* driver() {
    static const auto* one = []() -> const Driver* {
        void* library = open_first({"libcuda.so.1"});
        if (library == nullptr) return nullptr;
        const auto* found = new Driver{
            function_of<decltype(Driver::device)>(library, "cuDeviceGet"),
            function_of<decltype(Driver::attribute)>(library, "cuDeviceGetAttribute"),
            function_of<decltype(Driver::load)>(library, "cuModuleLoadData"),
            function_of<decltype(Driver::function)>(library, "cuModuleGetFunction"),
            function_of<decltype(Driver::set_attribute)>(library, "cuFuncSetAttribute"),
            function_of<decltype(Driver::launch)>(library, "cuLaunchKernel"),
            function_of<decltype(Driver::error)>(library, "cuGetErrorString"),
        };
        const bool complete = found->device && found->attribute && found->load && found->function &&
                              found->set_attribute && found->launch && found->error;
        return complete ? found : nullptr;
    }();
    return one;
}

void check(int result, const char* what) {
    if (result == 0) return;
    const char* text = nullptr;
    driver()->error(result, &text);
    throw std::runtime_error(std::string(what) + ": " +
                             (text != nullptr ? text : "error " + std::to_string(result)));
}

class CudaBackend : public KernelBackend {
public:
    void* find(const KernelSpec& spec, const c10::Device& device, unsigned shared,
               std::string& problem) override {
        try {
            if (driver() == nullptr) throw std::runtime_error("the NVIDIA driver is not there");
            const c10::DeviceGuard guard(device);
            constexpr int largest_shared = 97, major = 75, minor = 76;  // CU_DEVICE_ATTRIBUTE_…
            constexpr unsigned small = 48 * 1024;                       // without asking for more
            if (shared > small && shared > static_cast<unsigned>(attribute(device, largest_shared)))
                throw std::runtime_error("this GPU has too little shared memory");
            const auto architecture =
                "sm_" + std::to_string(attribute(device, major)) + std::to_string(attribute(device, minor));
            auto& module = modules_[device.str() + spec.source + spec.constants];
            if (module == nullptr) {
                const auto binary = compile_kernels(spec.source, spec.constants, architecture).binary;
                check(driver()->load(&module, binary.data()), "cuModuleLoadData");
            }
            void* function = nullptr;
            check(driver()->function(&function, module, spec.name), "cuModuleGetFunction");
            constexpr int dynamic_shared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            if (shared > small)
                check(driver()->set_attribute(function, dynamic_shared, static_cast<int>(shared)),
                      "cuFuncSetAttribute");
            return function;
        } catch (const std::exception& failure) {
            problem = std::string("the kernel ") + spec.name +
                      " is not used, LibTorch's operators instead: " + failure.what();
            return nullptr;
        }
    }

    void launch(void* kernel, const c10::Device& device, const Grid& grid, void** arguments,
                const std::size_t* /*sizes*/, const bool* /*pointers*/, std::size_t /*count*/) override {
        const c10::DeviceGuard guard(device);
        void* stream = c10::impl::VirtualGuardImpl(device.type()).getStream(device).native_handle();
        check(driver()->launch(kernel, static_cast<unsigned>(grid.blocks), 1, 1, grid.threads, 1, 1,
                               grid.shared, stream, arguments, nullptr),
              "cuLaunchKernel");
    }

private:
    static int attribute(const c10::Device& device, int which) {
        int handle = 0, value = 0;
        check(driver()->device(&handle, device.index()), "cuDeviceGet");
        check(driver()->attribute(&value, which, handle), "cuDeviceGetAttribute");
        return value;
    }

    std::map<std::string, void*> modules_;
};

}  // namespace

std::shared_ptr<KernelBackend> make_cuda_backend() { return std::make_shared<CudaBackend>(); }

bool has_nvrtc() { return nvrtc() != nullptr; }

CompiledKernels compile_kernels(const std::string& source, const std::string& constants,
                                const std::string& architecture) {
    const auto* compiler = nvrtc();
    if (compiler == nullptr)
        throw std::runtime_error("NVRTC (libnvrtc.so) is not there; caspstudio --fetch cuda downloads it");
    std::vector<std::string> options{"--gpu-architecture=" + architecture, "--std=c++17",
                                     "--ptxas-options=-v"};
    for (std::size_t begin = 0; begin < constants.size();) {
        const auto end = std::min(constants.find(' ', begin), constants.size());
        options.push_back(constants.substr(begin, end - begin));
        begin = end + 1;
    }
    std::vector<const char*> words;
    for (const auto& option : options) words.push_back(option.c_str());

    const auto text = kernel_source(source);
    void* program = nullptr;
    if (compiler->create(&program, text.c_str(), (source + ".cu").c_str(), 0, nullptr, nullptr) != 0)
        throw std::runtime_error("NVRTC refuses the source");
    const int failed = compiler->compile(program, static_cast<int>(words.size()), words.data());
    CompiledKernels result;
    std::size_t size = 0;
    if (compiler->log_size(program, &size) == 0 && size > 1) {
        result.log.resize(size);
        compiler->log(program, result.log.data());
        result.log.resize(size - 1);
    }
    if (failed == 0 && compiler->binary_size(program, &size) == 0) {
        result.binary.resize(size);
        compiler->binary(program, result.binary.data());
    }
    compiler->destroy(&program);
    if (result.binary.empty()) {
        int major = 0, minor = 0;
        compiler->version(&major, &minor);
        throw std::runtime_error("NVRTC " + std::to_string(major) + "." + std::to_string(minor) + " for " +
                                 architecture + ": " + result.log);
    }
    return result;
}

}  // namespace casp::model::cuda
