#pragma once
// Checks of what looks at runs: neighbours, t-SNE and embeddings on the device against the CPU's.

#include "gpu/gpu_checks.h"

namespace casp::gpu {

[[nodiscard]] std::vector<Check> analysis_checks();

}  // namespace casp::gpu
