#pragma once
// What the decompositions of pca.h and streamed_pca.h have in common: products of rows, and what the
// eigenvectors of their sums tell. Needs LibTorch's headers.

#include <cstdint>
#include <vector>

#include "analysis/leading_eigen.h"

namespace casp::analysis {

/// Adds blockᵀ · block to the upper triangle of `sum` [d, d] (float64), strip by strip: below it nothing need
/// be multiplied. The block [n, d] is multiplied in its own type.
void add_products(at::Tensor& sum, const at::Tensor& block);
/// The whole of a symmetric matrix from its upper triangle.
[[nodiscard]] at::Tensor mirrored(const at::Tensor& upper);

[[nodiscard]] std::vector<double> to_vector(const at::Tensor& tensor);

/// Eigenvalues below this are what rounding leaves of zero. `size`: the larger side of what was multiplied.
[[nodiscard]] double noise_floor(const LeadingEigen& eigen, std::int64_t size);

/// Shares of the trace of `products` that its leading eigenvalues are, zero below `floor`; NaN where the
/// trace is not above it.
[[nodiscard]] std::vector<double> shares_of(const at::Tensor& products, const LeadingEigen& eigen,
                                            double floor, std::int64_t components);
[[nodiscard]] std::vector<double> leading_shares(const at::Tensor& products, std::int64_t size,
                                                 std::int64_t components);

/// The leading columns of `vectors` [d, any] as axes one below the other, [components, d]: of length one, the
/// loading of largest size positive, zero where there is no variance.
[[nodiscard]] at::Tensor make_axes(const at::Tensor& vectors, const at::Tensor& variances, double floor,
                                   std::int64_t components);

}  // namespace casp::analysis
