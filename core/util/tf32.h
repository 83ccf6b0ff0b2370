#pragma once
// TF32 in the matrix products that a GPU computes, for the work of a scope.

#include <c10/core/Device.h>

namespace casp {

/// While it exists, products of fp32 tensors that its thread queues on `device`, and their gradients, are
/// computed in TF32 (`allowed`) or in fp32. Without a scope they are computed in fp32.
///
/// LibTorch's switch is the process's and is read when a product is queued. So scopes of the two kinds
/// exclude each other, in turns if threads of both kinds wait; scopes of one kind do not. Keep one for a step
/// or a batch only. It has no effect on the CPU, and inside another scope of the thread. Thread-safe.
class Tf32Scope {
public:
    Tf32Scope(const c10::Device& device, bool allowed);
    ~Tf32Scope();
    Tf32Scope(const Tf32Scope&) = delete;
    Tf32Scope& operator=(const Tf32Scope&) = delete;

private:
    bool entered_ = false;
};

}  // namespace casp
