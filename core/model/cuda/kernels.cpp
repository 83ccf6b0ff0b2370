#include "model/cuda/kernels.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace casp::model::cuda {

namespace {

struct State {
    std::mutex mutex;
    bool wanted = [] {
        const char* value = std::getenv("CASP_GPU_KERNELS");
        return value != nullptr && std::string(value) == "1";
    }();
    std::map<c10::DeviceType, std::shared_ptr<KernelBackend>> backends;
    std::map<std::string, void*> kernels;  ///< by device, name and constants
    Phrase problem;
    bool reported = false;
};

State& state() {
    static auto* one = new State;  // never destroyed: a run's thread may outlive main()
    return *one;
}

/// With the state's lock; null: there is none.
std::shared_ptr<KernelBackend> backend_of(const c10::Device& device) {
    auto& backend = state().backends[device.type()];
    if (!backend && device.is_cuda()) backend = make_cuda_backend();
    return backend;
}

}  // namespace

void set_kernel_backend(c10::DeviceType type, std::shared_ptr<KernelBackend> backend) {
    const std::scoped_lock lock(state().mutex);
    state().backends[type] = std::move(backend);
}

bool use_kernels(bool wanted) {
    const std::scoped_lock lock(state().mutex);
    return std::exchange(state().wanted, wanted);
}

bool kernels_wanted(const c10::Device& device) {
    const std::scoped_lock lock(state().mutex);
    return state().wanted && backend_of(device) != nullptr;
}

void note_kernel_problem(const Phrase& problem) {
    const std::scoped_lock lock(state().mutex);
    if (state().problem.empty()) state().problem = problem;
}

Phrase take_kernel_problem() {
    const std::scoped_lock lock(state().mutex);
    if (state().reported || state().problem.empty()) return {};
    state().reported = true;
    return state().problem;
}

int kernel_generation(const c10::Device& device) {
    const std::scoped_lock lock(state().mutex);
    const auto backend = backend_of(device);
    try {
        return backend ? backend->generation(device) : 0;
    } catch (const std::runtime_error&) {
        return 0;
    }
}

Kernel::Kernel(const KernelSpec& spec, const c10::Device& device, unsigned shared) : device_(device) {
    const std::scoped_lock lock(state().mutex);
    if (!state().wanted) return;
    const auto backend = backend_of(device);
    if (!backend) return;
    backend_ = backend;
    const auto key = device.str() + " " + spec.name + " " + spec.constants;
    const auto [known, added] = state().kernels.try_emplace(key, nullptr);
    if (added) {
        Phrase problem;
        known->second = backend->find(spec, device, shared, problem);
        if (state().problem.empty()) state().problem = problem;
    }
    handle_ = known->second;
}

void Kernel::start(const Grid& grid, void** arguments, const std::size_t* sizes, const bool* pointers,
                   std::size_t count) const {
    if (grid.blocks > 0) backend_->launch(handle_, device_, grid, arguments, sizes, pointers, count);
}

}  // namespace casp::model::cuda
