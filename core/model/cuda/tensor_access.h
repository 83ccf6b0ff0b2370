#pragma once
// Tensors as arguments of kernels.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace casp::model::cuda {

/// Its values as the kernels see them; null: undefined.
template <class T>
[[nodiscard]] T* data(const at::Tensor& x) {
    return x.defined() ? static_cast<T*>(x.data_ptr()) : nullptr;
}

/// Dense, and readable 16 bytes at once; undefined: undefined.
[[nodiscard]] inline at::Tensor packed(const at::Tensor& x) {
    if (!x.defined()) return x;
    const auto dense = x.contiguous();
    return reinterpret_cast<std::uintptr_t>(dense.data_ptr()) % 16 == 0 ? dense : dense.clone();
}

constexpr unsigned threads = 256;

/// Blocks for so many items, with `each` in a block.
[[nodiscard]] constexpr std::int64_t blocks_for(std::int64_t items, std::int64_t each) {
    return (items + each - 1) / each;
}

}  // namespace casp::model::cuda
