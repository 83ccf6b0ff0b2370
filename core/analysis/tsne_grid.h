#pragma once
// Repulsion in t-SNE without visiting every pair: the potential φ(y) = Σ_j K(y − y_j), K = 1 / (1 + |·|²), on
// a grid of equal spacing, by FFT.
//
// Points are spread over the nodes with B-splines B of degree 7; nodes are convolved with K; B carries the
// result back to the points. Dividing the spectrum of K by that of B twice makes the two splines interpolate
// K (as in smooth particle mesh Ewald), so one forward and one backward transform serve value and gradient:
//
//     Σ_j K_ij = φ(y_i)      Σ_j K_ij² (y_i − y_j) = −½ ∇φ(y_i)
//
// The grid is padded to twice its size, so that nothing wraps around. float64, since at the start all of the
// layout lies within 1e-3 and φ differs in the eighth digit.

#include <array>
#include <cstdint>
#include <memory>

#include <ATen/core/Tensor.h>

#include "analysis/tsne_kernels.h"

namespace casp::analysis {

/// The grid under a layout.
struct GridPlan {
    kernels::GridShape shape;                     ///< nodes, strides within the padded grid
    std::array<std::int64_t, 3> padded{0, 0, 0};  ///< nodes in each direction, with the padding
    at::Tensor spectrum;  ///< on the CPU, float64: of K over that of both splines, real, as of rfftn

    /// Fits the grid to a layout within low … high. The spectrum is kept while it fits (sizes and spacing
    /// come in coarse steps). Returns whether it is another one.
    bool fit(int components, const std::array<double, 3>& low, const std::array<double, 3>& high);
};

/// Keeps the kernel's spectrum from call to call. One thread at a time; LibTorch's threads compute.
class RepulsionGrid {
public:
    explicit RepulsionGrid(int components);
    ~RepulsionGrid();
    RepulsionGrid(const RepulsionGrid&) = delete;
    RepulsionGrid& operator=(const RepulsionGrid&) = delete;

    /// force_i = Σ_j K_ij² (y_i − y_j) for y [n, components]; returns Z = Σ_{i≠j} K_ij. The same bits for any
    /// number of threads as far as LibTorch's FFT gives them.
    double repel(const double* y, std::int64_t n, double* force);

    /// Nodes of the last call, before padding.
    [[nodiscard]] const kernels::GridShape& shape() const;

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

}  // namespace casp::analysis
