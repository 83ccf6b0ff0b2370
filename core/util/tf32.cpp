#include "util/tf32.h"

#include <array>
#include <condition_variable>
#include <mutex>

#include <ATen/Context.h>

namespace casp {

namespace {

std::mutex mutex;
std::condition_variable changed;
bool last_kind = false;             ///< of the threads inside, or of those that were inside last
int inside = 0;                     ///< threads with a scope
std::array<int, 2> waiting{};       ///< threads of each kind
thread_local bool has_one = false;  ///< a scope of this thread

}  // namespace

Tf32Scope::Tf32Scope(const c10::Device& device, bool allowed) {
    if (device.is_cpu() || has_one) return;
    const auto own = static_cast<std::size_t>(allowed), other = 1 - own;
    std::unique_lock lock(mutex);
    ++waiting[own];
    changed.wait(lock, [&] { return last_kind == allowed ? waiting[other] == 0 : inside == 0; });
    --waiting[own];
    if (inside++ == 0) at::globalContext().setAllowTF32CuBLAS(allowed);
    last_kind = allowed;
    entered_ = has_one = true;
}

Tf32Scope::~Tf32Scope() {
    if (!entered_) return;
    has_one = false;
    const std::lock_guard lock(mutex);
    if (--inside > 0) return;
    at::globalContext().setAllowTF32CuBLAS(false);  // for work without a scope
    changed.notify_all();
}

}  // namespace casp
