#pragma once
// The pretend device's cuBLASLt (pretend_blas_lt.cpp).

#include <atomic>
#include <cstddef>

namespace casp::pretend {

/// Products computed so far.
[[nodiscard]] std::size_t blas_lt_products();

}  // namespace casp::pretend
