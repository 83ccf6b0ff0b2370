#pragma once
// PCA of rows that arrive in parts and are not kept, from their mean and one d×d matrix of float64. Does not
// include LibTorch's headers.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/pca.h"

namespace casp::analysis {

/// Principal axes and explained variance of all rows added.
struct PrincipalAxes {
    std::int64_t rows = 0, dimension = 0, components = 0;  ///< n, d, c
    std::vector<double> mean;                              ///< [d]
    std::vector<double> axes;  ///< [c, d] orthonormal, signs as in Pca; zero beyond the rank of the rows
    ExplainedVariance shares;  ///< as explained_variance() of the same rows, in float64

    /// Coordinates [n, c] of `values` [n, d], minus the mean, along the axes; for these or other rows. Throws
    /// std::invalid_argument for inconsistent sizes.
    [[nodiscard]] std::vector<double> points(std::span<const float> values) const;
};

/// Accumulator of rows. Memory: 1,024 rows in float32 and in float64, and two matrices [d, d] of float64 (d =
/// 768: 20 MB), for any number of rows. Sums are formed over blocks of 1,024 rows, however the rows were
/// divided into parts, so the result depends only on the rows. One thread at a time (computes on LibTorch's
/// threads).
///
/// Reference: Chan, Golub & LeVeque, Algorithms for Computing the Sample Variance (1983): blocks are centred
/// separately and then combined, so that a mean that is large compared to the spread costs no precision.
class StreamedPca {
public:
    /// Throws std::invalid_argument for a dimension below 1.
    explicit StreamedPca(std::int64_t dimension);
    ~StreamedPca();
    StreamedPca(const StreamedPca&) = delete;
    StreamedPca& operator=(const StreamedPca&) = delete;

    /// Adds rows [any, d]. Throws std::invalid_argument for an incomplete row.
    void add(std::span<const float> rows);

    /// Axes of all rows added so far. Throws an input Error for non-finite values.
    [[nodiscard]] PrincipalAxes axes(std::int64_t components) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace casp::analysis
