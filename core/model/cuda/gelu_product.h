#pragma once
// Matrix products of bf16 tensors on a GPU with GELU (tanh) in their epilogue, for a backward pass, too: by
// cuBLASLt, which LibTorch brings, but uses only where nothing is kept. Where the kernels are off
// (kernels.h), or cuBLASLt is missing or refuses, the functions return nothing, and the caller computes the
// same with LibTorch's operators. Thread-safe.

#include <optional>

#include <ATen/core/Tensor.h>

namespace casp::model::cuda {

/// Whether `device` can have them: since Hopper. Before, cuBLASLt computes GELU in a kernel of its own, which
/// gains nothing.
[[nodiscard]] bool has_gelu_products(const c10::Device& device);

struct GeluProduct {
    at::Tensor inner;  ///< u = x·W + b, [n, k]
    at::Tensor out;    ///< gelu(u)
};

/// x [n, d], W [d, k], b [k].
[[nodiscard]] std::optional<GeluProduct> gelu_product(const at::Tensor& x, const at::Tensor& weight,
                                                      const at::Tensor& bias);

/// The gradient of u from that of y = gelu(u)·W: (g·Wᵀ) ∘ gelu'(u). g [n, d], W [k, d], u [n, k].
[[nodiscard]] std::optional<at::Tensor> gelu_product_gradient(const at::Tensor& gradient,
                                                              const at::Tensor& weight,
                                                              const at::Tensor& inner);

}  // namespace casp::model::cuda
