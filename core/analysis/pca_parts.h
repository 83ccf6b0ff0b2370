#pragma once
// Common parts of pca.h and streamed_pca.h: products of rows, and fractions and axes from eigenvectors.
// Requires LibTorch's headers.

#include <cstdint>
#include <vector>

#include "analysis/leading_eigen.h"

namespace casp::analysis {

/// Adds blockᵀ · block to the upper triangle of `sum` [d, d] (float64), in strips. The block [n, d] is
/// multiplied in its own type.
void add_products(at::Tensor& sum, const at::Tensor& block);
/// Full symmetric matrix from its upper triangle.
[[nodiscard]] at::Tensor mirrored(const at::Tensor& upper);

[[nodiscard]] std::vector<double> to_vector(const at::Tensor& tensor);

/// Threshold below which eigenvalues are rounding errors. `size`: the larger dimension of the multiplied
/// matrix.
[[nodiscard]] double noise_floor(const LeadingEigen& eigen, std::int64_t size);

/// Leading eigenvalues as fractions of the trace of `products`, zero below `floor`; NaN if the trace is not
/// above it.
[[nodiscard]] std::vector<double> shares_of(const at::Tensor& products, const LeadingEigen& eigen,
                                            double floor, std::int64_t components);
[[nodiscard]] std::vector<double> leading_shares(const at::Tensor& products, std::int64_t size,
                                                 std::int64_t components);

/// Leading columns of `vectors` [d, any] as rows [components, d]: normalised, the largest loading positive,
/// zero where there is no variance.
[[nodiscard]] at::Tensor make_axes(const at::Tensor& vectors, const at::Tensor& variances, double floor,
                                   std::int64_t components);

}  // namespace casp::analysis
