#pragma once
// FFT-based repulsion of t-SNE: the potential φ(y) = Σ_j K(y − y_j), K = 1 / (1 + |·|²), on an equidistant
// grid.
//
// Points are spread over the nodes with B-splines B of degree 7, the nodes are convolved with K, and B
// interpolates the result at the points. Dividing the spectrum of K by that of B twice makes both splines
// interpolating (as in smooth particle mesh Ewald), so that one forward and one backward transform give value
// and gradient:
//
//     Σ_j K_ij = φ(y_i)      Σ_j K_ij² (y_i − y_j) = −½ ∇φ(y_i)
//
// The grid is padded to twice its size to prevent wrap-around. float64 is needed, since the initial layout is
// within 1e-3, where φ differs only in the eighth digit.

#include <array>
#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "analysis/tsne_kernels.h"

namespace casp::analysis {

/// Repulsion on a grid that covers a layout, reusing the kernel's spectrum between calls. One thread at a
/// time; computes on LibTorch's threads.
class RepulsionGrid {
public:
    explicit RepulsionGrid(int components) { shape_.components = components; }

    /// force_i = Σ_j K_ij² (y_i − y_j) for y [n, components]; returns Z = Σ_{i≠j} K_ij. Identical bits for
    /// any number of threads, provided that LibTorch's FFT is deterministic.
    double repel(const double* y, std::int64_t n, double* force);

    /// Grid of the last call: nodes, strides within the padded grid.
    [[nodiscard]] const kernels::GridShape& shape() const { return shape_; }

private:
    kernels::GridShape shape_;
    std::array<std::int64_t, 3> padded_{0, 0, 0};  ///< nodes in each direction, with the padding
    at::Tensor grid_;                              ///< [padded nodes] float64
    at::Tensor spectrum_;              ///< K's divided by that of both splines, real, in the layout of rfftn
    std::vector<std::int32_t> order_;  ///< points by the first row of nodes they touch,
    std::vector<std::int64_t> start_;  ///< row by row from start_[row]

    void fit(const double* y, std::int64_t n);
    void sort(const double* y, std::int64_t n);
};

}  // namespace casp::analysis
