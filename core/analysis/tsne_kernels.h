#pragma once
// Vectorisable loops of t-SNE over ranges of rows. No LibTorch. Callers divide the work into portions
// independent of the number of threads, so that results are, too.
//
// y is the layout, [n, components] in float64 unless stated otherwise; components is 2 or 3.

#include <cstdint>
#include <vector>

namespace casp::analysis {

// Symmetric affinities p of t-SNE over nearest neighbours, at a given perplexity.

/// p_ij in rows: entries first[i] … first[i + 1] − 1 of column and p belong to row i; columns ascending, Σ p
/// =
/// 1. Each row is padded to a multiple of 16 with p = 0 in column i, which does not change sums.
struct TsneAffinities {
    std::vector<std::int64_t> first;   ///< [n + 1]
    std::vector<std::int32_t> column;  ///< [first[n]]
    std::vector<float> p;              ///< [first[n]]
};

}  // namespace casp::analysis

namespace casp::analysis::kernels {

/// force_i += scale Σ_j p_ij K_ij (y_i − y_j) for rows [begin, end). `near` is y in float32, which suffices:
/// neighbours in p are close in the layout.
void attract(const TsneAffinities& affinities, const float* near, int components, std::int64_t begin,
             std::int64_t end, double scale, double* force);

/// Σ p_ij ln(p_ij (1 + |y_i − y_j|²)) over rows [begin, end): KL without ln Z.
[[nodiscard]] double divergence(const TsneAffinities& affinities, const double* y, int components,
                                std::int64_t begin, std::int64_t end);

/// force_i = Σ_j K_ij² (y_i − y_j) over all pairs, for rows [begin, end). Returns Σ_i Σ_{j≠i} K_ij. `columns`
/// is y transposed, [components, n].
[[nodiscard]] double repel(const double* columns, std::int64_t n, int components, std::int64_t begin,
                           std::int64_t end, double* force);

/// Nodes of an equidistant grid.
struct GridShape {
    int components = 2;
    double spacing = 0;
    double origin[3] = {0, 0, 0};        ///< of node 0
    std::int64_t nodes[3] = {1, 1, 1};   ///< in each direction
    std::int64_t stride[3] = {1, 1, 1};  ///< in elements; the last is 1
};
inline constexpr int spline_order = 8;  ///< B-splines of degree 7: nodes per point and direction

/// First node in `direction` of the support of a point. Points must lie so that it is between 0 and nodes −
/// spline_order in each direction.
[[nodiscard]] std::int64_t first_node(const GridShape& shape, double coordinate, int direction);

/// grid += Σ B(y_i − node) for the points order[begin … end).
void spread(const GridShape& shape, const double* y, const std::int32_t* order, std::int64_t begin,
            std::int64_t end, double* grid);

/// Evaluates the function with spline coefficients `grid` at the points order[begin … end): force_i = −½ ∇;
/// returns the sum of its values.
[[nodiscard]] double interpolate(const GridShape& shape, const double* y, const std::int32_t* order,
                                 std::int64_t begin, std::int64_t end, const double* grid, double* force);

/// Σ_j B(j) cos(j angle): spectrum of the spline's values at the nodes.
[[nodiscard]] double spline_spectrum(double angle);

/// One descent step for rows [begin, end): gains, momentum, steps of at most 5; adds the new coordinates to
/// `sum` [components].
struct Step {
    double learning_rate = 0, momentum = 0;
};
void descend(const Step& step, const double* gradient, int components, std::int64_t begin, std::int64_t end,
             double* y, double* velocity, double* gains, double* sum);

// Vectorisable inner loops of the neighbour search. No LibTorch.

/// Σ (a − b)² over d values.
[[nodiscard]] float square_distance(const float* a, const float* b, std::int64_t d);

/// Finds the points nearer than their limits among `count`; their squared distances are own + norms[j] − 2
/// products[j], at least zero. Writes their numbers to `where` and distances to `square`; returns their
/// number.
[[nodiscard]] std::int64_t near_enough(const float* products, const float* norms, float own,
                                       const float* limits, std::int64_t count, std::int32_t* where,
                                       float* square);

}  // namespace casp::analysis::kernels
