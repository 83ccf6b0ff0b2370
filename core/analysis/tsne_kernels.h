#pragma once
// The loops of t-SNE over ranges of rows, written so that the compiler fills the vector registers. Free of
// LibTorch; the callers divide the work among threads in portions that do not depend on their number, so that
// neither do the bits.
//
// y is the layout, [n, components] in float64 unless it says otherwise, components 2 or 3.

#include <cstdint>

namespace casp::analysis::kernels {

/// p in rows: entries first[i] … first[i + 1] − 1 of column and p belong to row i. Every row is filled up to
/// a multiple of `row_padding` with p = 0 in column i, which adds nothing to any sum.
struct Affinities {
    const std::int64_t* first = nullptr;   ///< [n + 1]
    const std::int32_t* column = nullptr;  ///< [first[n]]
    const float* p = nullptr;              ///< [first[n]]
};
inline constexpr std::int64_t row_padding = 16;

/// force_i += scale Σ_j p_ij K_ij (y_i − y_j) for rows [begin, end). `near` is y in float32: neighbours in p
/// are neighbours in the layout, their differences need no more than that.
void attract(const Affinities& affinities, const float* near, int components, std::int64_t begin,
             std::int64_t end, double scale, double* force);

/// Σ p_ij ln(p_ij (1 + |y_i − y_j|²)) over the rows [begin, end): KL without ln Z.
[[nodiscard]] double divergence(const Affinities& affinities, const double* y, int components,
                                std::int64_t begin, std::int64_t end);

/// For rows [begin, end) every pair: force_i = Σ_j K_ij² (y_i − y_j). Returns Σ_i Σ_{j≠i} K_ij. `columns` is
/// y one component after the other, [components, n].
[[nodiscard]] double repel(const double* columns, std::int64_t n, int components, std::int64_t begin,
                           std::int64_t end, double* force);

/// Nodes of a grid of equal spacing in every direction.
struct GridShape {
    int components = 2;
    double spacing = 0;
    double origin[3] = {0, 0, 0};        ///< of node 0
    std::int64_t nodes[3] = {1, 1, 1};   ///< in each direction
    std::int64_t stride[3] = {1, 1, 1};  ///< in elements; the last is 1
};
inline constexpr int spline_order =
    8;  ///< B-splines of degree 7: nodes that a point touches in each direction

/// The node of direction 0 that the support of a point begins at; every point must lie so that this is
/// ≥ 0 and ≤ nodes − spline_order in each direction.
[[nodiscard]] std::int64_t first_node(const GridShape& shape, double coordinate, int direction);

/// grid += Σ B(y_i − node) for the points numbered order[begin … end).
void spread(const GridShape& shape, const double* y, const std::int32_t* order, std::int64_t begin,
            std::int64_t end, double* grid);

/// The function with spline coefficients `grid` at the points order[begin … end): force_i = −½ ∇, and the sum
/// of its values is returned.
[[nodiscard]] double interpolate(const GridShape& shape, const double* y, const std::int32_t* order,
                                 std::int64_t begin, std::int64_t end, const double* grid, double* force);

/// Σ_j B(j) cos(j angle): the spectrum of the spline's values at the nodes.
[[nodiscard]] double spline_spectrum(double angle);

/// One step of the descent for rows [begin, end): gains, momentum, the step of at most 5, the sum of the new
/// coordinates added to `sum` [components].
struct Step {
    double learning_rate = 0, momentum = 0;
};
void descend(const Step& step, const double* gradient, int components, std::int64_t begin, std::int64_t end,
             double* y, double* velocity, double* gains, double* sum);

}  // namespace casp::analysis::kernels
