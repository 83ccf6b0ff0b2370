#pragma once
// Iterative part of t-SNE: gradient and step.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "analysis/neighbours.h"
#include "analysis/tsne_kernels.h"

namespace casp::analysis {

/// Conditional probabilities exp(−β d²), normalised over one row of k squared distances, into `p` [k]; β ≥ 0
/// such that the entropy is ln perplexity to 1e-10 (Newton's method on ln β within a bracket). If more than
/// `perplexity` neighbours are equally near, no β reaches that and p is uniform over them; likewise for
/// perplexity ≥ k.
void conditional_probabilities(const float* squares, std::int64_t k, double perplexity, double* p);

/// Affinities for all points. Thread-safe; identical bits for any number of threads.
[[nodiscard]] TsneAffinities tsne_affinities(const Neighbours& neighbours, double perplexity);

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

/// Layout of n points under attraction by p and mutual repulsion. Identical bits for any number of threads,
/// provided that LibTorch's FFT is deterministic.
class TsneDescent {
public:
    /// `exact`: repulsion of every pair, O(n²); else on a grid.
    TsneDescent(TsneAffinities affinities, int components, bool exact);

    /// Layout [n, components], at rest.
    void set(std::vector<double> points);
    [[nodiscard]] const std::vector<double>& points() const { return y_; }

    /// One iteration; false if the layout became non-finite.
    bool step(double exaggeration, double learning_rate, double momentum);

    /// ¼ ∂KL/∂y [n, components], with p multiplied by `exaggeration`.
    [[nodiscard]] std::vector<double> gradient(double exaggeration);

    /// Σ p ln(p / q) over the stored p.
    [[nodiscard]] double kl();

private:
    TsneAffinities affinities_;
    std::int64_t n_;
    int components_;
    std::unique_ptr<RepulsionGrid> grid_;  ///< null: exact
    std::vector<double> y_, velocity_, gains_, force_, columns_, sums_;
    std::vector<float> near_;  ///< y in float32

    [[nodiscard]] std::size_t cell(std::int64_t i, int c) const {
        return static_cast<std::size_t>(i * components_ + c);
    }
    template <class Use>
    void each_portion(Use use) const;
    double repel();
    void finish_gradient(std::int64_t begin, std::int64_t end, double exaggeration, double z);
};

}  // namespace casp::analysis
