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
#include <memory>

#include <ATen/core/Tensor.h>

#include "analysis/tsne_kernels.h"

namespace casp::analysis {

/// Grid that covers a layout.
struct GridPlan {
    kernels::GridShape shape;                     ///< nodes, strides within the padded grid
    std::array<std::int64_t, 3> padded{0, 0, 0};  ///< nodes in each direction, with the padding
    at::Tensor spectrum;  ///< on the CPU, float64: K's spectrum divided by that of both splines, real, in the
                          ///< layout of rfftn

    /// Fits the grid to a layout within low … high. The spectrum is reused if possible (sizes and spacing
    /// change in coarse steps). Returns whether it changed.
    bool fit(int components, const std::array<double, 3>& low, const std::array<double, 3>& high);
};

/// Repulsion on a grid, reusing the kernel's spectrum between calls. One thread at a time; computes on
/// LibTorch's threads.
class RepulsionGrid {
public:
    explicit RepulsionGrid(int components);
    ~RepulsionGrid();
    RepulsionGrid(const RepulsionGrid&) = delete;
    RepulsionGrid& operator=(const RepulsionGrid&) = delete;

    /// force_i = Σ_j K_ij² (y_i − y_j) for y [n, components]; returns Z = Σ_{i≠j} K_ij. Identical bits for
    /// any number of threads, provided that LibTorch's FFT is deterministic.
    double repel(const double* y, std::int64_t n, double* force);

    /// Grid of the last call, without padding.
    [[nodiscard]] const kernels::GridShape& shape() const;

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

}  // namespace casp::analysis
