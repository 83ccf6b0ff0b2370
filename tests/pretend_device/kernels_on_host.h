#pragma once
// The program's GPU kernels on the pretend device: their very source (core/model/cuda/*.cu), compiled by g++.
//
// A thread of the GPU is a fibre. Those of a block run one after the other up to where they wait for each
// other; ldmatrix, mma and shuffles exchange values between the 32 fibres of a warp as the hardware's
// documentation says. Only shapes that are listed in kernels_on_host.cpp are compiled.

#include <cstddef>

namespace casp::pretend {

/// Registers them for the pretend device; they are used after model::cuda::use_kernels(true).
void install_kernels();

/// Kernels started so far.
[[nodiscard]] std::size_t kernel_launches();

}  // namespace casp::pretend
