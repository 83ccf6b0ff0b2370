#pragma once
// The pretend device's cuBLASLt (pretend_blas_lt.cpp).

#include <cstddef>
#include <functional>

namespace casp::pretend {

/// Gives what a product does to `record`, for a graph that is being recorded.
void record_products_by(std::function<void(std::function<void()>)> record);

/// Products computed so far.
[[nodiscard]] std::size_t blas_lt_products();

}  // namespace casp::pretend
