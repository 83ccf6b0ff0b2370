#pragma once
// Checks of what looks at runs: embeddings on the device against the CPU's.

#include "gpu/gpu_checks.h"

namespace casp::gpu {

[[nodiscard]] std::vector<Check> analysis_checks();

}  // namespace casp::gpu
