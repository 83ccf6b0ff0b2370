#pragma once
// Copies of frozen weights in bf16.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace casp::model {

/// x in bf16, complete; with more `rows` than x has, the last ones are zero. Tensors that share their memory,
/// as frozen weights of runs in one process do (train/shared_parts.h), share the copy. Keep x as long as the
/// result. Thread-safe.
[[nodiscard]] at::Tensor half_copy(const at::Tensor& x, std::int64_t rows = 0);

}  // namespace casp::model
